package jsonrpc

// This file defines Limits, the bounds on what the other side may send.

// Limits bounds what the other side may send. A field that is not positive stands for its default.
type Limits struct {
	FrameBytes    int // one frame, without its line end
	Depth         int // nesting of arrays and objects
	Keys          int // keys of one object and of the objects around it, together
	Batch         int // messages in one batch
	Requests      int // requests handled at once
	Waiting       int // requests that wait to be handled; one more is refused
	Notifications int // notifications that wait to be handled; one more is dropped
	QueueBytes    int // frames that wait to be handled, together
}

// DefaultLimits returns the limits that hold unless said otherwise.
func DefaultLimits() Limits {
	return Limits{
		FrameBytes:    64 << 20,
		Depth:         512,
		Keys:          1 << 20,
		Batch:         1024,
		Requests:      64,
		Waiting:       1024,
		Notifications: 4096,
		QueueBytes:    64 << 20,
	}
}

// resolve returns l with every default filled in; nil means all defaults.
func (l *Limits) resolve() Limits {
	d := DefaultLimits()
	if l == nil {
		return d
	}
	r := *l
	for _, f := range []struct{ have, want *int }{
		{&r.FrameBytes, &d.FrameBytes},
		{&r.Depth, &d.Depth},
		{&r.Keys, &d.Keys},
		{&r.Batch, &d.Batch},
		{&r.Requests, &d.Requests},
		{&r.Waiting, &d.Waiting},
		{&r.Notifications, &d.Notifications},
		{&r.QueueBytes, &d.QueueBytes},
	} {
		if *f.have <= 0 {
			*f.have = *f.want
		}
	}
	return r
}
