package cli

// This file asks a person at the terminal.

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"time"

	"gatehouse/mcphost/consent"
)

// A Terminal is where questions go and answers come from, whatever stdin and stdout are. Close makes a Read that waits
// return, as far as the system allows it.
type Terminal interface {
	io.ReadWriteCloser
	Discard() error // drops what was typed and not yet read
	Width() int     // in columns, 0 = unknown
}

const (
	word    = "yes" // must be typed in full
	maxLine = 256   // bytes of an answer
)

// A terminalAsker is the [consent.Asker] of a person. One question is on the terminal at a time.
type terminalAsker struct {
	open    func() (Terminal, error)
	environ []string
	arming  time.Duration
	turn    chan struct{} // holds a token while a question is asked
}

// Ask shows the request whole and takes the word as a yes; anything else is a no. What is typed before the question has
// been on the screen for the arming time is thrown away (SEC D10). The error is [consent.ErrNobody] without a terminal.
func (a *terminalAsker) Ask(ctx context.Context, r consent.Request) (consent.Answer, error) {
	select {
	case a.turn <- struct{}{}:
		defer func() { <-a.turn }()
	case <-ctx.Done():
		return consent.Answer{}, ctx.Err()
	}
	tty, err := a.open()
	if err != nil {
		return consent.Answer{}, errors.Join(consent.ErrNobody, err)
	}
	defer tty.Close()
	if _, err := tty.Write(question(r, a.environ, tty.Width())); err != nil {
		return consent.Answer{}, err
	}
	switch r.Kind {
	case consent.KindForm:
		return a.fill(ctx, tty, r)
	case consent.KindURL:
		return a.agree(ctx, tty, r)
	case consent.KindSample:
		return a.reply(ctx, tty, r)
	}
	if len(r.Problems) > 0 {
		return consent.Answer{By: consent.ByUser, Reason: "the arguments have problems"}, nil
	}
	line, err := a.answer(ctx, tty, "Type "+word+" and press Enter to allow this. Anything else refuses: ", maxLine)
	if err != nil {
		return consent.Answer{}, err
	}
	if strings.TrimSpace(line) != word {
		_, err := io.WriteString(tty, "Refused.\n\n")
		return consent.Answer{By: consent.ByUser}, err
	}
	_, err = io.WriteString(tty, "Allowed.\n\n")
	return consent.Answer{Allow: true, By: consent.ByUser, Digest: r.Digest()}, err
}

// answer arms, prompts and reads one line of at most so many bytes.
func (a *terminalAsker) answer(ctx context.Context, tty Terminal, prompt string, most int) (string, error) {
	armed := time.NewTimer(a.arming)
	defer armed.Stop()
	select {
	case <-armed.C:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if err := tty.Discard(); err != nil {
		return "", err // what was typed ahead must not answer
	}
	if _, err := io.WriteString(tty, prompt); err != nil {
		return "", err
	}
	type read struct {
		line string
		err  error
	}
	done := make(chan read, 1)
	go func() { // ends when Ask closes the terminal; where that does not help, with the program
		line, err := readLine(tty, most)
		done <- read{line, err}
	}()
	select {
	case r := <-done:
		return r.line, r.err
	case <-ctx.Done():
		_, _ = io.WriteString(tty, "\nWithdrawn.\n\n") // the terminal may be gone, too
		return "", ctx.Err()
	}
}

// readLine reads up to the end of the line or of the input; what is longer than any answer is none.
func readLine(r io.Reader, most int) (string, error) {
	var line []byte
	buf := make([]byte, maxLine)
	for {
		n, err := r.Read(buf)
		line = append(line, buf[:n]...)
		if head, _, ok := bytes.Cut(line, []byte("\n")); ok {
			return string(head), nil
		}
		switch {
		case errors.Is(err, io.EOF):
			return "", nil // Ctrl-D, or the terminal has gone: not a yes
		case err != nil:
			return "", err
		case len(line) > most:
			return "", nil
		}
	}
}
