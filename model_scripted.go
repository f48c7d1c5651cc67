//go:build dev || e2e

package main

import (
	"fmt"
	"os"

	"gatehouse/mcphost/llm"
	"gatehouse/mcphost/llm/scripted"
)

// scriptedModel is the model of the end-to-end tests: the file that GATEHOUSE_SCRIPTED_MODEL names, nil without.
func scriptedModel() (llm.Model, error) {
	path := os.Getenv("GATEHOUSE_SCRIPTED_MODEL")
	if path == "" {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	steps, err := scripted.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return scripted.New(steps, nil), nil
}
