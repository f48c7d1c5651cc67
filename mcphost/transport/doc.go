// Package transport carries frames to and from MCP servers and owns what lies behind them.
//
//   - [Stdio] is a local server: a child process with its process group, its environment and its log. A
//     [Supervisor] starts it and sees to it that it ends with the app, however the app ends ([RunGuardian]).
//   - [HTTP] is a remote server: Streamable HTTP in both profiles, and HTTP+SSE of 2024-11-05.
//
// Both are a [jsonrpc.Stream]. A [Resolver] finds commands the way the user's terminal would, [BaseEnv] is what a
// child process gets to see of the app's environment.
//
// Nothing here decides whether a server may start or what is sent to it: that is the caller's, before it comes here.
//
// # Other transports
//
// Whatever moves whole frames can carry a conversation: implement [jsonrpc.Stream] (Read, Write, Close) and give it to
// session.Open. Four rules make it a good one:
//
//   - One Read gives one frame, however it was framed on the way; what is too large is skipped and reported, not fatal.
//   - The stream ends once, by an error of Read. The failure of one Write is that one message's.
//   - A Write may return as soon as the message is out, or only when a request is answered; it obeys its ctx either way.
//   - Close is safe at any time and makes everything return.
//
// A session looks for more, and goes without what it does not find:
//
//   - SetRevision(string) and OpenStream(context.Context) error: the transport names the revision on every message, and
//     in the modern era a request is cancelled by the end of its Write; nothing is sent. See [HTTP.SetRevision].
//   - Renew(context.Context, error, func(context.Context) error) error: a session that the other side has ended, which a
//     Write reports by [ErrSessionGone], can be opened again. See [HTTP.Renew].
//
// A transport with header fields of its own takes those of a message from its ctx ([WithFields]).
package transport
