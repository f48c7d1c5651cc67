package session

// This file sends requests: what stands in them in each era, what is sent again after a failure, and how they are cancelled.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/transport"
)

// A member is one member of the params of a request. One without a value is left out.
type member struct {
	key   string
	value json.RawMessage // goes out byte for byte
}

// text is a member whose value is a string.
func text(key, value string) member { return member{key, encode(value)} }

// encode returns v as JSON on one line, as package jsonrpc would. What cannot be encoded is nil.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return nil
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// params builds the params of a request: the members, and a _meta with the progress token (0 = none) and what the era
// demands. It is nil if there is nothing to say.
func (s *Session) params(token int64, members ...member) json.RawMessage {
	n := 64
	for _, m := range members {
		n += len(m.key) + len(m.value) + 4
	}
	var meta string
	if p := s.meta.Load(); p != nil {
		meta = *p
	}
	b := append(make([]byte, 0, n+len(meta)), '{')
	for _, m := range members {
		if len(m.value) == 0 {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), m.key...), `":`...)
		b = append(b, m.value...)
	}
	if meta != "" || token != 0 {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(b, `"_meta":{`...), meta...)
		if token != 0 {
			if meta != "" {
				b = append(b, ',')
			}
			b = strconv.AppendInt(append(b, `"progressToken":`...), token, 10)
		}
		b = append(b, '}')
	}
	if len(b) == 1 {
		return nil
	}
	return append(b, '}')
}

// setMeta sets what the _meta of every later request says (2026-07-28, "_meta").
func (s *Session) setMeta(r protocol.Revision) {
	s.mu.Lock()
	level := s.level
	s.mu.Unlock()
	meta := fmt.Sprintf(`"%s":"%s","%s":%s,"%s":%s`, protocol.MetaRevision, r,
		protocol.MetaCapabilities, encode(s.opts.Offer.modern()), protocol.MetaClient, encode(s.opts.Client))
	if level != "" {
		meta += fmt.Sprintf(`,"%s":%s`, protocol.MetaLogLevel, encode(level))
	}
	s.meta.Store(&meta)
}

// request makes one request. When the session is gone a new one is opened, and the request is made once more if it was
// not executed (ACC A12). A safe request is made once more in any case, and after a failure of the network, too (P6).
func (s *Session) request(ctx context.Context, method string, params json.RawMessage, safe bool) (*jsonrpc.Message, error) {
	r, renewable := s.stream.(renewer)
	var renewed, repeated bool
	for {
		m, err := s.peer.Call(ctx, method, params, nil)
		if err == nil || ctx.Err() != nil {
			return m, err
		}
		gone := renewable && errors.Is(err, transport.ErrSessionGone)
		switch {
		case gone && !renewed && (safe || transport.NotExecuted(err)):
			renewed = true
			if failed := r.Renew(ctx, err, s.renew); failed != nil {
				return nil, errors.Join(err, failed)
			}
		case !gone && safe && !repeated && ofNetwork(err):
			repeated = true
		default:
			return m, err
		}
	}
}

// ofNetwork reports whether a request failed between here and the server, on a connection that stands.
func ofNetwork(err error) bool {
	var (
		answer *jsonrpc.Error
		closed *jsonrpc.ClosedError
		status *transport.HTTPError
	)
	return !errors.As(err, &answer) && !errors.As(err, &closed) && !errors.As(err, &status) && !IsAnswer(err)
}

// ask makes a safe request that is answered soon, and reads the answer into result, unless that is nil.
func (s *Session) ask(ctx context.Context, method string, result protocol.Decodable, members ...member) error {
	ctx, cancel := context.WithTimeout(ctx, s.opts.Limits.Request)
	defer cancel()
	m, err := s.request(ctx, method, s.params(0, members...), true)
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	if result == nil {
		return nil
	}
	if err := protocol.Decode(m.Result, result); err != nil {
		return fmt.Errorf("%s: %w", method, &jsonrpc.InvalidResponseError{Reason: err.Error(), Raw: m.Raw})
	}
	return nil
}

// cancelled tells the server that nobody waits for an answer any more. Over HTTP the modern era says so by closing the
// response; what opens a conversation must not be cancelled.
func (s *Session) cancelled(ctx context.Context, id jsonrpc.ID) {
	s.mu.Lock()
	_, unstoppable := s.unstoppable[id]
	modern := s.info.Revision.Modern()
	s.mu.Unlock()
	if _, isRemote := s.stream.(remote); unstoppable || modern && isRemote {
		return
	}
	params := protocol.CancelledParams{RequestID: json.RawMessage(id.String()), Reason: "The user or the host stopped this request."}
	s.debug(ctx, "cancel not delivered", s.peer.Notify(ctx, protocol.NotificationCancelled, params))
}

func clip(s string) string {
	if len(s) > 100 {
		return s[:100]
	}
	return s
}
