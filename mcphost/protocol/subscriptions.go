package protocol

// This file defines subscriptions/listen, which carries a modern server's notifications (2026-07-28, "Subscriptions").

import "encoding/json"

// A SubscriptionFilter says which notifications are wanted, or will come.
type SubscriptionFilter struct {
	ToolsListChanged      bool     `json:"toolsListChanged,omitempty"`
	PromptsListChanged    bool     `json:"promptsListChanged,omitempty"`
	ResourcesListChanged  bool     `json:"resourcesListChanged,omitempty"`
	ResourceSubscriptions []string `json:"resourceSubscriptions,omitempty"`
	TaskIDs               []string `json:"taskIds,omitempty"` // the tasks extension
}

// AcknowledgedParams say which notifications a subscription will bring.
type AcknowledgedParams struct {
	Notifications SubscriptionFilter
}

func (v *AcknowledgedParams) decode(r *reader) error {
	if !r.object(func(key []byte) {
		if string(key) == "notifications" {
			v.Notifications.decode(r)
		} else {
			r.value()
		}
	}) {
		return errNoObject
	}
	return nil
}

func (v *SubscriptionFilter) decode(r *reader) {
	r.object(func(key []byte) {
		switch string(key) {
		case "toolsListChanged":
			v.ToolsListChanged = r.flag()
		case "promptsListChanged":
			v.PromptsListChanged = r.flag()
		case "resourcesListChanged":
			v.ResourcesListChanged = r.flag()
		case "resourceSubscriptions":
			v.ResourceSubscriptions = r.texts()
		case "taskIds":
			v.TaskIDs = r.texts()
		default:
			r.value()
		}
	})
}

// MetaValue returns a member of the _meta of a message's params or result, nil if there is none.
func MetaValue(params json.RawMessage, name string) json.RawMessage {
	var found json.RawMessage
	r := &reader{data: params}
	r.space()
	r.object(func(key []byte) {
		if string(key) != "_meta" {
			r.value()
			return
		}
		r.object(func(key []byte) {
			if value := r.value(); string(key) == name {
				found = value
			}
		})
	})
	return found
}
