package jsonrpc

// This file defines Limits, the bounds on what the other side may send.

// Limits bounds what the other side may send. A field that is not positive stands for its default.
type Limits struct {
	FrameBytes    int // one frame, without its line end
	Depth         int // nesting of arrays and objects
	Keys          int // keys of one object and of the objects around it, together
	Batch         int // messages in one batch
	IDBytes       int // the JSON text of an id
	Requests      int // requests handled at once
	Waiting       int // requests that wait to be handled; one more is refused
	Notifications int // notifications that wait to be handled; one more is dropped
	QueueBytes    int // requests that wait, and likewise notifications; a single one may be larger
}

// DefaultLimits returns the limits that hold unless said otherwise.
func DefaultLimits() Limits {
	return Limits{
		FrameBytes:    64 << 20,
		Depth:         512,
		Keys:          1 << 20,
		Batch:         1024,
		IDBytes:       1024,
		Requests:      64,
		Waiting:       1024,
		Notifications: 4096,
		QueueBytes:    64 << 20,
	}
}

// resolve returns l with the defaults filled in; nil means all of them.
func (l *Limits) resolve() Limits {
	d := DefaultLimits()
	if l == nil {
		return d
	}
	return Limits{
		FrameBytes:    positive(l.FrameBytes, d.FrameBytes),
		Depth:         positive(l.Depth, d.Depth),
		Keys:          positive(l.Keys, d.Keys),
		Batch:         positive(l.Batch, d.Batch),
		IDBytes:       positive(l.IDBytes, d.IDBytes),
		Requests:      positive(l.Requests, d.Requests),
		Waiting:       positive(l.Waiting, d.Waiting),
		Notifications: positive(l.Notifications, d.Notifications),
		QueueBytes:    positive(l.QueueBytes, d.QueueBytes),
	}
}

func positive(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}
