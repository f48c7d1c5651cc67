package session

// This file lists skills (the extension of SEP-2640). Their files are resources like any other.

import (
	"context"
	"fmt"

	"gatehouse/mcphost/protocol"
)

// ListSkills returns the server's skills, all pages, and reads none of their files. A server that does not declare the
// extension has none.
func (s *Session) ListSkills(ctx context.Context) (List[protocol.Skill], error) {
	if !s.Info().Capabilities.Extends(protocol.ExtensionSkills) {
		return List[protocol.Skill]{}, nil
	}
	return cached(ctx, s, protocol.MethodSkillsList, (&lister[protocol.Skill]{
		s: s, method: protocol.MethodSkillsList, key: "skills",
		decode: protocol.DecodePage[protocol.Skill],
	}).fetch)
}

// GetSkill returns the present entry of one skill, listed or not.
func (s *Session) GetSkill(ctx context.Context, uri string) (protocol.Skill, error) {
	if !s.Info().Capabilities.Extends(protocol.ExtensionSkills) {
		return protocol.Skill{}, fmt.Errorf("%s: %w", protocol.MethodSkillsGet, ErrNotOffered)
	}
	var result protocol.GetSkillResult
	err := s.ask(ctx, protocol.MethodSkillsGet, &result, text("uri", uri))
	return result.Skill, err
}
