package main

// This file says what the user of a scenario wants.

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"sync"

	"gatehouse/mcphost"
	"gatehouse/test/engine"
)

// A goal is the connected server and what the suite told about it.
type goal struct {
	engine *engine.Engine
	server *mcphost.Server
	told   suite
}

// goalOf returns what the user wants in a scenario: in most of them to use everything that the server offers.
func goalOf(scenario string) func(context.Context, goal) error {
	switch scenario {
	case "json-schema-ref-no-deref":
		return look // the canary must stay unread; there is nothing to call
	case "json-schema-2020-12-preservation":
		return echoSchema
	case "sep-2640-client-no-prefetch":
		return listSkills
	case "sep-2640-client-verify-digest", "sep-2640-client-verify-size", "sep-2640-client-verify-frontmatter":
		return loadSkills
	}
	return useAll
}

// look connects, which lists the tools, and checks that there are some.
func look(_ context.Context, g goal) error {
	if len(g.server.Tools()) == 0 {
		return errors.New("no tools are listed")
	}
	return nil
}

// useAll makes the calls that the suite names, or calls every listed tool, all at once; it reads every resource and gets
// every prompt.
func useAll(ctx context.Context, g goal) error {
	return errors.Join(g.callAll(ctx), g.readAll(ctx), g.getAll(ctx))
}

func (g goal) readAll(ctx context.Context) error {
	resources, err := g.server.Resources(ctx)
	errs := []error{err}
	for _, r := range resources.Items {
		_, err := g.server.ReadResource(ctx, r.URI, false)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (g goal) getAll(ctx context.Context) error {
	prompts, err := g.server.Prompts(ctx)
	errs := []error{err}
	for _, p := range prompts.Items {
		_, err := g.server.GetPrompt(ctx, p.Name, nil)
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

func (g goal) callAll(ctx context.Context) error {
	calls := map[string][]json.RawMessage{}
	for _, c := range g.told.context.ToolCalls {
		calls[c.Name] = append(calls[c.Name], filled(c.Arguments))
	}
	if len(calls) == 0 {
		for _, tool := range g.server.Tools() {
			calls[tool.Name] = []json.RawMessage{example(tool.InputSchema)}
		}
	}
	var (
		wg   sync.WaitGroup
		mu   sync.Mutex
		errs []error
	)
	for name, arguments := range calls {
		for _, a := range arguments {
			wg.Go(func() {
				if err := g.call(ctx, name, a); err != nil {
					mu.Lock()
					defer mu.Unlock()
					errs = append(errs, err)
				}
			})
		}
	}
	wg.Wait()
	return errors.Join(errs...)
}

// filled are the arguments that are not null. Null is how the suite says that a field is left empty; the tools' schemas
// forbid it, and Gatehouse sends nothing that a schema forbids.
func filled(arguments json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(arguments, &fields); err != nil {
		return arguments // the engine says what is wrong
	}
	maps.DeleteFunc(fields, func(_ string, value json.RawMessage) bool { return string(value) == "null" })
	b, _ := json.Marshal(fields) // it was JSON
	return b
}

// echoSchema sends the schema of one tool, as it was listed, to the other.
func echoSchema(ctx context.Context, g goal) error {
	tool, err := g.server.Tool("json_schema_2020_12_tool")
	if err != nil {
		return err
	}
	arguments, err := json.Marshal(map[string]json.RawMessage{"schema": tool.InputSchema})
	if err != nil {
		return err
	}
	return g.call(ctx, "json_schema_echo", arguments)
}

// listSkills looks at the skills and uses none.
func listSkills(ctx context.Context, g goal) error {
	skills, err := g.server.Skills(ctx)
	if err == nil && len(skills.Items) == 0 {
		err = errors.New("no skills are listed")
	}
	return err
}

// loadSkills loads every skill and reads all of its files.
func loadSkills(ctx context.Context, g goal) error {
	skills, err := g.server.Skills(ctx)
	errs := []error{err}
	for _, entry := range skills.Items {
		skill, err := g.server.LoadSkill(ctx, entry.URI)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		for _, file := range entry.Files {
			_, err := skill.Read(ctx, file.URI)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

func (g goal) call(ctx context.Context, tool string, arguments json.RawMessage) error {
	_, err := g.engine.Tool(ctx, g.server, tool, arguments)
	return err
}
