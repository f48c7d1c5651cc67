package protocol

// This file defines elicitation: what a server asks the user, by form or by URL.

import (
	"encoding/json"
	"errors"
)

// The modes of an elicitation; absent is form.
const (
	ModeForm = "form"
	ModeURL  = "url" // since 2025-11-25
)

// The answers to an elicitation.
const (
	ElicitAccept  = "accept"
	ElicitDecline = "decline"
	ElicitCancel  = "cancel"
)

// ElicitParams ask the user.
type ElicitParams struct {
	Mode            string // ModeForm if absent
	Message         string
	RequestedSchema json.RawMessage // form: an object
	URL             string          // url
	ElicitationID   string          // url, 2025-11-25
	HasTask         bool            // it was asked for as a task (2025-11-25)
	Meta            json.RawMessage
}

// ElicitResult is the answer.
type ElicitResult struct {
	Action  string          `json:"action"`
	Content json.RawMessage `json:"content,omitempty"` // an object, with ElicitAccept of a form
	Meta    json.RawMessage `json:"_meta,omitempty"`
}

// ElicitationCompleteParams say that what the URL of an elicitation led to is done.
type ElicitationCompleteParams struct {
	ElicitationID string
}

// URLElicitationData is the data of error CodeURLElicitationRequired.
type URLElicitationData struct {
	Elicitations []ElicitParams
	Raw          []json.RawMessage // of each, as received
}

func (v *ElicitParams) decode(r *reader) error {
	v.Mode = ModeForm
	if !r.object(func(key []byte) {
		switch string(key) {
		case "mode":
			v.Mode, _ = r.text()
		case "message":
			v.Message, _ = r.text()
		case "requestedSchema":
			v.RequestedSchema = r.objectText()
		case "url":
			v.URL, _ = r.text()
		case "elicitationId":
			v.ElicitationID, _ = r.text()
		case "task":
			v.HasTask = r.objectText() != nil
		case "_meta":
			v.Meta = r.objectText()
		default:
			r.value()
		}
	}) {
		return errNoObject
	}
	switch {
	case v.Mode == ModeForm && v.RequestedSchema == nil:
		return errors.New("a form without requestedSchema")
	case v.Mode == ModeURL && v.URL == "":
		return errors.New("no url")
	}
	return nil
}

func (v *ElicitationCompleteParams) decode(r *reader) error {
	if !r.object(func(key []byte) {
		if string(key) == "elicitationId" {
			v.ElicitationID, _ = r.text()
		} else {
			r.value()
		}
	}) {
		return errNoObject
	}
	if v.ElicitationID == "" {
		return errors.New("no elicitationId")
	}
	return nil
}

func (v *URLElicitationData) decode(r *reader) error {
	var bad error
	if !r.object(func(key []byte) {
		if string(key) != "elicitations" {
			r.value()
			return
		}
		r.array(func() {
			start := r.pos
			var e ElicitParams
			if err := e.decode(r); err != nil {
				bad = err
			} else if e.Mode != ModeURL {
				bad = errors.New("an elicitation that is not by URL")
			}
			v.Elicitations = append(v.Elicitations, e)
			v.Raw = append(v.Raw, r.since(start))
		})
	}) {
		return errNoObject
	}
	if bad == nil && len(v.Elicitations) == 0 {
		return errors.New("no elicitations")
	}
	return bad
}
