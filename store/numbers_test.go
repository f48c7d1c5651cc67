package store

import (
	"fmt"
	"testing"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// TestHistoryNumbersLikeALoop compares the count since each of many times with a loop over a slice.
func TestHistoryNumbersLikeALoop(t *testing.T) {
	s := openNew(t)
	ways := []string{consent.ByUser, consent.ByComposed, consent.ByStanding, consent.ByHost, "policy p.json, 1a2b"}
	var ds []consent.Decision
	for i := range 60 {
		d := toolCall(fmt.Sprint("d", i), "echo", i%3 > 0)
		d.At, d.By, d.Edited = noon.Add(time.Duration(i/2)*time.Hour), ways[i%len(ways)], i%7 == 0
		if d.By == consent.ByHost {
			d.Allowed = false
		}
		record(t, s, d)
		if d.Allowed && i%2 == 0 { // other events in between
			start := startOf(d)
			start.At = d.At
			check(t, s.StartCall(t.Context(), start))
		}
		ds = append(ds, d)
	}
	for hours := -1; hours <= 31; hours++ {
		since := noon.Add(time.Duration(hours) * time.Hour)
		var want mcphost.HistoryNumbers
		for _, d := range ds {
			if d.At.Before(since) {
				continue
			}
			want.All++
			switch d.By {
			case consent.ByUser:
				want.Asked++
			case consent.ByComposed:
				want.Composed++
			case consent.ByHost:
			default:
				want.ByRule++
			}
			if !d.Allowed {
				want.Denied++
			}
			if d.Edited {
				want.Edited++
			}
		}
		if got, err := s.HistoryNumbers(t.Context(), since); err != nil || got != want {
			t.Errorf("since %s: %+v, %v, want %+v", since, got, err, want)
		}
	}
}

func TestHistoryNumbersOfNothing(t *testing.T) {
	got, err := openNew(t).HistoryNumbers(t.Context(), noon)
	if err != nil || got != (mcphost.HistoryNumbers{}) {
		t.Errorf("%+v, %v", got, err)
	}
}
