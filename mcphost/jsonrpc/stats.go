package jsonrpc

// This file counts what goes through a peer.

import (
	"maps"
	"sync"
)

// Kinds of noise: what the other side should not have written.
const (
	NoiseStray     = "stray"     // a line that is no JSON object or array: a banner, a log line
	NoiseInvalid   = "invalid"   // a frame or message that Parse refuses
	NoiseTooLarge  = "tooLarge"  // a frame over the limit; raw is how it begins
	NoiseUnknownID = "unknownID" // a response to something never asked
	NoiseLate      = "late"      // a response to a call that has ended
	NoiseNoID      = "noID"      // an error that answers nothing in particular
	NoiseDuplicate = "duplicate" // a request under an id already used
	NoiseOverload  = "overload"  // a request or notification beyond the limits
)

// Stats counts what went through a peer.
type Stats struct {
	FramesIn, FramesOut int64
	BytesIn, BytesOut   int64
	Noise               map[string]int64 // by kind
}

type stats struct {
	mu    sync.Mutex // guards total
	total Stats
}

func (s *stats) count(d Direction, frame []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d == Incoming {
		s.total.FramesIn++
		s.total.BytesIn += int64(len(frame))
	} else {
		s.total.FramesOut++
		s.total.BytesOut += int64(len(frame))
	}
}

func (s *stats) noise(kind string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.total.Noise == nil {
		s.total.Noise = make(map[string]int64)
	}
	s.total.Noise[kind]++
}

func (s *stats) snapshot() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	copied := s.total
	copied.Noise = maps.Clone(s.total.Noise)
	return copied
}
