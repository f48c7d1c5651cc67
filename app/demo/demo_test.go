package demo_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"image/png"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.uber.org/goleak"

	"gatehouse/app/demo"
	"gatehouse/mcphost/jsonrpc"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// connect opens a session of the engine with the demo server; whatever is no exact protocol fails the test.
func connect(t *testing.T, o *demo.Options) *session.Session { return connectWith(t, o, nil) }

// connectWith lets the server ask for everything if there is somebody who answers.
func connectWith(t *testing.T, o *demo.Options, asker session.Asker) *session.Session {
	t.Helper()
	requests, toServer := io.Pipe()
	fromServer, replies := io.Pipe()
	served := make(chan error, 1)
	go func() {
		served <- demo.Serve(t.Context(), requests, replies, o)
		replies.Close()
	}()
	stream := jsonrpc.LineStream(fromServer, toServer, toServer.Close, nil)
	s, err := session.Open(t.Context(), stream, &session.Options{
		Client: protocol.Implementation{Name: "test", Version: "1"},
		Offer:  session.Offer{Roots: asker != nil, Sampling: asker != nil, Form: asker != nil, URL: asker != nil, Tasks: asker != nil},
		Asker:  asker,
		Noise:  func(kind string, raw []byte) { t.Errorf("the server writes %s: %q", kind, raw) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), <-served); err != nil {
			t.Error(err)
		}
	})
	return s
}

// call calls a tool that must answer.
func call(t *testing.T, s *session.Session, tool, arguments string) *protocol.CallToolResult {
	t.Helper()
	r, err := s.CallTool(t.Context(), tool, json.RawMessage(arguments), session.CallOptions{})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	for _, c := range r.Content {
		if c.Err != "" {
			t.Errorf("%s: %s in %s", tool, c.Err, c.Raw)
		}
	}
	return r
}

func compile(t *testing.T, raw json.RawMessage) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("demo.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("demo.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asking are the tools that ask back.
var asking = []string{"ask_details", "open_page", "ask_model", "list_folders"}

// Each tool can be called with the defaults of its form, and says enough about itself.
func TestTools(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := connect(t, &demo.Options{Version: "1.2.3"})
		if i := s.Info(); i.Revision != protocol.Latest || i.Server.Name != "gatehouse-demo" || i.Server.Version != "1.2.3" || i.Server.Title == "" {
			t.Errorf("info = %+v", i)
		}
		list, err := s.ListTools(t.Context())
		if err != nil || list.Warning != "" {
			t.Fatal(err, list.Warning)
		}
		var names []string
		for _, tool := range list.Items {
			names = append(names, tool.Name)
			if tool.Title == "" || tool.Description == "" || tool.Err != "" || tool.Annotations.ReadOnlyHint == nil {
				t.Errorf("%s says too little: %s", tool.Name, tool.Raw)
			}
			var schema struct {
				Properties map[string]struct{ Default any }
			}
			if err := json.Unmarshal(tool.InputSchema, &schema); err != nil {
				t.Fatal(err)
			}
			defaults := map[string]any{}
			for name, p := range schema.Properties {
				defaults[name] = p.Default
			}
			if err := compile(t, tool.InputSchema).Validate(defaults); err != nil {
				t.Errorf("%s: the defaults do not fit: %v", tool.Name, err)
			}
			if tool.Name == "break" {
				continue
			}
			arguments, _ := json.Marshal(defaults)
			fails := tool.Name == "fail" || slices.Contains(asking, tool.Name) // nobody can be asked here
			if r := call(t, s, tool.Name, string(arguments)); r.IsError != fails || len(r.Content) == 0 {
				t.Errorf("%s: %s", tool.Name, r.Raw)
			}
			if r := call(t, s, tool.Name, `{"surprise":1}`); !r.IsError || !strings.Contains(r.Content[0].Text, "surprise") {
				t.Errorf("%s takes a wrong argument: %s", tool.Name, r.Raw)
			}
		}
		want := []string{"say_hello", "draw_picture", "play_tone", "weather_table", "count_slowly", "link_to_note", "delete_note", "fail", "break"}
		if !slices.Equal(names, append(want, asking...)) {
			t.Errorf("tools = %q", names)
		}
	})
}

