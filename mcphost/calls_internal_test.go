package mcphost

import (
	"strconv"
	"testing"
)

func TestEndedCallsAreBounded(t *testing.T) {
	for name, tt := range map[string]struct{ calls, bytes, want int }{
		"as many as are kept": {endedKept, 0, endedKept},
		"one more":            {endedKept + 1, 0, endedKept},
		"as large as is kept": {4, endedBytes / 4, 4},
		"one byte more":       {4, endedBytes/4 + 1, 3},
		"the last one stays":  {3, endedBytes + 1, 1},
	} {
		cs := newCalls()
		for i := range tt.calls {
			id := strconv.Itoa(i)
			cs.byID[id] = &liveCall{id: id}
			cs.keep(endedCall{id, tt.bytes})
		}
		_, last := cs.get(strconv.Itoa(tt.calls - 1))
		if len(cs.byID) != tt.want || len(cs.ended) != tt.want || cs.bytes != tt.want*tt.bytes || !last {
			t.Errorf("%s: %d calls, %d bytes, the last one kept: %t; want %d calls", name, len(cs.byID), cs.bytes, last, tt.want)
		}
	}
}
