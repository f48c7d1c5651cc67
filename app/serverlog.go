package app

// This file is the log of a server, and which messages the server is asked to log.

// A LogLine is one line of a server's log. Everything but number, time and stream may be the server's.
type LogLine struct {
	Seq    int64  `json:"seq"`
	At     string `json:"at"`
	Stream string `json:"stream"`
	Text   string `json:"text"`
	Level  string `json:"level"`  // of "log"
	Logger string `json:"logger"` // of "log"
	Data   string `json:"data"`   // of "log": JSON, "" if the text says it all
}

// ServerLog returns the log lines after a sequence number.
func (v *Servers) ServerLog(id string, after int64) (lines []LogLine, err error) {
	defer catch(&err)
	s, _, err := v.server(id)
	if err != nil {
		return nil, err
	}
	for _, l := range s.Log(after) {
		lines = append(lines, LogLine{l.Seq, stamp(l.At), l.Stream, l.Text, l.Level, l.Logger, l.Data})
	}
	return list(lines), nil
}

// SetServerLogLevel keeps from which level on a server is asked to log, and tells it at once if it is connected; "" leaves
// that to the server.
func (v *Servers) SetServerLogLevel(id, level string) (err error) {
	defer catch(&err)
	s, ctx, err := v.server(id)
	if err != nil {
		return err
	}
	e, _, err := v.engine()
	if err != nil {
		return err
	}
	c := s.Config().Conversation
	c.LogLevel = level
	return e.Host.Converse(ctx, id, c)
}
