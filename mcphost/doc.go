// Package mcphost is the engine of an MCP host. It knows no window, no database and no text for people.
//
//	Host ── Servers ── connection (session over transport)
//	  │        └────── tools, compared with the pinned definitions
//	  ├── Broker (package consent) ── Asker: the window's Queue, the terminal, a policy, Refuse
//	  ├── Answerer: who answers what servers ask
//	  └── Ports: Servers, Pins, Calls, Secrets, Eras (package store)
//
// Life cycle: New → Open → Resume, Server.Start, Call … → Close. A Host is safe for concurrent use.
//
// Every effect passes the Broker: Server.connect asks for a launch, Host.Call for a tool call. Both get an
// Approval that only the Broker mints, after the decision is recorded, and spend it on exactly the bytes that
// were shown. There is no other way to start a process, open a connection or send a tools/call.
//
// Callers: app and app/cli call Host and Server; package chat calls back through [Host.ForChat]; package store
// implements the ports. Changes come as numbered hints through [Host.Subscribe].
package mcphost
