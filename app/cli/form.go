package cli

// This file asks a person at the terminal to fill in a server's form: shown whole, answered by one line of JSON.

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/protocol"
)

// maxReply is in bytes; a terminal in its usual mode hands over at most 4096 at once.
const maxReply = 4095

// form writes what the server says and what it asks for, every field in the words of its schema.
func (p *page) form(r consent.Request) {
	for _, f := range r.Risk.Findings {
		p.field("Beware   ", findingWords(f.Code)+": "+oneLine(f.Detail))
	}
	var asked protocol.ElicitParams
	_ = protocol.Decode(r.Question.Params, &asked) // it was read before it came here
	p.line("\nWritten by the server, not checked:")
	p.field("  ", visible(asked.Message))
	properties, required := formFields(asked.RequestedSchema)
	names, values := members(properties)
	if len(names) == 0 {
		p.line("\nThe form has no fields.")
		return
	}
	p.line("\nFields:")
	for i, name := range names {
		label := "  " + oneLine(name)
		if slices.Contains(required, name) {
			label += " (required)"
		}
		p.field(label+" ", oneLine(string(values[i])))
	}
}

func formFields(schema json.RawMessage) (properties json.RawMessage, required []string) {
	var form struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	_ = json.Unmarshal(schema, &form) // what cannot be read has no fields
	return form.Properties, form.Required
}

// fill reads the answer to a form. A line that is no valid answer is asked for again; declining is not cancelling.
func (a *terminalAsker) fill(ctx context.Context, tty Terminal, r consent.Request) (consent.Answer, error) {
	prompt := "Only give information you trust “" + oneLine(r.Server.Alias) + "” with. Type the answers as one JSON object,\n" +
		"for example {\"name\": \"value\"}, and press Enter to send them; " + decline + " says no, anything else cancels: "
	for {
		line, err := a.answer(ctx, tty, prompt, maxReply)
		if err != nil {
			return consent.Answer{}, err
		}
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "{") {
			said := map[bool]string{true: "Declined.\n\n", false: "Cancelled.\n\n"}[line == decline]
			_, err := io.WriteString(tty, said)
			return consent.Answer{By: consent.ByUser, Decline: line == decline}, err
		}
		reply, err := consent.OneLine([]byte(line))
		problems := []string{}
		if err != nil {
			problems = append(problems, err.Error())
		} else {
			for _, problem := range r.Validate(reply) {
				problems = append(problems, strings.TrimSpace(problem.Pointer+" "+problem.Message))
			}
		}
		if len(problems) == 0 {
			_, err := io.WriteString(tty, "Sent.\n\n")
			answered := r.Answered(reply)
			return consent.Answer{Allow: true, By: consent.ByUser, Digest: answered.Digest(), Arguments: reply}, err
		}
		prompt = "Not sent: " + oneLine(strings.Join(problems, "; ")) + "\nThe answers, " + decline + ", or anything else to cancel: "
	}
}
