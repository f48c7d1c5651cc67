package consent

// This file tells, without asking anyone, what an approval would rest on.

import "context"

// Standing returns the decision on which a launch of a server with digest d would rest; ok is false if Approve would
// ask. The error matches [ErrUnrecorded].
func (b *Broker) Standing(ctx context.Context, serverID string, d Digest) (original Decision, ok bool, err error) {
	last, ok, err := b.lastLaunch(ctx, Request{Server: Server{ID: serverID}})
	if err != nil || !ok || last.Digest != d {
		return Decision{}, false, err
	}
	return last, true, nil
}