func TestTextAndErrors(t *testing.T) {
	s := connect(t, nil)
	if got := call(t, s, "say_hello", `{"name":"Ada <&>","language":"Chinese"}`).Content[0].Text; got != "你好，Ada <&>！" {
		t.Errorf("greeting = %q", got)
	}
	if r := call(t, s, "fail", `{"reason":"no tea"}`); !r.IsError || r.Content[0].Text != "no tea" {
		t.Errorf("%s", r.Raw)
	}
	for _, name := range []string{"break", "no_such_tool"} {
		_, err := s.CallTool(t.Context(), name, json.RawMessage(`{}`), session.CallOptions{})
		var failure *jsonrpc.Error
		if !errors.As(err, &failure) || failure.Message == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	for arguments, want := range map[string]string{
		`{"name":1}`:              "name is a text",
		`{"name":null}`:           "name is a text",
		`{"name":""}`:             "name has 1 to 100 characters",
		`{"language":"Klingon"}`:  "language is one of",
		`[]`:                      "the arguments are an object",
		`{"name":"a","Name":"b"}`: `there is no argument "Name"`,
	} {
		if r := call(t, s, "say_hello", arguments); !r.IsError || !strings.Contains(r.Content[0].Text, want) {
			t.Errorf("%s: %s", arguments, r.Raw)
		}
	}
	for arguments, want := range map[string]string{
		`{"size":15}`:    "size is between 16 and 1024",
		`{"size":1025}`:  "size is between 16 and 1024",
		`{"size":16.5}`:  "size is a whole number",
		`{"size":"big"}`: "size is a number",
		`{"size":[16]}`:  "size is a number",
		`{"size":1e400}`: "the arguments are an object",
	} {
		if r := call(t, s, "draw_picture", arguments); !r.IsError || !strings.Contains(r.Content[0].Text, want) {
			t.Errorf("%s: %s", arguments, r.Raw)
		}
	}
}

func TestPicturesDiffer(t *testing.T) {
	s := connect(t, nil)
	seen := map[string]bool{}
	for _, motif := range []string{"gate", "sunrise", "waves", "mosaic"} {
		c := call(t, s, "draw_picture", `{"motif":"`+motif+`","size":64}`).Content[1]
		data, err := base64.StdEncoding.DecodeString(c.Data)
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(data))
		if err != nil || picture.Bounds().Dx() != 64 || picture.Bounds().Dy() != 64 || c.MimeType != "image/png" || seen[c.Data] {
			t.Errorf("%s: %v, %v", motif, err, c.MimeType)
		}
		seen[c.Data] = true
	}
}

func TestTone(t *testing.T) {
	s := connect(t, nil)
	for _, wave := range []string{"sine", "triangle", "square"} {
		c := call(t, s, "play_tone", `{"seconds":0.1,"wave":"`+wave+`"}`).Content[1]
		data, err := base64.StdEncoding.DecodeString(c.Data)
		const samples = 2205 // of 2 bytes behind a header of 44
		if err != nil || c.Type != protocol.ContentAudio || c.MimeType != "audio/wav" || len(data) != 44+2*samples {
			t.Fatalf("%s: %d bytes of %s, %v", wave, len(data), c.MimeType, err)
		}
		if string(data[:4]) != "RIFF" || string(data[8:16]) != "WAVEfmt " || string(data[36:40]) != "data" || !slices.ContainsFunc(data[44:], func(b byte) bool { return b != 0 }) {
			t.Errorf("%s: this is no tone: %x", wave, data[:64])
		}
	}
}

