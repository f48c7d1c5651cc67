package transport

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"gatehouse/mcphost/jsonrpc"
)

// HTTPOptions of DialHTTP.
type HTTPOptions struct {
	Header        http.Header // added to every request
	AllowInsecure bool        // http:// to other hosts than this one
	Limits        jsonrpc.Limits
	Dial          func(ctx context.Context, network, address string) (net.Conn, error)
	RootCAs       *x509.CertPool
	Now           func() time.Time
	Logger        *slog.Logger
}

// ErrSessionGone says that the server no longer knows the session (404): it has not acted on the request.
var ErrSessionGone = errors.New("the server has ended the session")

// An HTTPError is an answer with a status that means failure.
type HTTPError struct {
	Method string
	URL    string
	Status int
	Body   []byte
}

func (e *HTTPError) Error() string { return fmt.Sprintf("%s %s: status %d", e.Method, e.URL, e.Status) }

// An HTTP is a connection to a remote server: a [jsonrpc.Stream].
type HTTP struct{}

// DialHTTP returns a connection to a server that speaks Streamable HTTP. It does no I/O.
func DialHTTP(url string, o *HTTPOptions) (*HTTP, error) { return nil, errors.ErrUnsupported }

// SetRevision fixes the protocol revision that every later request names.
func (h *HTTP) SetRevision(revision string) {}

// OpenStream starts to listen for messages that answer no request.
func (h *HTTP) OpenStream(ctx context.Context) error { return nil }

func (h *HTTP) Read(ctx context.Context) ([]byte, error)            { return nil, errors.ErrUnsupported }
func (h *HTTP) Write(ctx context.Context, m *jsonrpc.Message) error { return errors.ErrUnsupported }
func (h *HTTP) Close() error                                        { return nil }
