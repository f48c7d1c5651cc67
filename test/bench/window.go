package main

// This file is G12: from the start of the window to the last change of what it shows, by the pixels of the screen.

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"gatehouse/mcphost"
)

const manyServers = 20

// windowTimes are nanoseconds to the usable window, and bytes.
type windowTimes struct {
	Ours, Empty []float64
	Servers     []float64 // of ours, with many servers
	Memory      float64   // Go's own, with many servers
}

func (b *bench) windows(ctx context.Context) error {
	data := filepath.Join(b.dir, "window")
	if err := b.furnish(ctx, data); err != nil {
		return err
	}
	result := filepath.Join(b.dir, "windows.json")
	cmd := exec.Command(b.desktop, b.self, "windows", b.gatehouse, b.empty, data, result)
	cmd.Env = append(os.Environ(), "DESKTOP_DIR="+b.dir, "LANG=C.UTF-8")
	if log, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, log)
	}
	text, err := os.ReadFile(result)
	if err != nil {
		return err
	}
	var w windowTimes
	if err := json.Unmarshal(text, &w); err != nil {
		return err
	}
	binary, err := os.Stat(b.gatehouse)
	if err != nil {
		return err
	}
	b.table.ratio(goal{"G12", "start to usable window, of an empty Wails app's", 1.3, false}, w.Ours, w.Empty, duration)
	b.table.ratio(goal{"G12", fmt.Sprintf("the same with %d servers", manyServers), 1.3, false}, w.Servers, w.Empty, duration)
	b.table.figure(goal{"G12", fmt.Sprintf("Go's own memory with %d servers", manyServers), 40e6, false}, w.Memory, megabytes)
	b.table.figure(goal{"G12", "binary", 40e6, false}, float64(binary.Size()), megabytes)
	return nil
}

// furnish makes a data directory with many servers that the window may start by itself.
func (b *bench) furnish(ctx context.Context, dir string) (err error) {
	e, err := openEngine(ctx, dir, mcphost.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close(ctx)) }()
	for i := range manyServers {
		if _, err := e.start(ctx, fmt.Sprintf("echo %d", i), []string{b.echo, "20"}); err != nil {
			return err
		}
	}
	return e.store.SetSetting(ctx, "welcomed", "yes")
}

// watchWindows runs on the desktop: it opens the windows in turn, and writes what it has seen to a file: the standard
// output is the desktop's.
func watchWindows(gatehouse, empty, data, result string) error {
	screen, err := openScreen(filepath.Join(os.Getenv("DESKTOP_DIR"), "Xvfb_screen0"))
	if err != nil {
		return err
	}
	var w windowTimes
	for i := range 4 {
		fresh, err := os.MkdirTemp("", "gatehouse-bench")
		if err != nil {
			return err
		}
		e, err := screen.watch(exec.Command(empty), nil)
		if err != nil {
			return fmt.Errorf("empty app: %w", err)
		}
		o, err := screen.watch(exec.Command(gatehouse, "--data-dir", fresh), nil)
		if err = errors.Join(err, os.RemoveAll(fresh)); err != nil {
			return fmt.Errorf("gatehouse: %w", err)
		}
		s, err := screen.watch(exec.Command(gatehouse, "--data-dir", data), func(pid int) { w.Memory = float64(goMemory(pid)) })
		if err != nil {
			return fmt.Errorf("gatehouse with servers: %w", err)
		}
		if i > 0 { // the first time everything is read from the disk
			w.Empty, w.Ours, w.Servers = append(w.Empty, float64(e)), append(w.Ours, float64(o)), append(w.Servers, float64(s))
		}
	}
	text, err := json.Marshal(w)
	if err != nil {
		return err
	}
	return os.WriteFile(result, text, 0o600)
}

// goMemory is the private memory of a process once it has started its servers: what is shared belongs to GTK and WebKit.
func goMemory(pid int) int64 {
	return memory(strconv.Itoa(pid), "RssAnon")
}

const (
	glance   = 5 * time.Millisecond
	settled  = 1500 * time.Millisecond // without a change the window is complete
	patience = 60 * time.Second
)

// watch starts a window and returns when it last changed by more than a caret does, before it came to rest. While it is
// at rest, use is called with its process.
func (s *screen) watch(cmd *exec.Cmd, use func(pid int)) (last time.Duration, err error) {
	before := s.glance()
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // it may have ended by itself
		_ = cmd.Wait()
		for time.Since(began) < patience && s.differs(before) {
			time.Sleep(glance)
		}
	}()
	seen := before
	for now := time.Duration(0); last == 0 || now-last < settled; now = time.Since(began) {
		if now > patience {
			return 0, errors.New("nothing is painted, or painting does not end")
		}
		if s.differs(seen) {
			seen, last = s.glance(), time.Since(began)
		}
		time.Sleep(glance)
	}
	if use != nil {
		use(cmd.Process.Pid)
	}
	return last, nil
}

// A screen is the memory of Xvfb's screen, in XWD format.
type screen struct {
	pixels []byte
	stride int
}

func openScreen(path string) (*screen, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	b, err := syscall.Mmap(int(f.Fd()), 0, int(info.Size()), syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	field := func(i int) int { return int(binary.BigEndian.Uint32(b[4*i:])) }
	const headerSize, lineBytes, colours, colourSize = 0, 12, 19, 12
	return &screen{pixels: b[field(headerSize)+field(colours)*colourSize:], stride: field(lineBytes)}, nil
}

// glance is every eighth line of the screen.
func (s *screen) glance() []byte {
	var lines []byte
	for at := 0; at+s.stride <= len(s.pixels); at += 8 * s.stride {
		lines = append(lines, s.pixels[at:at+s.stride]...)
	}
	return lines
}

// differs reports whether the screen shows something else: more than the blinking of a caret.
func (s *screen) differs(from []byte) bool {
	const most = 400 // bytes
	n := 0
	for at, now := 0, s.glance(); at < len(now); at += s.stride {
		if a, b := now[at:at+s.stride], from[at:at+s.stride]; !bytes.Equal(a, b) {
			for i := range a {
				if a[i] != b[i] {
					n++
				}
			}
		}
	}
	return n > most
}
