package mcphost

import (
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"gatehouse/mcphost/protocol"
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

// Progress that floods is told ten times a second, the newest always; what comes after the end is dropped (ACC A19, SEC C4).
func TestProgressIsToldAtMeasure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told atomic.Int32
		c, err := newCalls().begin(CallView{ID: "c"}, func(error) {}, func(string) { told.Add(1) })
		if err != nil {
			t.Fatal(err)
		}
		for i := range 2000 {
			c.progress(protocol.ProgressParams{Progress: float64(i)})
			time.Sleep(time.Millisecond)
		}
		time.Sleep(progressEvery)
		synctest.Wait()
		if n := told.Load(); n < 20 || n > 21 || c.snapshot().Progress.Progress != 1999 {
			t.Errorf("told %d times in two seconds, last %v", n, c.snapshot().Progress)
		}
		c.end(t.Context(), errStopped, time.Now())
		before := told.Load()
		c.progress(protocol.ProgressParams{Progress: 5000})
		time.Sleep(time.Second)
		if told.Load() != before || c.snapshot().Progress.Progress != 1999 {
			t.Error("progress after the end")
		}
	})
}
