package demo

// This file keeps the notes, and has the tools that work on them.

import (
	"context"
	"fmt"
	"sync"
)

const noteScheme = "demo://notes/"

// noteNames are the notes that a server starts with.
func noteNames() []string { return []string{"shopping", "ideas", "welcome"} }

func noteName() property {
	return choice("name", "Note", "Which note.", noteNames()...)
}

// notes are short texts in memory.
type notes struct {
	mu    sync.Mutex
	texts map[string]string
}

func newNotes() *notes {
	return &notes{texts: map[string]string{
		"shopping": "# Shopping\n\n- bread\n- two lemons\n- a lantern for the gate\n",
		"ideas":    "# Ideas\n\n1. Paint the gate.\n2. Ask before opening it.\n",
		"welcome":  "# Welcome\n\nThis note is a resource of the demo server. 欢迎！\n",
	}}
}

func (n *notes) get(name string) (text string, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	text, ok = n.texts[name]
	return text, ok
}

// remove reports whether the note was there.
func (n *notes) remove(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	_, ok := n.texts[name]
	delete(n.texts, name)
	return ok
}

// contents returns a note as a resource.
func (n *notes) contents(name string) (resourceContents, bool) {
	text, ok := n.get(name)
	return resourceContents{URI: noteScheme + name, MimeType: "text/markdown", Text: text}, ok
}

func (s *server) linkToNote(_ context.Context, c call) (result, error) {
	name := c.text("name")
	note, ok := s.notes.contents(name)
	if !ok {
		return fails(noSuchNote(name)), nil
	}
	r := says(fmt.Sprintf("The note %q:", name))
	r.Content = append(r.Content, content{Type: "resource", Resource: &note})
	if c.revision.since(revision20250618) {
		r.Content = append(r.Content, content{
			Type: "resource_link", URI: note.URI, Name: name, Title: "Note: " + name,
			Description: "The same note, as a link.", MimeType: note.MimeType, Size: len(note.Text),
		})
	}
	return r, nil
}

func (s *server) deleteNote(_ context.Context, c call) (result, error) {
	name := c.text("name")
	if !s.notes.remove(name) {
		return fails(noSuchNote(name)), nil
	}
	s.out.notify("notifications/resources/list_changed", nil)
	return says(fmt.Sprintf("The note %q is deleted. It comes back when the server starts again.", name)), nil
}

func noSuchNote(name string) string {
	return fmt.Sprintf("There is no note %q any more. Start the server again to get it back.", name)
}
