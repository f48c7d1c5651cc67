package app

// This file is a request for a message of a model as the page sees it. All of it is the server's words.

import (
	"encoding/json"
	"strconv"

	"gatehouse/mcphost/protocol"
)

// A ShownSample is what a server would have a model answer.
type ShownSample struct {
	System       string         `json:"system"`
	Messages     []ShownMessage `json:"messages"`
	Hints        []string       `json:"hints"`        // names of models, the dearest first
	Cost         float64        `json:"cost"`         // 0 … 1, -1 = not stated
	Speed        float64        `json:"speed"`        // the same
	Intelligence float64        `json:"intelligence"` // the same
	MaxTokens    int64          `json:"maxTokens"`
	Temperature  string         `json:"temperature"` // "" = not stated
	Stops        []string       `json:"stops"`
	Context      string         `json:"context"` // includeContext, "" = none
	Tools        []OfferedTool  `json:"tools"`
	ToolChoice   string         `json:"toolChoice"` // "auto", "required" or "none"
	Metadata     string         `json:"metadata"`   // raw JSON, "" = none
	Left         int            `json:"left"`       // bytes that are too many to show
}

// A ShownMessage is one message of the conversation. Beside the kinds of Block there are "toolUse" (Name, and Text, its
// arguments) and "toolResult" (Name, the use that it answers; its content follows).
type ShownMessage struct {
	Role   string  `json:"role"`
	Blocks []Block `json:"blocks"`
}

// An OfferedTool is a tool that the answer may use.
type OfferedTool struct {
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	InputSchema string `json:"inputSchema"`
}

func shownSample(params json.RawMessage) *ShownSample {
	var p protocol.CreateMessageParams
	if protocol.Decode(params, &p) != nil {
		return nil // it is not asked
	}
	var cut cutter
	s := &ShownSample{
		System: cut.text(p.SystemPrompt), Messages: []ShownMessage{}, Hints: list(p.ModelPreferences.Hints), MaxTokens: p.MaxTokens,
		Cost: stated(p.ModelPreferences.CostPriority), Speed: stated(p.ModelPreferences.SpeedPriority),
		Intelligence: stated(p.ModelPreferences.IntelligencePriority), Stops: list(p.StopSequences), Context: p.IncludeContext,
		Tools: []OfferedTool{}, ToolChoice: p.ToolChoice, Metadata: cut.text(string(p.Metadata)),
	}
	if p.Temperature != nil {
		s.Temperature = strconv.FormatFloat(*p.Temperature, 'g', -1, 64)
	}
	for _, m := range p.Messages {
		s.Messages = append(s.Messages, ShownMessage{m.Role, cut.blocks(m.Content)})
	}
	for _, t := range p.Tools {
		s.Tools = append(s.Tools, OfferedTool{t.Name, t.DisplayTitle(), t.Description, string(t.InputSchema)})
	}
	s.Left = cut.left
	return s
}

func stated(share *float64) float64 {
	if share == nil {
		return -1
	}
	return *share
}

// blocks maps the content of a message, with results of tools in line.
func (v *cutter) blocks(content []protocol.Content) []Block {
	blocks := []Block{}
	for _, c := range content {
		switch b := v.block(c); {
		case c.Err != "":
			blocks = append(blocks, b)
		case c.Type == protocol.ContentToolUse:
			b.Kind, b.Name, b.Text = "toolUse", c.Name, v.text(string(c.Input))
			blocks = append(blocks, b)
		case c.Type == protocol.ContentToolResult:
			b.Kind, b.Name, b.Text = "toolResult", c.ToolUseID, v.text(string(c.StructuredContent))
			blocks = append(append(blocks, b), v.blocks(c.Content)...)
		default:
			blocks = append(blocks, b)
		}
	}
	return blocks
}
