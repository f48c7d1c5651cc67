package transport

// This file is a remote server: one connection over Streamable HTTP (MCP, "Transports") in either profile. The legacy
// one, of revisions 2025-03-26 to 2025-11-25, has a session, a listening stream and streams that can be taken up again;
// the modern one, since 2026-07-28, has nothing but requests.

import (
	"cmp"
	"context"
	"crypto/x509"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

// HTTPOptions of DialHTTP.
type HTTPOptions struct {
	Header        http.Header         // added to every request; never logged
	Wire          Wire                // what Wire returned last time: tried first
	AllowInsecure bool                // the user has agreed to http:// to another host than this one
	Limits        jsonrpc.Limits      // FrameBytes bounds every body and every event
	CAs           []*x509.Certificate // trusted beside the system's; certificates are checked always
	Proxy         Proxy               // nil = none; never used for a server on this machine
	IdleTimeout   time.Duration       // without a byte of a response before it counts as dead, default 15 min
	TotalTimeout  time.Duration       // of one response, whatever comes, default 24 h
	ShortTimeout  time.Duration       // of an exchange without an answer, default 30 s; leaving gets a tenth of it
	Logger        *slog.Logger
	Record        func(Record)     // sees every request and response, from several goroutines; nil = nobody
	Now           func() time.Time // for Record; nil = time.Now

	// Dial makes the connections, nil = the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
}

// An HTTP is a connection to a remote server. It is a [jsonrpc.Stream] and safe for concurrent use.
//
// Write is one exchange: it returns when the request has been answered, and its error concerns that request only.
// The stream as a whole ends by Close and by nothing else.
//
// Whoever holds the conversation says which profile it has: [HTTP.SetRevision] with 2026-07-28 begins the modern one,
// before its first message; the Write of initialize begins the legacy one. In the legacy profile it calls
// [HTTP.OpenStream] when the session is open, and [HTTP.Renew] when the server has ended it. In the modern one a request
// is cancelled by the end of its ctx alone, which ends its response stream: nothing is sent. A subscription is a
// request like any other, whose Write returns when its stream ends; [RetryDelay] says when to send another.
type HTTP struct {
	url    *url.URL
	client *http.Client
	opts   HTTPOptions

	frames    chan incoming
	closed    chan struct{}
	active    sync.WaitGroup // exchanges
	exchanges atomic.Int64   // recorded

	mu         sync.Mutex // guards what follows
	closing    bool
	session    string // Mcp-Session-Id, "" = none: a secret, never logged
	generation int    // of the session
	lost       bool   // there should be a session, and is none
	renewing   *renewal
	wire       Wire
	link       *link // of WireSSE
	revision   string
	cancels    map[*exchange]context.CancelCauseFunc // of active
	woken      chan struct{}                         // closed by Wake
	listener   *exchange                             // of OpenStream, nil = none
}

// incoming is what Read returns next.
type incoming struct {
	frame []byte
	err   error
}

// DialHTTP returns a connection to the server at rawURL. It contacts nobody. It refuses what is neither https nor http on
// this machine (unless AllowInsecure), a URL with credentials in it, and header fields that the protocol needs itself.
func DialHTTP(rawURL string, o *HTTPOptions) (*HTTP, error) {
	h := &HTTP{
		frames: make(chan incoming), closed: make(chan struct{}), cancels: map[*exchange]context.CancelCauseFunc{}, woken: make(chan struct{}),
	}
	if o != nil {
		h.opts = *o
	}
	h.opts.IdleTimeout = cmp.Or(h.opts.IdleTimeout, 15*time.Minute)
	h.opts.TotalTimeout = cmp.Or(h.opts.TotalTimeout, 24*time.Hour)
	h.opts.ShortTimeout = cmp.Or(h.opts.ShortTimeout, 30*time.Second)
	h.opts.Limits.FrameBytes = cmp.Or(h.opts.Limits.FrameBytes, jsonrpc.DefaultLimits().FrameBytes)
	if h.opts.Now == nil {
		h.opts.Now = time.Now
	}
	if h.opts.Logger == nil {
		h.opts.Logger = slog.New(slog.DiscardHandler)
	}
	var err error
	if h.opts.Header, err = checkHeader(h.opts.Header); err != nil {
		return nil, err
	}
	var here bool
	if h.url, here, err = checkURL(rawURL, h.opts.AllowInsecure); err != nil {
		return nil, err
	}
	if err := h.prepare(here); err != nil {
		return nil, err
	}
	return h, nil
}

// prepare makes the client. With here it must not leave this machine.
func (h *HTTP) prepare(here bool) error {
	config, err := tlsConfig(h.opts.CAs)
	if err != nil {
		return err
	}
	t := &http.Transport{
		DialContext:            h.opts.Dial,
		Proxy:                  func(req *http.Request) (*url.URL, error) { return h.opts.Proxy.proxyFor(req.URL) },
		OnProxyConnectResponse: connected,
		TLSClientConfig:        config,
		TLSHandshakeTimeout:    10 * time.Second,
		ForceAttemptHTTP2:      true,
		HTTP2:                  &http.HTTP2Config{SendPingTimeout: 30 * time.Second, PingTimeout: 15 * time.Second},
		DisableCompression:     true, // a small body must not become a large one
		MaxResponseHeaderBytes: maxHead,
		MaxIdleConnsPerHost:    8,
		IdleConnTimeout:        90 * time.Second,
	}
	if t.DialContext == nil {
		t.DialContext = dialer(here)
	}
	h.client = &http.Client{CheckRedirect: checkRedirect, Transport: t}
	if h.opts.Record != nil {
		h.client.Transport = recorder{h, t}
	}
	return nil
}

// SetRevision sets the protocol revision that every later request names (MCP-Protocol-Version), and thereby the profile.
func (h *HTTP) SetRevision(revision string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.revision = revision
}

// Read returns the next frame of any response; [io.EOF] after Close. A *jsonrpc.FrameTooLargeError is an event that
// was skipped.
func (h *HTTP) Read(ctx context.Context) ([]byte, error) {
	select {
	case in := <-h.frames:
		return in.frame, in.err
	case <-h.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// deliver hands something to Read.
func (h *HTTP) deliver(ctx context.Context, in incoming) error {
	select {
	case h.frames <- in:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Close ends all exchanges, tells the server that its session is over (DELETE) and waits for both.
func (h *HTTP) Close() error {
	h.mu.Lock()
	first := !h.closing
	h.closing = true
	for _, cancel := range h.cancels {
		cancel(jsonrpc.ErrClosed)
	}
	session := h.session
	h.mu.Unlock()
	if first {
		close(h.closed)
	}
	h.active.Wait()
	if first {
		if session != "" {
			h.leave()
		}
		h.client.CloseIdleConnections()
	}
	return nil
}

// leave ends the session. A server that does not want to be told (405), or cannot be reached, is no trouble.
func (h *HTTP) leave() {
	resp, err := h.do(context.Background(), outgoing{method: http.MethodDelete, as: h.footing(), total: h.opts.ShortTimeout / 10})
	if err != nil {
		h.opts.Logger.Debug("session not ended", "error", err)
		return
	}
	resp.close()
}

// An exchange is one Write, or the listening stream, with all its requests. Close cancels it and waits for its end.
type exchange struct {
	hold func() bool // lets it outlive its caller's context
	end  func()      // must be called
}

// begin opens an exchange; its context ends with ctx.
func (h *HTTP) begin(ctx context.Context) (context.Context, *exchange, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing {
		return nil, nil, &jsonrpc.ClosedError{Cause: jsonrpc.ErrClosed}
	}
	work, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	x := &exchange{hold: context.AfterFunc(ctx, func() { cancel(context.Cause(ctx)) })}
	x.end = func() {
		x.hold()
		cancel(nil)
		h.mu.Lock()
		delete(h.cancels, x)
		h.mu.Unlock()
		h.active.Done()
	}
	h.cancels[x] = cancel
	h.active.Add(1)
	return work, x, nil
}
