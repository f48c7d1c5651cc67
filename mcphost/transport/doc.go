// Package transport carries frames to and from MCP servers and owns what lies behind them.
//
//   - [Stdio] is a local server: a child process with its process group, its environment and its log. A
//     [Supervisor] starts it and sees to it that it ends with the app, however the app ends ([RunGuardian]).
//   - [HTTP] is a remote server: Streamable HTTP as revisions 2025-03-26 to 2025-11-25 define it.
//
// Both are a [jsonrpc.Stream]. A [Resolver] finds commands the way the user's terminal would, [BaseEnv] is what a
// child process gets to see of the app's environment.
//
// Nothing here decides whether a server may start or what is sent to it: that is the caller's, before it comes here.
package transport
