package demo

// This file is the tools that ask back before they answer: for details, a page, a model's word, folders.

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// demoPage is reserved for documentation: nobody can register it (RFC 2606).
const demoPage = "https://example.com/gatehouse-demo"

// asks are the tools that show what a server can ask.
func (s *server) asks() []tool {
	return []tool{
		{
			Name: "ask_details", Title: "Ask for details", Description: "Asks you to fill in a form with every kind of field, and reads your answers back. As a task it shows that its work waits for you.",
			InputSchema: schema{text("occasion", "Occasion", "What the form is about.", "a dinner", 100)},
			Annotations: reads(), Execution: &execution{"optional"}, call: s.askDetails,
		},
		{
			Name: "open_page", Title: "Ask to open a page", Description: "Asks you to open a page in your browser. The address is reserved for examples; nothing is fetched by this program.",
			InputSchema: schema{choice("when", "When", "While the call runs, or before it can run at all.", "while it runs", "before it runs")},
			Annotations: reads(), call: s.openPage,
		},
		{
			Name: "ask_model", Title: "Ask a model", Description: "Asks for a model's answer to a question, which you read and answer or reject.",
			InputSchema: schema{text("prompt", "Question", "What the model is asked.", "Name a good place for a picnic.", 1000)},
			Annotations: reads(), call: s.askModel,
		},
		{
			Name: "list_folders", Title: "Ask for folders", Description: "Asks which folders it may know about and lists them. It reads none of them.",
			InputSchema: schema{}, Annotations: reads(), call: s.listFolders,
		},
	}
}

// cannot is the answer of a tool whose question the client does not take.
func cannot(what string) result {
	return fails("This client does not take " + what + ".")
}

// unanswered is the answer of a tool whose question was refused or withdrawn.
func unanswered(err error) result { return fails("There is no answer: " + err.Error() + ".") }

func (s *server) askDetails(ctx context.Context, c call) (result, error) {
	if !s.client.forms() || !c.revision.since(revision20250618) {
		return cannot("forms"), nil
	}
	raw, err := c.ask(ctx, "elicitation/create", map[string]any{
		"message": "Tell me about " + c.text("occasion") + ".", "requestedSchema": detailsForm(c.revision),
	})
	if err != nil {
		return unanswered(err), nil
	}
	var answer struct {
		Action  string          `json:"action"`
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return unanswered(err), nil
	}
	if answer.Action == "accept" {
		return says("You have sent: " + string(answer.Content)), nil
	}
	return says(verdict(answer.Action)), nil
}

// verdict says what became of an elicitation.
func verdict(action string) string {
	switch action {
	case "accept":
		return "You have agreed."
	case "decline":
		return "You have declined."
	case "cancel":
		return "You have not decided."
	}
	return fmt.Sprintf("The client answers %q.", clip(action))
}

// openPage asks by a request, or refuses the first call with error −32042 and lets it through when it is made again.
func (s *server) openPage(ctx context.Context, c call) (result, error) {
	if !s.client.addresses() || !c.revision.since(revision20251125) {
		return cannot("addresses"), nil
	}
	before := c.text("when") == "before it runs"
	if before && s.pageAsked.CompareAndSwap(true, false) {
		return says("You have been asked to open the page, and the call was made again."), nil
	}
	params := map[string]any{
		"mode": "url", "message": "Please look at this page.", "url": demoPage, "elicitationId": "demo-page",
	}
	if before {
		s.pageAsked.Store(true)
		return result{}, &rpcError{
			Code: codeURLRequired, Message: "a page must be opened first", Data: map[string]any{"elicitations": []any{params}},
		}
	}
	raw, err := c.ask(ctx, "elicitation/create", params)
	if err != nil {
		return unanswered(err), nil
	}
	var answer struct {
		Action string `json:"action"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return unanswered(err), nil
	}
	return says(verdict(answer.Action)), nil
}

func (s *server) askModel(ctx context.Context, c call) (result, error) {
	if s.client.Sampling == nil {
		return cannot("questions for a model"), nil
	}
	raw, err := c.ask(ctx, "sampling/createMessage", map[string]any{
		"messages":     []any{map[string]any{"role": "user", "content": textContent(c.text("prompt"))}},
		"systemPrompt": "Answer in one sentence.", "maxTokens": 200,
		"modelPreferences": map[string]any{"hints": []any{map[string]string{"name": "small"}}, "speedPriority": 0.8},
	})
	if err != nil {
		return unanswered(err), nil
	}
	var answer struct {
		Model   string  `json:"model"`
		Content content `json:"content"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return unanswered(err), nil
	}
	return says(fmt.Sprintf("%s says: %s", answer.Model, answer.Content.Text)), nil
}

func (s *server) listFolders(ctx context.Context, c call) (result, error) {
	if s.client.Roots == nil {
		return cannot("questions for folders"), nil
	}
	raw, err := c.ask(ctx, "roots/list", nil)
	if err != nil {
		return unanswered(err), nil
	}
	var answer struct {
		Roots []struct {
			URI string `json:"uri"`
		} `json:"roots"`
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		return unanswered(err), nil
	}
	lines := []string{fmt.Sprintf("Folders named: %d", len(answer.Roots))}
	for _, root := range answer.Roots {
		lines = append(lines, root.URI)
	}
	return says(strings.Join(lines, "\n")), nil
}

// detailsForm has a field of every kind that the revision knows.
func detailsForm(r revision) json.RawMessage {
	if r.since(revision20251125) {
		return json.RawMessage(`{"type":"object","properties":{` + plainFields + `,` + chosenFields + `},"required":["name","guests"]}`)
	}
	return json.RawMessage(`{"type":"object","properties":{` + plainFields + `,
		"room":{"type":"string","title":"Room","enum":["garden","hall"],"enumNames":["In the garden","In the hall"]}
	},"required":["name","guests"]}`)
}

const plainFields = `
	"name":{"type":"string","title":"Name","description":"Who invites.","minLength":1,"maxLength":60},
	"guests":{"type":"integer","title":"Guests","description":"How many come.","minimum":1,"maximum":12},
	"budget":{"type":"number","title":"Budget","description":"For each guest.","minimum":0,"maximum":500},
	"music":{"type":"boolean","title":"Music","description":"Whether there is any.","default":true},
	"day":{"type":"string","title":"Day","format":"date"},
	"begins":{"type":"string","title":"Begins","format":"date-time"},
	"email":{"type":"string","title":"E-mail","description":"Invented is fine: nothing is sent.","format":"email"},
	"page":{"type":"string","title":"Web page","format":"uri"}`

const chosenFields = `
	"room":{"type":"string","title":"Room","oneOf":[{"const":"garden","title":"In the garden"},{"const":"hall","title":"In the hall"}],"default":"garden"},
	"season":{"type":"string","title":"Season","enum":["spring","summer","autumn","winter"]},
	"dishes":{"type":"array","title":"Dishes","description":"One to three.","minItems":1,"maxItems":3,"items":{"anyOf":[
		{"const":"soup","title":"Soup"},{"const":"rice","title":"Rice"},{"const":"salad","title":"Salad"},{"const":"cake","title":"Cake"}
	]},"default":["soup"]},
	"drinks":{"type":"array","title":"Drinks","maxItems":2,"items":{"type":"string","enum":["water","tea","juice"]}}`
