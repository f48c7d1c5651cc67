package protocol

// This file defines the log messages of a server.

import (
	"bytes"
	"encoding/json"
	"errors"
)

// LoggingMessageParams is one log message.
type LoggingMessageParams struct {
	Level  string // one of Levels, or what else the server wrote
	Logger string
	Data   json.RawMessage // any value
}

// Levels are the severities (RFC 5424), the least severe first.
func Levels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode].
func (v *LoggingMessageParams) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

func (v *LoggingMessageParams) decode(r *reader) error {
	isObject := r.object(func(key []byte) {
		switch string(key) {
		case "level":
			v.Level, _ = r.text()
		case "logger":
			v.Logger, _ = r.text()
		case "data":
			v.Data = r.value()
		default:
			r.value()
		}
	})
	switch {
	case !isObject:
		return errNoObject
	case v.Level == "":
		return errors.New("no level")
	case v.Data == nil:
		return errors.New("no data")
	}
	return nil
}
