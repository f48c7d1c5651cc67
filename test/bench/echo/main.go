// Echo is the server of the benchmarks: as lean as one can be, the same for every client, and made of neither the
// engine nor an SDK. The tool "reply" answers with about as many bytes as its argument "size" says.
//
//	echo [TOOLS]
//	echo http
//	echo stubborn
//
// TOOLS is how many tools of about 1 kB it lists, 1 unless given. With "http" it answers POST requests at the address that
// it prints, until its input ends; a "stubborn" one ends for SIGKILL only. It trusts its clients and reads their requests by
// looking for what stands in them.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	tools, how := 1, ""
	if len(os.Args) > 1 {
		var err error
		if how = os.Args[1]; how != "http" && how != "stubborn" {
			if tools, err = strconv.Atoi(how); err != nil {
				log.Fatal(err)
			}
		}
	}
	s := server{out: bufio.NewWriterSize(os.Stdout, 64<<10), results: map[string][]byte{}, tools: tools}
	if how == "stubborn" {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP)
	}
	do := s.serve
	if how == "http" {
		do = s.serveHTTP
	}
	if err := do(os.Stdin); err != nil {
		log.Fatal(err)
	}
	for how == "stubborn" {
		time.Sleep(time.Hour)
	}
}

// serveHTTP answers until its input ends. It has no session and no stream of its own.
func (s *server) serveHTTP(end io.Reader) error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s/mcp\n", l.Addr())
	go func() {
		_, _ = io.Copy(io.Discard, end)
		os.Exit(0)
	}()
	return http.Serve(l, s)
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	var answer bytes.Buffer
	s.mu.Lock()
	s.out.Reset(&answer)
	s.answer(append(body, '\n'))
	err = s.out.Flush()
	s.mu.Unlock()
	if err != nil || answer.Len() == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(answer.Len()))
	_, _ = w.Write(answer.Bytes())
}

type server struct {
	mu      sync.Mutex // of serveHTTP
	out     *bufio.Writer
	results map[string][]byte // by size
	tools   int
}

// serve answers line by line. What waits to be read is answered before anything is written out.
func (s *server) serve(r io.Reader) error {
	in := bufio.NewReaderSize(r, 64<<10)
	for {
		line, err := in.ReadSlice('\n')
		if err == io.EOF {
			return s.out.Flush()
		}
		if err != nil {
			return err
		}
		s.answer(line)
		if in.Buffered() == 0 {
			if err := s.out.Flush(); err != nil {
				return err
			}
		}
	}
}

func (s *server) answer(line []byte) {
	id := after(line, `"id":`)
	if id == nil {
		return // a notification
	}
	s.out.WriteString(`{"jsonrpc":"2.0","id":`)
	s.out.Write(id)
	switch method := string(after(line, `"method":`)); method {
	case `"initialize"`:
		s.out.WriteString(`,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"echo","version":"1"}}}`)
	case `"tools/list"`:
		s.out.WriteString(`,"result":`)
		s.out.Write(list(s.tools))
		s.out.WriteByte('}')
	case `"tools/call"`:
		s.out.WriteString(`,"result":`)
		s.out.Write(s.result(string(after(line, `"size":`))))
		s.out.WriteByte('}')
	case `"ping"`:
		s.out.WriteString(`,"result":{}}`)
	default:
		fmt.Fprintf(s.out, `,"error":{"code":-32601,"message":"Method not found"}}`)
	}
	s.out.WriteByte('\n')
}

// after returns the string or number that stands behind the first key, nil if there is none.
func after(line []byte, key string) []byte {
	_, rest, found := bytes.Cut(line, []byte(key))
	if !found {
		return nil
	}
	rest = bytes.TrimLeft(rest, " ")
	if len(rest) > 0 && rest[0] == '"' {
		return rest[:bytes.IndexByte(rest[1:], '"')+2]
	}
	return rest[:bytes.IndexAny(rest, ",} \n")]
}

// result is a tool result of about size bytes, with the escapes and members of real ones.
func (s *server) result(size string) []byte {
	if r, ok := s.results[size]; ok {
		return r
	}
	n, err := strconv.Atoi(size)
	if err != nil {
		log.Fatal(err)
	}
	const record = `{\"id\": 12, \"name\": \"Ada Lovelace\", \"note\": \"first programmer of the analytical engine\"},\n  `
	var b bytes.Buffer
	b.WriteString(`{"content":[`)
	for more := true; more; more = b.Len() < n-100 {
		if b.Len() > len(`{"content":[`) {
			b.WriteByte(',')
		}
		text := strings.Repeat(record, min(20, max(0, n-b.Len())/len(record)))
		if text == "" {
			text = strings.Repeat("x", max(0, n-82))
		}
		fmt.Fprintf(&b, `{"type":"text","text":"%s","annotations":{"priority":0.5}}`, text)
	}
	b.WriteString(`]}`)
	s.results[size] = b.Bytes()
	return b.Bytes()
}

// list is a list of n tools of about 1 kB each.
func list(n int) []byte {
	const tool = `{"name":"%s","title":"Reply","description":"%s","inputSchema":{"type":"object","properties":{` +
		`"size":{"type":"integer","minimum":0,"description":"how many bytes the answer has, more or less"}%s},"required":["size"]},` +
		`"annotations":{"readOnlyHint":true,"openWorldHint":false}}`
	var more strings.Builder
	for i := range 7 {
		fmt.Fprintf(&more, `,"option_%d":{"type":"string","description":"%s"}`, i, strings.Repeat("what it is for ", 2))
	}
	var b bytes.Buffer
	b.WriteString(`{"tools":[`)
	for i := range n {
		name := "reply"
		if i > 0 {
			name = fmt.Sprintf("reply_%d", i)
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, tool, name, strings.Repeat("Answers with text. ", 12), more.String())
	}
	b.WriteString(`]}`)
	return b.Bytes()
}
