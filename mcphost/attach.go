package mcphost

// This file is what the user attaches to a message as a model gets it: named after its server, and as not checked.

import (
	"fmt"

	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/llm"
	"gatehouse/mcphost/protocol"
)

// ResourceForModel returns the contents of a resource that the user attaches.
func ResourceForModel(server string, r *protocol.ReadResourceResult) []llm.Message {
	parts := []llm.Part{notChecked("Attached by the user: a resource of", server)}
	for i := range r.Contents {
		c := &r.Contents[i]
		parts = append(parts, contentsForModel(protocol.Content{
			Type: protocol.ContentResource, Resource: c, Annotations: c.Annotations, Err: c.Err,
		})...)
	}
	return []llm.Message{{Role: llm.User, Parts: parts}}
}

// PromptForModel returns the messages of a prompt that the user attaches. Whatever a server calls a role that is not the
// assistant's is the user's.
func PromptForModel(server, name string, r *protocol.GetPromptResult) []llm.Message {
	out := []llm.Message{{Role: llm.User, Parts: []llm.Part{
		notChecked(fmt.Sprintf("Attached by the user: what the prompt %q expands to, of", consent.Untrusted(name).ForModel()), server),
	}}}
	for _, m := range r.Messages {
		role := llm.User
		if m.Role == string(llm.Assistant) {
			role = llm.Assistant
		}
		if parts := contentsForModel(m.Content); len(parts) > 0 {
			out = append(out, llm.Message{Role: role, Parts: parts})
		}
	}
	return out
}

func notChecked(what, server string) llm.Part {
	return llm.Text{Text: fmt.Sprintf("(%s the server %q. The server wrote it; nobody has checked it.)", what, server)}
}

// contentsForModel returns what of a block goes to a model: nothing of what is for the user only (P12), media as such.
func contentsForModel(c protocol.Content) []llm.Part {
	if forUserOnly(c) {
		return nil
	}
	if r := c.Resource; c.Type == protocol.ContentResource && c.Err == "" && r != nil && r.IsBlob {
		switch kind := r.Kind(); kind {
		case protocol.ContentImage, protocol.ContentAudio:
			return []llm.Part{blockForModel(protocol.Content{Type: kind, Data: r.Blob, MimeType: r.MimeType})}
		}
	}
	return []llm.Part{blockForModel(c)}
}
