package main

// This file compares calls over HTTP: G6.

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
)

// webs are the sizes of G6 and what it allows of net/http's time.
var webs = map[string]float64{"100 B": 1.2, "10 kB": 1.6, "1 MB": 6}

// A webFloor is net/http and nobody who looks at what it brings.
type webFloor struct {
	url   string
	http  http.Client
	reply bytes.Buffer
}

func newWebFloor(_ context.Context, s setup) (client, error) {
	f := &webFloor{url: s.server[0]}
	return f, f.call(context.Background(), 100)
}

func (f *webFloor) call(ctx context.Context, size int) error {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"reply","arguments":{"size":%d}}}`, size)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.url, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := f.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	f.reply.Reset()
	if _, err := f.reply.ReadFrom(resp.Body); err != nil {
		return err
	}
	if !bytes.HasPrefix(f.reply.Bytes(), []byte(`{"jsonrpc":"2.0","id":1,"result":`)) {
		return errors.New("no reply")
	}
	return nil
}

func (f *webFloor) close() error { return nil }

// web is G6: as many calls as over stdio, of one server on loopback.
func (b *bench) web(ctx context.Context) (err error) {
	server := exec.CommandContext(ctx, b.echo, "http")
	server.Stderr = os.Stderr
	end, err := server.StdinPipe()
	if err != nil {
		return err
	}
	out, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end.Close(), server.Wait()) }()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil && err != io.EOF {
		return err
	}
	b.address = strings.TrimSpace(address)
	crew, err := b.hireAll(1, "web floor", "web host", "web "+typeScript[0], "web "+typeScript[1])
	defer func() { err = errors.Join(err, crew.dismiss()) }()
	if err != nil {
		return err
	}
	for _, s := range sizes {
		took, err := crew.rounds(order{Size: s.bytes, N: s.calls}, rounds)
		if err != nil {
			return err
		}
		what := "call over HTTP, " + s.name + ", p50, of net/http's"
		b.table.ratio(goal{"G6", what, webs[s.name], false}, took["web host"].p50, took["web floor"].p50, duration)
		for _, name := range typeScript {
			what := "call over HTTP, " + s.name + ", p50, of " + name + "'s"
			b.table.ratio(goal{id: "G6", what: what}, took["web host"].p50, took["web "+name].p50, duration)
		}
	}
	return nil
}
