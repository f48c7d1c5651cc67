package jsonrpc

// This file lets a transport tell which call a frame answers that it does not keep.

// A Skipped watches a frame go by, piece by piece, in constant space. The zero Skipped is ready.
type Skipped struct{ ids idFinder }

// Write takes the next piece of the frame.
func (s *Skipped) Write(piece []byte) { s.ids.write(piece) }

// Answers returns the request that the frame answers, none if it is no response or its id is not legible.
func (s *Skipped) Answers() ID { return s.ids.answered() }
