package mcphost

import (
	"slices"
	"testing"
	"testing/synctest"
)

// A subscriber that lags behind learns that it missed something, even if nothing happens afterwards.
func TestGapReachesASlowSubscriber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBus()
		release := make(chan struct{})
		var got []Numbered
		unsubscribe := b.Subscribe(func(n Numbered) {
			<-release
			got = append(got, n)
		})
		const all = busBuffer + 10
		b.publish(CallChanged{"1"})
		synctest.Wait() // the first is being handled, so the buffer holds the next ones
		for range all - 1 {
			b.publish(CallChanged{"1"})
		}
		close(release)
		synctest.Wait()
		b.publish(CallChanged{"2"})
		synctest.Wait()
		unsubscribe()
		want := []Numbered{{all, Gap{}}, {all + 1, CallChanged{"2"}}}
		if len(got) != busBuffer+3 || !slices.Equal(got[busBuffer+1:], want) {
			t.Errorf("%d events, the last ones %+v, want %+v", len(got), got[max(0, len(got)-2):], want)
		}
	})
}
