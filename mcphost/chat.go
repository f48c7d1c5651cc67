package mcphost

// This file is the engine as the chat loop sees it: what a model may ask for and what it gets back.

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"gatehouse/mcphost/chat"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/llm"
	"gatehouse/mcphost/protocol"
)

// ForChat returns h as the chat loop's host.
func (h *Host) ForChat() chat.Host { return chatHost{h} }

type chatHost struct{ *Host }

// Offer implements [chat.Host]: the trusted tools of every connected server.
func (h chatHost) Offer(context.Context) []chat.Tool {
	var out []chat.Tool
	for _, s := range h.Servers() {
		name := s.Config().Name
		for _, t := range s.offered() {
			out = append(out, chat.Tool{
				ServerID: s.id, Server: name, Name: t.Name,
				Description: consent.Untrusted(t.Description).ForModel(), InputSchema: t.InputSchema,
			})
		}
	}
	return out
}

// Instructions implements [chat.Host]: the reviewed ones of every connected server, oldest server first.
func (h chatHost) Instructions(context.Context) string {
	var b strings.Builder
	for _, s := range h.Servers() {
		snap := s.Snapshot()
		if !snap.Instructions.Told() {
			continue
		}
		if b.Len() == 0 {
			b.WriteString(instructionsHead)
		}
		b.WriteByte('\n')
		b.Write(instructionsForModel(snap.Config.Name, snap.Instructions.Text))
	}
	return b.String()
}

// Run implements [chat.Host].
func (h chatHost) Run(ctx context.Context, u chat.Use) chat.Outcome {
	view, err := h.Call(ctx, CallRequest{
		ServerID: u.ServerID, Tool: u.Tool, Arguments: u.Arguments, UseID: u.ID, Turn: u.Turn, Started: u.Started,
		Actor: consent.Actor{Kind: consent.ActorModel, Name: u.Model, Chat: u.Chat},
	})
	if err != nil {
		return refused(err)
	}
	parts := forModel(view.Result)
	if view.Structured != "" {
		parts = append(parts, llm.Text{Text: "Note by the host: the structured content does not match the tool's schema: " + view.Structured})
	}
	if d := view.Decision; d != nil && d.Edited {
		note := fmt.Sprintf("Note by the host: arguments changed by the user to %s", d.ToolCall.Arguments)
		parts = append([]llm.Part{llm.Text{Text: note}}, parts...)
	}
	return chat.Outcome{Parts: parts, IsError: view.Result.IsError}
}

// refused tells the model why there is no result. A refusal by the user is not a tool error (ACC A36).
func refused(err error) chat.Outcome {
	say := func(text string, isError bool) chat.Outcome {
		return chat.Outcome{Parts: []llm.Part{llm.Text{Text: text}}, IsError: isError}
	}
	var refusal *consent.Refusal
	var answer *jsonrpc.Error
	switch {
	case errors.As(err, &refusal) && refusal.Decision.By == consent.ByHost:
		return say("The call was not made: nobody allowed it.", false)
	case errors.As(err, &refusal):
		text := "The user refused this call."
		if reason := refusal.Decision.Reason; reason != "" {
			text += " Reason: " + reason
		}
		o := say(text, false)
		o.Stop = refusal.Stop
		return o
	case errors.Is(err, errStopped):
		return say("The user stopped this call.", false)
	case errors.As(err, &answer):
		return say(fmt.Sprintf("The server answered with error %d: %s", answer.Code, consent.Untrusted(answer.Message).ForModel()), true)
	}
	return say("The call failed: "+consent.Untrusted(err.Error()).ForModel(), true)
}

// forModel turns a result into what goes to the model (P12, P14, P16): content for the user only stays here,
// structured content goes when there is no text, embedded text is delimited with its URI.
func forModel(r *protocol.CallToolResult) []llm.Part {
	var parts []llm.Part
	text := false
	for _, c := range r.Content {
		if forUserOnly(c) {
			continue
		}
		p := blockForModel(c)
		if _, ok := p.(llm.Text); ok && c.Type == "text" {
			text = true
		}
		parts = append(parts, p)
	}
	if !text && len(r.StructuredContent) > 0 {
		parts = append(parts, llm.Text{Text: consent.Untrusted(r.StructuredContent).ForModel()})
	}
	if len(parts) == 0 {
		parts = append(parts, llm.Text{Text: "(no content)"})
	}
	return parts
}

func forUserOnly(c protocol.Content) bool {
	a := c.Annotations
	return a != nil && len(a.Audience) == 1 && a.Audience[0] == "user"
}

func blockForModel(c protocol.Content) llm.Part {
	placeholder := func(what string) llm.Part { return llm.Text{Text: "(" + what + ")"} }
	if c.Err != "" {
		return placeholder("a block that could not be read")
	}
	switch c.Type {
	case "text":
		return llm.Text{Text: consent.Untrusted(c.Text).ForModel()}
	case "image", "audio":
		data, err := base64.StdEncoding.DecodeString(c.Data)
		if err != nil {
			return placeholder("a block that could not be read")
		}
		if c.Type == "audio" {
			return llm.Audio{MimeType: c.MimeType, Data: data}
		}
		return llm.Image{MimeType: c.MimeType, Data: data}
	case "resource_link":
		return placeholder(fmt.Sprintf("link to resource %s", consent.Untrusted(c.URI).ForModel()))
	case "resource":
		if c.Resource == nil || c.Resource.IsBlob {
			return placeholder("an embedded resource that is not text")
		}
		uri := strings.ReplaceAll(consent.Untrusted(c.Resource.URI).ForModel(), `"`, "%22")
		return llm.Text{Text: fmt.Sprintf("<resource uri=\"%s\">\n%s\n</resource>", uri, consent.Untrusted(c.Resource.Text).ForModel())}
	}
	return placeholder("content of an unknown type")
}
