package main

// This file is the floor, below which no client can be: the bytes go through the pipes and nobody looks at them.

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
)

// A client calls the tool "reply" of an echo server.
type client interface {
	call(ctx context.Context, size int) error
	close() error
}

// A setup is what a client is made with.
type setup struct {
	server []string // the command line of the server
	dir    string   // an empty folder
}

// clients makes each client: it starts the server, opens a session and lists the tools.
var clients = map[string]func(context.Context, setup) (client, error){
	"floor":    newFloor,
	"host":     func(ctx context.Context, s setup) (client, error) { return newHost(ctx, s, inFile) },
	"ringed":   func(ctx context.Context, s setup) (client, error) { return newHost(ctx, s, inMemory) },
	"untraced": func(ctx context.Context, s setup) (client, error) { return newHost(ctx, s, nowhere) },
	"sdk":      newSDK,

	"web floor":   newWebFloor,
	"web host":    func(ctx context.Context, s setup) (client, error) { return newHost(ctx, s, inFile) },
	"crowd floor": newCrowdFloor,
	"crowd host":  func(ctx context.Context, s setup) (client, error) { return newCrowdHost(ctx, s, crowdSize) },
	"lone host":   func(ctx context.Context, s setup) (client, error) { return newCrowdHost(ctx, s, 1) },
	"few hosts":   func(ctx context.Context, s setup) (client, error) { return newCrowdHost(ctx, s, fewSize) },
}

// A floor writes a line and reads a line, into memory that it uses again.
type floor struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	out   *bufio.Reader
	reply []byte
}

func newFloor(_ context.Context, s setup) (client, error) {
	f := &floor{cmd: exec.Command(s.server[0], s.server[1:]...)}
	f.cmd.Stderr = os.Stderr
	out, err := f.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if f.in, err = f.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	f.out = bufio.NewReaderSize(out, 64<<10)
	if err := f.cmd.Start(); err != nil {
		return nil, err
	}
	return f, f.roundTrip(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
}

func (f *floor) call(_ context.Context, size int) error {
	return f.roundTrip(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"reply","arguments":{"size":%d}}}`, size))
}

func (f *floor) roundTrip(line string) error {
	if _, err := io.WriteString(f.in, line+"\n"); err != nil {
		return err
	}
	f.reply = f.reply[:0]
	for {
		part, err := f.out.ReadSlice('\n')
		f.reply = append(f.reply, part...)
		if err == nil {
			break
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
	if !bytes.HasPrefix(f.reply, []byte(`{"jsonrpc":"2.0","id":1,"result":`)) {
		return errors.New("no reply")
	}
	return nil
}

// pipeline has as many requests under way as width says.
func (f *floor) pipeline(size, n, width int) error {
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"reply","arguments":{"size":%d}}}`+"\n", size)
	window := bytes.Repeat([]byte(line), width)
	for done := 0; done < n; done += width {
		if _, err := f.in.Write(window); err != nil {
			return err
		}
		for range width {
			if _, err := f.out.ReadSlice('\n'); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f *floor) close() error { return errors.Join(f.in.Close(), f.cmd.Wait()) }
