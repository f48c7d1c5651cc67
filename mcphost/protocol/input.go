package protocol

// This file defines the results that ask for input first (2026-07-28, "Multi Round-Trip Requests").

import (
	"bytes"
	"encoding/json"
	"errors"
)

// InputRequired is a result that asks for input before the request can be completed.
type InputRequired struct {
	Requests []InputRequest  // in the server's order
	State    json.RawMessage // requestState: a JSON string that goes back byte for byte, nil if absent
	Meta     json.RawMessage
	Raw      json.RawMessage // as received
}

// An InputRequest is one thing that the server needs to know.
type InputRequest struct {
	Key    string
	Method string
	Params json.RawMessage // an object, nil if absent
}

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode].
func (v *InputRequired) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

func (v *InputRequired) decode(r *reader) error {
	start := r.pos
	var badState, badRequests bool
	isObject := r.object(func(key []byte) {
		switch string(key) {
		case "inputRequests":
			v.Requests, badRequests = r.inputRequests()
		case "requestState":
			isText, isNull := r.peek() == '"', r.peek() == 'n'
			if raw := r.value(); isText {
				v.State = raw
			} else {
				badState = !isNull
			}
		case "_meta":
			v.Meta = r.objectText()
		default:
			r.value()
		}
	})
	v.Raw = r.since(start)
	switch {
	case !isObject:
		return errNoObject
	case badState:
		return errors.New("requestState is no string")
	case badRequests:
		return errors.New("an input request has no method")
	case len(v.Requests) == 0 && v.State == nil:
		return errors.New("input is required, but none is asked for")
	}
	return nil
}

// inputRequests reads a map of requests. Each needs a method.
func (r *reader) inputRequests() (list []InputRequest, bad bool) {
	r.object(func(key []byte) {
		q := InputRequest{Key: string(key)}
		r.object(func(key []byte) {
			switch string(key) {
			case "method":
				q.Method, _ = r.text()
			case "params":
				q.Params = r.objectText()
			default:
				r.value()
			}
		})
		bad = bad || q.Method == ""
		list = append(list, q)
	})
	return list, bad
}
