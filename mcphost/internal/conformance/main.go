// Command conformance is Gatehouse as the official conformance suite sees it: the engine as it ships, with a user who
// says yes. The suite starts it as "conformance [-trace FILE] URL" for one scenario at a time and judges what arrives
// at the URL. The scenario's name chooses what the user wants, never how the engine speaks.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"time"

	"gatehouse/mcphost"
	"gatehouse/test/engine"
)

// limit is less than the 30 s after which the suite kills a client, so that it can say what it waited for.
const limit = 25 * time.Second

func main() {
	traceFile := flag.String("trace", "", "append every frame to this `file`")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: conformance [-trace FILE] URL")
		os.Exit(2)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if err := run(ctx, flag.Arg(0), *traceFile); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

// A suite is what the suite tells a client in its environment.
type suite struct {
	scenario string
	context  struct {
		ToolCalls []struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		} `json:"toolCalls"`
	}
}

func environment() (suite, error) {
	s := suite{scenario: os.Getenv("MCP_CONFORMANCE_SCENARIO")}
	if text := os.Getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &s.context); err != nil {
			return s, fmt.Errorf("MCP_CONFORMANCE_CONTEXT: %w", err)
		}
	}
	return s, nil
}

// run connects to the server as a user would and pursues the scenario's goal.
func run(ctx context.Context, url, traceFile string) (err error) {
	told, err := environment()
	if err != nil {
		return err
	}
	o := engine.Options{Log: os.Stderr}
	if traceFile != "" {
		file, err := os.OpenFile(traceFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		defer file.Close()
		o.Trace = file
	}
	e, err := engine.Open(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.Close()) }()
	s, err := e.Connect(ctx, mcphost.Config{Name: "suite", Transport: mcphost.HTTP, URL: url})
	if err != nil {
		return err
	}
	return goalOf(told.scenario)(ctx, goal{e, s, told})
}
