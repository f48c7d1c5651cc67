package mcphost

// This file loads skills (the extension of SEP-2640). The entry says what every file must be; what differs is not used.
// That proves no more than that a server agrees with itself: what a skill says stays the server's words.

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"gatehouse/mcphost/protocol"
	"gatehouse/mcphost/session"
)

// Bounds of one skill: those that every host must accept ("Limits").
const (
	maxSkillFiles = 512
	maxSkillBytes = 16 << 20
)

// skillFile is the name of a skill's main file.
const skillFile = "SKILL.md"

// A SkillError says why a skill, or a file of one, is not used.
type SkillError struct {
	URI    string
	Reason string
}

func (e *SkillError) Error() string { return e.URI + ": " + e.Reason }

// A Skill is one that was loaded. It holds the entry that it was loaded from, and only files that the entry names are
// read from then on.
type Skill struct {
	Entry  protocol.Skill
	Text   []byte // of SKILL.md, as it was digested
	server *Server
}

// Skills returns the server's skills. No file of theirs is read.
func (s *Server) Skills(ctx context.Context) (session.List[protocol.Skill], error) {
	conn, err := s.connection()
	if err != nil {
		return session.List[protocol.Skill]{}, err
	}
	return conn.session.ListSkills(ctx)
}

// LoadSkill reads the SKILL.md of a skill, listed or not, and checks it against its entry. The error is a *SkillError if
// something differs; the entry is then fetched anew next time.
func (s *Server) LoadSkill(ctx context.Context, uri string) (*Skill, error) {
	list, err := s.Skills(ctx)
	if err != nil {
		return nil, err
	}
	k := &Skill{server: s}
	if i := slices.IndexFunc(list.Items, func(e protocol.Skill) bool { return e.URI == uri }); i >= 0 {
		k.Entry = list.Items[i]
	} else {
		conn, err := s.connection()
		if err != nil {
			return nil, err
		}
		if k.Entry, err = conn.session.GetSkill(ctx, uri); err != nil {
			return nil, err
		}
	}
	if reason := unfit(&k.Entry, uri); reason != "" {
		return nil, &SkillError{uri, reason}
	}
	if k.Text, err = k.Read(ctx, uri); err != nil {
		return nil, err
	}
	if reason := compareFrontMatter(k.Text, k.Entry.FrontMatter); reason != "" {
		return nil, k.differs(uri, reason)
	}
	return k, nil
}

// unfit returns why a skill cannot be loaded from its entry, "" if it can.
func unfit(e *protocol.Skill, uri string) string {
	folder, isSkill := strings.CutSuffix(e.URI, "/"+skillFile)
	switch {
	case e.Err != "":
		return e.Err
	case e.URI != uri:
		return "the server answered with the entry of another skill"
	case !isSkill || folder[strings.LastIndexByte(folder, '/')+1:] != e.Name:
		return "the URI does not end with the skill's name and " + skillFile
	case e.Dynamic:
		return "its files are made up when they are read, so they cannot be checked"
	case len(e.Files) > maxSkillFiles:
		return fmt.Sprintf("it has %d files, more than %d", len(e.Files), maxSkillFiles)
	}
	seen := map[string]bool{}
	var total int64
	for _, f := range e.Files {
		path, inside := strings.CutPrefix(f.URI, folder+"/")
		if !inside || slices.Contains(strings.Split(path, "/"), "..") || seen[f.URI] {
			return fmt.Sprintf("the file %s is named twice or lies outside of it", f.URI)
		}
		seen[f.URI] = true
		if total += min(f.Size, maxSkillBytes+1); total > maxSkillBytes {
			return fmt.Sprintf("its files have more than %d bytes", maxSkillBytes)
		}
	}
	if !seen[uri] {
		return "its list of files lacks " + skillFile
	}
	return ""
}

// Read reads one file of the skill and checks it. A file that the entry does not name is a *SkillError, like one that
// differs.
func (k *Skill) Read(ctx context.Context, uri string) ([]byte, error) {
	i := slices.IndexFunc(k.Entry.Files, func(f protocol.SkillFile) bool { return f.URI == uri })
	if i < 0 {
		return nil, k.differs(uri, "the skill names no such file")
	}
	file := k.Entry.Files[i]
	result, err := k.server.ReadResource(ctx, uri, false)
	if err != nil {
		return nil, err
	}
	if len(result.Contents) != 1 || result.Contents[0].Err != "" {
		return nil, k.differs(uri, "the answer is not one file")
	}
	content := []byte(result.Contents[0].Text)
	if result.Contents[0].IsBlob {
		if content, err = base64.StdEncoding.DecodeString(result.Contents[0].Blob); err != nil {
			return nil, k.differs(uri, "the data is no base64")
		}
	}
	if int64(len(content)) != file.Size {
		return nil, k.differs(uri, fmt.Sprintf("it has %d bytes, and %d were announced", len(content), file.Size))
	}
	if sum := sha256.Sum256(content); file.Digest != "sha256:"+hex.EncodeToString(sum[:]) {
		return nil, k.differs(uri, "its content is not the one that was announced")
	}
	return content, nil
}

// differs lets the entry and the file be fetched anew: the server may have changed the skill since.
func (k *Skill) differs(uri, reason string) error {
	if conn, err := k.server.connection(); err == nil {
		conn.session.Invalidate(protocol.MethodSkillsList)
		conn.session.Forget(uri)
	}
	return &SkillError{uri, reason}
}
