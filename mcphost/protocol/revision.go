package protocol

// This file defines Revision, the version of the protocol.

// A Revision is a version of the protocol, named by its date.
type Revision string

// The revisions, oldest first.
const (
	Revision20241007 Revision = "2024-10-07" // a preview that some servers still answer with
	Revision20241105 Revision = "2024-11-05"
	Revision20250326 Revision = "2025-03-26"
	Revision20250618 Revision = "2025-06-18"
	Revision20251125 Revision = "2025-11-25"
	Revision20260728 Revision = "2026-07-28" // the modern era: no initialize

	Latest       = Revision20251125 // the newest that begins with initialize, which therefore offers it
	LatestModern = Revision20260728 // the newest of the modern era
)

// Legacy reports whether r is a known revision that begins with initialize.
func (r Revision) Legacy() bool {
	switch r {
	case Revision20241007, Revision20241105, Revision20250326, Revision20250618, Revision20251125:
		return true
	}
	return false
}

// Modern reports whether r is a known revision in which every request stands alone.
func (r Revision) Modern() bool { return r == Revision20260728 }

// Known reports whether r is one of the revisions above.
func (r Revision) Known() bool { return r.Legacy() || r.Modern() }

// AtLeast reports whether r is other or newer. Both must be known: dates order as text.
func (r Revision) AtLeast(other Revision) bool { return r >= other }
