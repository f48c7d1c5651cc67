package protocol

import (
	"errors"
	"net/url"
	"reflect"
	"strings"
	"testing"
)

// The examples of RFC 6570, section 1.2 and 3.2, for texts.
func TestExpandTemplate(t *testing.T) {
	values := map[string]string{
		"var": "value", "hello": "Hello World!", "path": "/foo/bar", "empty": "", "x": "1024", "y": "768", "half": "50%", "who": "fred",
		"base": "http://example.com/home/", "dub": "me/too", "v": "6", "han": "中文",
	}
	for template, want := range map[string]string{
		"{var}": "value", "{hello}": "Hello%20World%21", "{half}": "50%25", "O{empty}X": "OX", "O{undef}X": "OX", "{x,y}": "1024,768",
		"{x,hello,y}": "1024,Hello%20World%21,768", "{var:3}": "val", "{var:30}": "value", "{+var}": "value",
		"{+hello}": "Hello%20World!", "{+half}": "50%25", "{base}index": "http%3A%2F%2Fexample.com%2Fhome%2Findex",
		"{+base}index": "http://example.com/home/index", "{+path}/here": "/foo/bar/here", "here?ref={+path}": "here?ref=/foo/bar",
		"X{#var}": "X#value", "X{#hello}": "X#Hello%20World!", "{#x,hello,y}": "#1024,Hello%20World!,768",
		"{.who,who}": ".fred.fred", "X{.empty}": "X.", "{/var,x}/here": "/value/1024/here", "{/who,dub}": "/fred/me%2Ftoo",
		"{;x,y,empty}": ";x=1024;y=768;empty", "{;v,undef,who}": ";v=6;who=fred", "{?x,y}": "?x=1024&y=768", "{?x,y,empty}": "?x=1024&y=768&empty=",
		"{?x,y,undef}": "?x=1024&y=768", "{?undef}": "", "?fixed=yes{&x}": "?fixed=yes&x=1024", "{var*}": "value", "{han}": "%E4%B8%AD%E6%96%87",
		"{han:1}": "%E4%B8%AD", "a b{var}": "a%20bvalue", "no%20variable": "no%20variable", "": "",
	} {
		if got, err := ExpandTemplate(template, values); got != want || err != nil {
			t.Errorf("%s: %q, %v, want %q", template, got, err, want)
		}
	}
}

func TestTemplateVariables(t *testing.T) {
	got, err := TemplateVariables("notes://{date}/{+date,watch}{?page,date}{#part}")
	want := []TemplateVariable{{"date", false}, {"watch", false}, {"page", true}, {"part", true}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v", got, err)
	}
	for _, none := range []string{"{", "}", "a{b", "a}b{c}", "{}", "{a b}", "{!a}", "{a:0}", "{a:x}", "{a,}", "{{a}}"} {
		if _, err := TemplateVariables(none); !errors.Is(err, ErrTemplate) {
			t.Errorf("%s: %v", none, err)
		}
		if _, err := ExpandTemplate(none, nil); !errors.Is(err, ErrTemplate) {
			t.Errorf("%s: %v", none, err)
		}
	}
}

func FuzzTemplate(f *testing.F) {
	f.Add("a{b}{?c*,d:3}", "x")
	f.Fuzz(func(t *testing.T, template, value string) {
		variables, err := TemplateVariables(template)
		values := map[string]string{}
		for _, v := range variables {
			values[v.Name] = value
		}
		uri, failed := ExpandTemplate(template, values)
		if (failed == nil) != (err == nil) {
			t.Errorf("%q: %v, %v", template, err, failed)
		}
		if strings.ContainsFunc(uri, func(r rune) bool { return r <= ' ' || r > '~' }) {
			t.Errorf("%q with %q: %q", template, value, uri)
		}
		// What a value says stays in its place, and says the same.
		one, err := ExpandTemplate("{v}", map[string]string{"v": value})
		if back, undone := url.PathUnescape(one); err != nil || undone != nil || back != value || strings.ContainsAny(one, ":/?#[]@!$&'()*+,;=") {
			t.Errorf("%q became %q, %v, %v", value, one, err, undone)
		}
	})
}
