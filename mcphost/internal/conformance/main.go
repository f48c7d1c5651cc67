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
	"io"
	"log/slog"
	"os"
	"time"

	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/trace"
	"gatehouse/store"
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
	frames := io.Discard
	if traceFile != "" {
		file, err := os.OpenFile(traceFile, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		defer file.Close()
		frames = file
	}
	host, closeHost, err := open(ctx, trace.NewWriter(frames))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeHost()) }()
	server := mcphost.Config{ID: mcphost.NewID(), Name: "suite", Transport: mcphost.HTTP, URL: url}
	if err := host.Add(ctx, server); err != nil {
		return err
	}
	s, err := host.Server(server.ID)
	if err != nil {
		return err
	}
	if err := s.Connect(ctx, user); err != nil {
		return fmt.Errorf("connecting: %w", err)
	}
	return goalOf(told.scenario)(ctx, goal{host, s, told})
}

// open returns the engine on a fresh store in a folder of its own, and what closes it.
func open(ctx context.Context, w *trace.Writer) (_ *mcphost.Host, closeAll func() error, err error) {
	dir, err := os.MkdirTemp("", "gatehouse-conformance-")
	if err != nil {
		return nil, nil, err
	}
	db, err := store.Open(ctx, dir, nil)
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	broker := consent.NewBroker(yes{}, db, &consent.Options{Logger: log})
	host := mcphost.New(broker, mcphost.Ports{Servers: db, Pins: db, Calls: db, Secrets: &store.Memory{}}, &mcphost.Options{
		Client: protocol.Implementation{Name: "gatehouse", Title: "Gatehouse", Version: "0", Description: "A desktop host for MCP servers"},
		Tap: func(server string, dir jsonrpc.Direction, frame []byte, at time.Time) {
			w.Frame(server, trace.Direction(dir.String()), frame, at)
		},
		Answerer: willing{},
		Logger:   log,
	})
	return host, func() error {
		err := host.Close(context.WithoutCancel(ctx))
		return errors.Join(err, db.Close(), w.Err(), os.RemoveAll(dir))
	}, nil
}

// user is who wants everything here.
var user = consent.Actor{Kind: consent.ActorScript}

// yes is a user who allows what is asked, as it was asked.
type yes struct{}

func (yes) Ask(_ context.Context, r consent.Request) (consent.Answer, error) {
	return consent.Answer{Allow: true, By: "conformance", Digest: r.Digest()}, nil
}
