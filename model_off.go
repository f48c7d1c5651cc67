//go:build !dev && !e2e

package main

import "gatehouse/mcphost/llm"

// scriptedModel: a shipped build has no scripted model.
func scriptedModel() (llm.Model, error) { return nil, nil }
