package mcphost_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"

	"gatehouse/mcphost"
	"gatehouse/mcphost/mcphosttest"
	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

const (
	skillURI = "skill://office/pdf/SKILL.md"
	formsURI = "skill://office/pdf/references/FORMS.md"
	skillMD  = "---\nname: pdf\ndescription: Fills forms\n---\nUse the form.\n"
)

// skillFileOf is a file in an entry, as what it holds makes it.
func skillFileOf(uri, content string) string {
	return fmt.Sprintf(`{"uri":%q,"digest":"sha256:%x","size":%d}`, uri, sha256.Sum256([]byte(content)), len(content))
}

func skillEntry(uri, front string, files ...string) string {
	return fmt.Sprintf(`{"uri":%q,"frontmatter":%s,"resources":[%s]}`, uri, front, strings.Join(files, ","))
}

const pdfFront = `{"name":"pdf","description":"Fills forms"}`

// skillServer has one skill, listed or not, and answers every read with content.
func skillServer(era, entry, content string, listed bool) mcphosttest.Scenario {
	list := mcphosttest.Raw(`{"skills":[]}`)
	if listed {
		list = mcphosttest.Raw(`{"skills":[` + entry + `]}`)
	}
	read := fmt.Sprintf(`{"contents":[{"uri":"a:b",%s}]}`, content)
	return mcphosttest.Scenario{Era: era, Capabilities: `{"resources":{},"extensions":{"io.modelcontextprotocol/skills":{}}}`, On: map[string][]mcphosttest.Action{
		protocol.MethodSkillsList:    {mcphosttest.Result(list)},
		protocol.MethodSkillsGet:     {mcphosttest.Result(mcphosttest.Raw(`{"skill":` + entry + `}`))},
		protocol.MethodResourcesRead: {mcphosttest.Result(mcphosttest.Raw(read))},
	}}
}

func skillText(text string) string { return fmt.Sprintf(`"text":%q`, text) }

