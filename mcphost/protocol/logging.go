package protocol

// This file defines log messages of a server.

import "encoding/json"

// LoggingMessageParams is one log message.
type LoggingMessageParams struct {
	Level  string // one of Levels, or what the server wrote
	Logger string
	Data   json.RawMessage
}

// Levels are the severities of RFC 5424 that MCP uses, least severe first.
func Levels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}
