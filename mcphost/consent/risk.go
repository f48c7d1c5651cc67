package consent

// This file defines what Gatehouse says about the risk of a request. The published tables are codes.go, verbs.go,
// keys.go, commands.go, sql.go and places.go; risk_tool.go, risk_call.go and risk_launch.go apply them. All of it is help for the
// person who decides: finding nothing does not mean that something is safe.

import (
	"maps"
	"slices"
	"strconv"
)

// A Class is one kind of effect.
type Class string

// The classes, from the lightest to the heaviest. Unknown is treated like write.
const (
	ClassRead    Class = "read"
	ClassUnknown Class = "unknown"
	ClassWrite   Class = "write"
	ClassLeave   Class = "leave"
	ClassDestroy Class = "destroy"
)

// A Risk is what Gatehouse itself found out about a request. Nothing a server says lowers it.
type Risk struct {
	Class    Class     `json:"class"`    // the heaviest of Classes
	Classes  []Class   `json:"classes"`  // heaviest first, never empty
	High     bool      `json:"high"`     // destroys, or sends data to a destination that the request names
	Findings []Finding `json:"findings"` // the definition's, then in the order of the text; never nil
}

// A Finding is one reason, with its place. Text for people is the page's: Code is a catalogue key (codes.go).
type Finding struct {
	Code  string `json:"code"`
	Class Class  `json:"class"`
	// Pointer is the RFC 6901 pointer of a string in the arguments; "command", "args/4" (from 0), "dir", "env/NAME",
	// "url" or "headers/NAME" of a launch; "" for the definition as a whole.
	Pointer string `json:"pointer"`
	Line    int    `json:"line"`  // 1-based line in that string, 0 = the whole string
	Start   int    `json:"start"` // UTF-16 offsets into that string; 0, 0 = the whole string
	End     int    `json:"end"`
	Detail  string `json:"detail"` // a host, a command, a character's name: data, never a sentence
}

// has reports whether r has a finding with this code.
func (r Risk) has(code string) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Code == code })
}

const (
	maxPerCode = 20  // findings listed for one code; the rest is counted, and still decides the class
	maxDetail  = 120 // characters of a detail
)

// A report collects findings.
type report struct {
	tool       string          // the tool's name
	chosen     map[string]bool // properties whose values a schema lists
	properties int             // seen so far

	findings []Finding
	counts   map[string]int // by code
	more     int            // not listed
}

func newReport() *report { return &report{chosen: make(map[string]bool), counts: make(map[string]int)} }

// clone copies what a judgement adds to.
func (r *report) clone() *report {
	c := *r
	c.findings, c.counts = slices.Clone(r.findings), maps.Clone(r.counts)
	return &c
}

// A span is a finding inside a string, in bytes.
type span struct {
	code       string
	start, end int
	detail     string
}

// add files a finding about the whole of what pointer names.
func (r *report) add(code, pointer, detail string) {
	r.file(Finding{Code: code, Pointer: pointer, Detail: detail})
}

// spans files findings inside text, in the order of the text.
func (r *report) spans(pointer func() string, text string, spans []span) {
	slices.SortStableFunc(spans, func(a, b span) int { return a.start - b.start })
	at := newLocator(text)
	for _, s := range spans {
		f := Finding{Code: s.code, Detail: s.detail}
		if r.counts[s.code] < maxPerCode {
			f.Pointer = pointer()
			f.Line, f.Start = at.find(s.start)
			f.End = f.Start + utf16Len(text[s.start:s.end])
		}
		r.file(f)
	}
}

func (r *report) file(f Finding) {
	if r.counts[f.Code]++; r.counts[f.Code] > maxPerCode {
		r.more++
		return
	}
	f.Class = codeClasses[f.Code]
	f.Detail = Untrusted(firstRunes(f.Detail, maxDetail)).Display()
	r.findings = append(r.findings, f)
}

// risk sums up. Of several classes read and unknown are not worth naming beside a heavier one.
func (r *report) risk() Risk {
	risk := Risk{Class: ClassUnknown, Findings: make([]Finding, 0, len(r.findings))}
	risk.Findings = append(risk.Findings, r.findings...)
	found := make(map[Class]bool)
	for _, f := range r.findings {
		found[f.Class] = true
		risk.High = risk.High || f.Class == ClassDestroy || namesDestination(f.Code)
	}
	for _, c := range []Class{ClassDestroy, ClassLeave, ClassWrite} {
		if found[c] {
			risk.Classes = append(risk.Classes, c)
		}
	}
	if len(risk.Classes) == 0 {
		risk.Classes = []Class{ClassUnknown}
		if r.counts[CodeSaysReads]+r.counts[CodeOwnDemo] > 0 && !found[ClassUnknown] {
			risk.Classes[0] = ClassRead
		}
	}
	risk.Class = risk.Classes[0]
	if r.more > 0 {
		risk.Findings = append(risk.Findings, Finding{Code: CodeMore, Class: ClassRead, Detail: strconv.Itoa(r.more)})
	}
	return risk
}

// A locator turns ascending byte offsets of a text into lines and UTF-16 offsets in one pass.
type locator struct {
	text             string
	pos, line, utf16 int
}

func newLocator(text string) *locator { return &locator{text: text, line: 1} }

func (l *locator) find(pos int) (line, utf16 int) {
	for _, r := range l.text[l.pos:pos] {
		l.utf16 += unitsOf(r)
		if r == '\n' {
			l.line++
		}
	}
	l.pos = pos
	return l.line, l.utf16
}

func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n += unitsOf(r)
	}
	return n
}

func unitsOf(r rune) int {
	if r > 0xFFFF {
		return 2
	}
	return 1
}