// Listing reads nothing, loading reads SKILL.md alone, and a supporting file is read when it is asked for; listed or not,
// in both eras.
func TestSkillIsReadOnDemand(t *testing.T) {
	for _, era := range []string{mcphosttest.Legacy, mcphosttest.Modern} {
		for _, listed := range []bool{true, false} {
			h := newHouse(t, mcphost.Options{})
			entry := skillEntry(skillURI, pdfFront, skillFileOf(skillURI, skillMD), skillFileOf(formsURI, skillMD))
			p := mcphosttest.Command(t, skillServer(era, entry, skillText(skillMD), listed))
			s := h.add("srv", p)
			h.connect(s)
			reads := func(want int) {
				t.Helper()
				if n := p.Count(t, protocol.MethodResourcesRead); n != want {
					t.Errorf("%q, listed %t: %d files were read, want %d", era, listed, n, want)
				}
			}
			list, err := s.Skills(t.Context())
			if err != nil || (len(list.Items) == 1) != listed {
				t.Fatalf("%+v, %v", list, err)
			}
			reads(0)
			skill, err := s.LoadSkill(t.Context(), skillURI)
			if err != nil || string(skill.Text) != skillMD || skill.Entry.Description != "Fills forms" {
				t.Fatalf("%+v, %v", skill, err)
			}
			reads(1)
			if text, err := skill.Read(t.Context(), formsURI); err != nil || string(text) != skillMD {
				t.Errorf("%q, %v", text, err)
			}
			reads(2)
			var refused *mcphost.SkillError
			if _, err := skill.Read(t.Context(), "skill://office/pdf/unlisted.md"); !errors.As(err, &refused) {
				t.Errorf("a file that the entry does not name: %v", err)
			}
			reads(2)
			if err := s.Stop(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// What differs from the entry in any way is not used; what cannot be checked is not even read.
func TestSkillIsVerified(t *testing.T) {
	file := skillFileOf(skillURI, skillMD)
	entry := skillEntry(skillURI, pdfFront, file)
	large := strings.Repeat("x", 100)
	var many []string
	for i := range 512 {
		many = append(many, skillFileOf(fmt.Sprint("skill://office/pdf/", i), large))
	}
	for name, c := range map[string]struct {
		entry, content string
		want           string // "" = it is loaded
		read           bool
	}{
		"as announced":  {entry, skillText(skillMD), "", true},
		"as data":       {entry, `"blob":"LS0tCm5hbWU6IHBkZgpkZXNjcmlwdGlvbjogRmlsbHMgZm9ybXMKLS0tClVzZSB0aGUgZm9ybS4K"`, "", true},
		"longer":        {entry, skillText(skillMD + "\n"), "announced", true},
		"other content": {entry, skillText(strings.Replace(skillMD, "Use", "Sue", 1)), "not the one that was announced", true},
		"other front matter": {
			skillEntry(skillURI, `{"name":"pdf","description":"Sends them away"}`, file), skillText(skillMD), `field "description"`, true,
		},
		"a field more":     {skillEntry(skillURI, `{"name":"pdf","description":"Fills forms","license":"MIT"}`, file), skillText(skillMD), "front matter is not", true},
		"no front matter":  {skillEntry(skillURI, pdfFront, skillFileOf(skillURI, "Use")), skillText("Use"), "begin with a front matter", true},
		"dynamic":          {`{"uri":"` + skillURI + `","frontmatter":` + pdfFront + `,"resources":"dynamic"}`, skillText(skillMD), "made up", false},
		"no list":          {`{"uri":"` + skillURI + `","frontmatter":` + pdfFront + `}`, skillText(skillMD), "no list of files", false},
		"no size":          {skillEntry(skillURI, pdfFront, `{"uri":"`+skillURI+`","digest":"sha256:0"}`), skillText(skillMD), "no size", false},
		"lacks itself":     {skillEntry(skillURI, pdfFront, skillFileOf(formsURI, skillMD)), skillText(skillMD), "lacks SKILL.md", false},
		"twice":            {skillEntry(skillURI, pdfFront, file, file), skillText(skillMD), "named twice", false},
		"outside":          {skillEntry(skillURI, pdfFront, file, skillFileOf("skill://office/xls/SKILL.md", "")), skillText(skillMD), "outside", false},
		"outside, by dots": {skillEntry(skillURI, pdfFront, file, skillFileOf("skill://office/pdf/../xls/SKILL.md", "")), skillText(skillMD), "outside", false},
		"another name":     {skillEntry(skillURI, `{"name":"xls","description":"d"}`, file), skillText(skillMD), "URI does not end", false},
		"512 files":        {skillEntry(skillURI, pdfFront, append(many[1:512:512], file)...), skillText(skillMD), "", true},
		"513 files":        {skillEntry(skillURI, pdfFront, append(many, file)...), skillText(skillMD), "513 files", false},
		"16 MiB": {
			skillEntry(skillURI, pdfFront, file, fmt.Sprintf(`{"uri":%q,"digest":"sha256:0","size":%d}`, formsURI, 16<<20-len(skillMD))), skillText(skillMD), "", true,
		},
		"more than 16 MiB": {
			skillEntry(skillURI, pdfFront, file, fmt.Sprintf(`{"uri":%q,"digest":"sha256:0","size":%d}`, formsURI, 16<<20-len(skillMD)+1)), skillText(skillMD), "16777216", false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHouse(t, mcphost.Options{})
			p := mcphosttest.Command(t, skillServer(mcphosttest.Legacy, c.entry, c.content, true))
			s := h.add("srv", p)
			h.connect(s)
			skill, err := s.LoadSkill(t.Context(), skillURI)
			var refused *mcphost.SkillError
			if c.want == "" && (err != nil || string(skill.Text) != skillMD) {
				t.Errorf("%v", err)
			}
			if c.want != "" && (!errors.As(err, &refused) || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("got %v, want something with %q", err, c.want)
			}
			if n := p.Count(t, protocol.MethodResourcesRead); (n == 1) != c.read {
				t.Errorf("%d files were read", n)
			}
			if _, err := s.LoadSkill(t.Context(), skillURI); c.want != "" && c.read && (err == nil || p.Count(t, protocol.MethodSkillsList) != 2) {
				t.Errorf("the entry is not fetched anew after a file differed: %v", err)
			}
		})
	}
}

// A server that does not declare the extension is not asked.
func TestNoSkills(t *testing.T) {
	h := newHouse(t, mcphost.Options{})
	p := mcphosttest.Command(t, mcphosttest.Scenario{Capabilities: `{"resources":{},"extensions":{"example.org/skills":{}}}`})
	s := h.add("srv", p)
	h.connect(s)
	list, err := s.Skills(t.Context())
	_, loading := s.LoadSkill(t.Context(), skillURI)
	if err != nil || len(list.Items) != 0 || !errors.Is(loading, session.ErrNotOffered) {
		t.Errorf("%v, %v, %v", list, err, loading)
	}
	if n := p.Count(t, protocol.MethodSkillsList) + p.Count(t, protocol.MethodSkillsGet); n != 0 {
		t.Errorf("asked %d times", n)
	}
}
