package cli

// This file asks a person at the terminal to answer in the place of a model.

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
)

// sample writes the whole request.
func (p *page) sample(q consent.Question) {
	var asked protocol.CreateMessageParams
	_ = protocol.Decode(q.Params, &asked) // it was read before it came here
	p.line("Longest answer wished for: %d tokens", asked.MaxTokens)
	for _, hint := range asked.ModelPreferences.Hints {
		p.field("Wished-for model ", oneLine(hint))
	}
	p.line("\nWritten by the server, not checked:")
	if asked.SystemPrompt != "" {
		p.field("  system ", visible(asked.SystemPrompt))
	}
	for _, m := range asked.Messages {
		for _, c := range m.Content {
			text := c.Text
			if c.Type != protocol.ContentText || c.Err != "" {
				text = string(c.Raw)
			}
			p.field("  "+oneLine(m.Role)+" ", visible(text))
		}
	}
}

// reply reads the answer in one line; an empty one rejects.
func (a *terminalAsker) reply(ctx context.Context, tty Terminal, r consent.Request) (consent.Answer, error) {
	prompt := "Only what you type goes to “" + oneLine(r.Server.Alias) + "”. Type the answer in one line and press Enter to send it;\n" +
		"an empty line rejects the request: "
	line, err := a.answer(ctx, tty, prompt, maxReply)
	if err != nil {
		return consent.Answer{}, err
	}
	reply := byModel(strings.TrimSpace(line))
	if problems := r.Validate(reply); strings.TrimSpace(line) == "" || len(problems) > 0 {
		_, err := io.WriteString(tty, "Rejected.\n\n")
		return consent.Answer{By: consent.ByUser}, err
	}
	_, err = io.WriteString(tty, "Sent.\n\n")
	return replying(r, reply, consent.ByUser), err
}

// byModel is a text as a model would have answered it.
func byModel(text string) json.RawMessage {
	type block struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	content, _ := json.Marshal(block{"text", text}) // texts always encode
	reply, _ := json.Marshal(protocol.CreateMessageResult{
		Role: "assistant", Content: content, Model: mcphost.ManualModel + "user", StopReason: "endTurn",
	})
	return reply
}
