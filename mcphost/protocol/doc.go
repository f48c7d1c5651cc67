// Package protocol is the wire vocabulary of MCP: methods, error codes, revisions and the shapes of what is sent and
// received in 2024-11-05 … 2025-11-25. It moves no bytes and keeps no state.
//
// Decoding is lenient, for a server may be newer, older or broken: unknown members are ignored, a member of the wrong
// type counts as absent, a spoilt element of a list is kept with Err set. Nothing is lost, because the raw JSON stays
// next to the typed view. Decode only what package jsonrpc has accepted: it guarantees valid JSON without duplicate keys.
package protocol
