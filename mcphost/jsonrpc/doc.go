// Package jsonrpc is one JSON-RPC 2.0 peer over a stream of frames. It knows nothing of MCP.
//
// A frame is parsed once, strictly, by one scanner ([Parse]): members are cut out as spans of the received bytes,
// nothing is decoded that nobody looks at, and the same bytes go on to the trace, the approval and the page.
//
// A [Stream] moves frames, a [Peer] correlates them. The other side is not trusted: a bad frame is reported as
// noise and counted, it fails at most the call it answers, and only the end of the stream ends the peer.
package jsonrpc
