package consent

// This file defines what Gatehouse says about the risk of a request. The tables behind it are in codes.go, verbs.go
// and patterns.go; risk_tool.go, risk_call.go and risk_launch.go apply them.

import (
	"encoding/json"
	"slices"
)

// A Class is one kind of effect. The order of the constants is the order of weight.
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
	High     bool      `json:"high"`     // destroys, or sends data to a destination that the arguments name
	Findings []Finding `json:"findings"` // in the order of the text, never nil
}

// A Finding is one reason, with its place. Text for people is the page's: Code is a catalogue key (see Codes).
type Finding struct {
	Code    string `json:"code"`
	Class   Class  `json:"class"`
	Pointer string `json:"pointer"` // RFC 6901 into the arguments; "command", "args/4", "dir", "env/NAME", "url" or "headers/NAME" of a launch; "" = the definition
	Line    int    `json:"line"`    // 1-based line in that string, 0 = the whole string
	Start   int    `json:"start"`   // UTF-16 offsets into that string; 0, 0 = the whole string
	End     int    `json:"end"`
	Detail  string `json:"detail"` // a host, a command, the name of a character: data, never a sentence
}

// LaunchRisk judges what a server's start would run or contact.
func LaunchRisk(l Launch) Risk {
	return Risk{Class: ClassUnknown, Classes: []Class{ClassUnknown}, Findings: []Finding{}}
}

// ToolRisk judges a tool by its definition alone.
func ToolRisk(definition json.RawMessage) Risk {
	return Risk{Class: ClassUnknown, Classes: []Class{ClassUnknown}, Findings: []Finding{}}
}

// CallRisk judges one call: the definition and exactly these arguments.
func CallRisk(server Server, definition, arguments json.RawMessage) Risk {
	return ToolRisk(definition)
}

// has reports whether r has a finding with this code.
func (r Risk) has(code string) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Code == code })
}
