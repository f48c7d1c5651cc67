// Package mcphosttest is the other side of the wire for tests: a scripted MCP server, honest or hostile, and a
// trap that counts connections.
//
// A [Scenario] says what the server offers and does. The same scenario runs as a child process ([Command]), in
// process over a stream ([NewStream]) or on loopback HTTP ([NewHTTP]). The server shares no code with the engine
// under test, so a misreading of the protocol cannot hide on both sides.
package mcphosttest
