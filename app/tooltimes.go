package app

// This file is the time that the user grants the calls of one tool (ACC A16).

import (
	"maps"
	"strconv"
	"time"

	"gatehouse/mcphost"
)

// ToolTimes bound the calls of one tool, in seconds. 0 = as for its server.
type ToolTimes struct {
	InactiveSec int `json:"inactiveSec"` // without progress
	TotalSec    int `json:"totalSec"`    // whatever progress comes
}

func seconds(t mcphost.Times) ToolTimes {
	return ToolTimes{InactiveSec: int(t.Inactive / time.Second), TotalSec: int(t.Total / time.Second)}
}

// check refuses what is beyond the ranges of all servers; a tool may have as little as a second.
func (t ToolTimes) check() error {
	for name, n := range map[string]struct{ value, most int }{
		"inactiveSec": {t.InactiveSec, mostDefaults.InactiveMin * 60}, "totalSec": {t.TotalSec, mostDefaults.TotalMin * 60},
	} {
		if n.value < 0 || n.value > n.most {
			return badInput(name, strconv.Itoa(n.value))
		}
	}
	return nil
}

// SetToolTimes sets the times of a tool's calls, from the next one on.
func (v *Tools) SetToolTimes(serverID, tool string, t ToolTimes) (err error) {
	defer catch(&err)
	s, ctx, err := v.server(serverID)
	if err != nil {
		return err
	}
	if _, err := s.Tool(tool); err != nil {
		return err
	}
	if err := t.check(); err != nil {
		return err
	}
	e, _, err := v.engine()
	if err != nil {
		return err
	}
	c := s.Config().Conversation
	if c.Tools = maps.Clone(c.Tools); c.Tools == nil {
		c.Tools = map[string]mcphost.Times{}
	}
	c.Tools[tool] = mcphost.Times{Inactive: time.Duration(t.InactiveSec) * time.Second, Total: time.Duration(t.TotalSec) * time.Second}
	if t == (ToolTimes{}) {
		delete(c.Tools, tool)
	}
	return e.Host.Converse(ctx, serverID, c)
}
