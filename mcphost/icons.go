package mcphost

// This file finds the icons of what a server offers (P18), in what is known already: nothing is asked for.

import (
	"encoding/json"
	"fmt"

	"gatehouse/mcphost/protocol"
)

// Icons returns the icons of what is named, see [protocol.Icons]; nil for none, and of what was not listed yet. Kind is
// "server", "tool", "resource", "template" or "prompt"; name is its name, URI or URI template.
func (s *Server) Icons(kind, name string) (json.RawMessage, error) {
	if kind == "server" {
		return s.Snapshot().Info.Server.Icons, nil
	}
	conn, err := s.connection()
	if err != nil {
		return nil, err
	}
	switch kind {
	case "tool":
		t, err := s.Tool(name)
		return t.Icons, err
	case "resource":
		return conn.others.resources.icons(func(r protocol.Resource) *protocol.Entry { return named(r.URI == name, r.Entry) }), nil
	case "template":
		return conn.others.templates.icons(func(t protocol.ResourceTemplate) *protocol.Entry {
			return named(t.URITemplate == name, t.Entry)
		}), nil
	case "prompt":
		return conn.others.prompts.icons(func(p protocol.Prompt) *protocol.Entry { return named(p.Name == name, p.Entry) }), nil
	}
	return nil, fmt.Errorf("nothing of the kind %q has icons", kind)
}

func named(it bool, e protocol.Entry) *protocol.Entry {
	if it {
		return &e
	}
	return nil
}

// icons returns those of the first entry that pick picks.
func (k *listKeeper[T]) icons(pick func(T) *protocol.Entry) json.RawMessage {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, each := range k.last.Items {
		if e := pick(each); e != nil {
			return e.Icons
		}
	}
	return nil
}
