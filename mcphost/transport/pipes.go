package transport

// This file holds the three pipes of a child process. All ends are close-on-exec: no server inherits another's, nor
// the guardian's, whose input must close with the app.

import (
	"errors"
	"os"
)

type pipes struct {
	in, out, err                *os.File // ours
	childIn, childOut, childErr *os.File
}

func (p *pipes) open() error {
	var errs [3]error
	p.childIn, p.in, errs[0] = os.Pipe()
	p.out, p.childOut, errs[1] = os.Pipe()
	p.err, p.childErr, errs[2] = os.Pipe()
	if err := errors.Join(errs[:]...); err != nil {
		p.closeChild()
		p.closeOurs()
		return err
	}
	return nil
}

func (p *pipes) closeChild() { closeFiles(p.childIn, p.childOut, p.childErr) }

func (p *pipes) closeOurs() { closeFiles(p.in, p.out, p.err) }

func closeFiles(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close() // nothing was written that could be lost
		}
	}
}
