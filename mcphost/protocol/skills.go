package protocol

// This file defines skills (the extension of SEP-2640): entries that say what a skill is and what its files must be.

import (
	"bytes"
	"encoding/json"
	"errors"
)

// ExtensionSkills names the skills extension. Only a server that declares it is asked; both eras know it.
const ExtensionSkills = "io.modelcontextprotocol/skills"

// A Skill is the entry of one as a server lists it. Every text in it is the server's.
type Skill struct {
	URI         string // of its SKILL.md
	Name        string // in FrontMatter; not unique
	Description string // in FrontMatter
	FrontMatter json.RawMessage
	Files       []SkillFile // all of them, SKILL.md among them
	Dynamic     bool        // Files are not known beforehand
	Raw         json.RawMessage
	Err         string // why it cannot be used, "" if it can
}

// A SkillFile is one file of a skill, and what reading it must give.
type SkillFile struct {
	URI    string
	Digest string // "sha256:" and 64 hexadecimal digits
	Size   int64  // bytes
}

// GetSkillResult is the entry of one skill.
type GetSkillResult struct {
	Skill Skill
}

// UnmarshalJSON implements [json.Unmarshaler]; see [Decode].
func (v *Skill) UnmarshalJSON(raw []byte) error { return Decode(bytes.Clone(raw), v) }

func (v *GetSkillResult) decode(r *reader) error {
	if !r.object(func(key []byte) {
		if string(key) == "skill" {
			_ = v.Skill.decode(r)
		} else {
			r.value()
		}
	}) {
		return errNoObject
	}
	if v.Skill.Raw == nil {
		return errors.New("no skill")
	}
	return nil
}

func (v *Skill) decode(r *reader) error {
	start := r.pos
	var isList, badFile bool
	isObject := r.object(func(key []byte) {
		switch string(key) {
		case "uri":
			v.URI, _ = r.text()
		case "frontmatter":
			v.FrontMatter = r.objectText()
		case "resources":
			if r.peek() == '"' {
				how, _ := r.text()
				v.Dynamic = how == "dynamic"
				return
			}
			isList = r.array(func() {
				file, ok := r.skillFile()
				v.Files = append(v.Files, file)
				badFile = badFile || !ok
			})
		default:
			r.value()
		}
	})
	v.Raw = r.since(start)
	front := &reader{data: v.FrontMatter}
	front.object(func(key []byte) {
		switch string(key) {
		case "name":
			v.Name, _ = front.text()
		case "description":
			v.Description, _ = front.text()
		default:
			front.value()
		}
	})
	switch {
	case !isObject:
		v.Err = "the skill is no object"
	case v.URI == "":
		v.Err = "the skill has no URI"
	case v.Name == "" || v.Description == "":
		v.Err = "the skill has no name or no description"
	case !isList && !v.Dynamic:
		v.Err = "the skill has no list of files"
	case badFile:
		v.Err = "a file of the skill has no URI, no digest or no size"
	}
	return nil
}

func (r *reader) skillFile() (v SkillFile, ok bool) {
	var size *int64
	r.object(func(key []byte) {
		switch string(key) {
		case "uri":
			v.URI, _ = r.text()
		case "digest":
			v.Digest, _ = r.text()
		case "size":
			size = r.size()
		default:
			r.value()
		}
	})
	if size != nil {
		v.Size = *size
	}
	return v, size != nil && v.URI != "" && v.Digest != ""
}

// Extends reports whether the server declares an extension.
func (v ServerCapabilities) Extends(extension string) bool {
	found := false
	r := &reader{data: v.Extensions}
	r.object(func(key []byte) {
		isObject := r.peek() == '{'
		r.value()
		found = found || isObject && string(key) == extension
	})
	return found
}
