// Package trace keeps what crosses the connections, in both directions: in memory for the window (Ring), in a file for
// the terminal (Writer).
package trace

import (
	"time"

	"gatehouse/mcphost/jsonrpc"
)

// A Direction says which way a frame went.
type Direction string

// The directions, seen from the host.
const (
	Out Direction = "out"
	In  Direction = "in"
)

// A Kind says what an Entry is.
type Kind string

// The kinds.
const (
	Message Kind = "message" // one JSON-RPC message, or what should have been one
	HTTP    Kind = "http"    // an HTTP request, or what came back
	Event   Kind = "event"   // what an event stream says beside its messages
	Mark    Kind = "mark"    // a moment in the life of a connection
	Fault   Kind = "fault"   // says of a message that has been added (its Raw) what is wrong with it
)

// An Entry is one thing that crossed a connection. What it refers to must not change afterwards.
type Entry struct {
	Server     string // its id
	Name       string // the user's name for it
	Connection int64  // counts the connections of the program
	At         time.Time
	Kind       Kind
	Dir        Direction
	Raw        []byte // of a message: its bytes; of one that was too large: its head
	Size       int64  // of the whole message, event or body; -1 = not known
	Cut        int64  // bytes of the message that are not in Raw
	Method     string // of a request or notification
	ID         jsonrpc.ID
	Failed     bool      // an error response
	Call       string    // the tool call for which it was sent, "" = none
	Fault      string    // why it was refused, "" = it was not
	HTTP       *Exchange // of HTTP and Event
	Code       string    // of a Mark: "open", "ready", "end"
	Detail     string    // of a Mark, masked: the process, the revision, the reason

	// Mask takes the server's secrets out of bytes that are going to be kept. Nil = there are none. What has none comes
	// back as it was.
	Mask func([]byte) []byte
}

// An Exchange is one HTTP request, what came back, or one event of its stream. Secrets are masked already.
type Exchange struct {
	Number int64               // the same for a request, its response and the events of that
	Method string              // HTTP's
	URL    string              // of the request
	Status int                 // of a response, 0 = none came
	Header map[string][]string // of a request or response
	Error  string              // why no response came
	Event  string              // name of the event, "" = message
	LastID string              // id of the event, "" = none
	Retry  time.Duration
	Data   string // of an event that is no message
}