func TestWeatherFitsItsSchema(t *testing.T) {
	s := connect(t, nil)
	list, err := s.ListTools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(list.Items, func(tool protocol.Tool) bool { return tool.OutputSchema != nil })
	r := call(t, s, list.Items[at].Name, `{"city":"Nowhere","days":14,"unit":"fahrenheit"}`)
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(r.StructuredContent))
	if err != nil {
		t.Fatal(err)
	}
	if err := compile(t, list.Items[at].OutputSchema).Validate(doc); err != nil {
		t.Error(err)
	}
	var same bytes.Buffer
	if err := json.Compact(&same, []byte(r.Content[0].Text)); err != nil || same.String() != string(r.StructuredContent) {
		t.Errorf("the text says something else: %s", r.Raw)
	}
	if again := call(t, s, "weather_table", `{"city":"Nowhere","days":14,"unit":"fahrenheit"}`); string(again.Raw) != string(r.Raw) {
		t.Error("the weather has changed")
	}
	if !strings.Contains(string(r.StructuredContent), "Invented") {
		t.Error("nothing says that the data is invented")
	}
}

func TestCountReportsProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := connect(t, nil)
		var got []string
		began := time.Now()
		r, err := s.CallTool(t.Context(), "count_slowly", json.RawMessage(`{"to":3,"pause":2}`), session.CallOptions{
			Progress: func(p protocol.ProgressParams) {
				if p.Total == nil || *p.Total != 3 {
					t.Errorf("total = %v", p.Total)
				}
				got = append(got, p.Message)
			},
		})
		if err != nil || r.Content[0].Text != "Counted to 3." || !slices.Equal(got, []string{"1 of 3", "2 of 3", "3 of 3"}) {
			t.Errorf("%v, %v, %q", r, err, got)
		}
		if took := time.Since(began); took != 6*time.Second {
			t.Errorf("counting took %v", took)
		}
	})
}

// A cancelled request ends at once and is never answered: an answer would be noise and fail the test.
func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := connect(t, nil)
		ctx, cancel := context.WithCancel(t.Context())
		_, err := s.CallTool(ctx, "count_slowly", json.RawMessage(`{"to":1000,"pause":10}`), session.CallOptions{
			Progress: func(p protocol.ProgressParams) {
				if p.Progress == 2 {
					cancel()
				}
			},
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled call: %v", err)
		}
		time.Sleep(time.Hour) // of the bubble
		if got := call(t, s, "say_hello", `{}`).Content[0].Text; got != "Hello, world!" {
			t.Errorf("after it: %q", got)
		}
	})
}

func TestNotes(t *testing.T) {
	s := connect(t, nil)
	r := call(t, s, "link_to_note", `{"name":"ideas"}`)
	if len(r.Content) != 3 || r.Content[1].Resource == nil || r.Content[1].Resource.URI != r.Content[2].URI || *r.Content[2].Size != int64(len(r.Content[1].Resource.Text)) {
		t.Errorf("%s", r.Raw)
	}
	if r := call(t, s, "delete_note", `{"name":"ideas"}`); r.IsError {
		t.Errorf("%s", r.Raw)
	}
	for _, tool := range []string{"delete_note", "link_to_note"} {
		if r := call(t, s, tool, `{"name":"ideas"}`); !r.IsError {
			t.Errorf("%s of a deleted note: %s", tool, r.Raw)
		}
	}
	list, err := s.ListTools(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Items {
		destroys := tool.Annotations.DestructiveHint != nil && *tool.Annotations.DestructiveHint
		if destroys != (tool.Name == "delete_note") {
			t.Errorf("%s: destructive %v", tool.Name, destroys)
		}
	}
}

func TestPages(t *testing.T) {
	for _, size := range []int{1, 2, 13, 14} {
		list, err := connect(t, &demo.Options{PageSize: size}).ListTools(t.Context())
		if err != nil || list.Warning != "" || len(list.Items) != 13 {
			t.Errorf("pages of %d: %d tools, %q, %v", size, len(list.Items), list.Warning, err)
		}
	}
}
