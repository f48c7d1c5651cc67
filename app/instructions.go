package app

// This file is the review of what a server wants models to know.

import (
	"gatehouse/mcphost"
	"gatehouse/mcphost/consent"
)

// Instructions are those of a connected server. Text and Previous are the server's words.
type Instructions struct {
	Text       string `json:"text"`
	Digest     string `json:"digest"`
	Review     string `json:"review"` // "" = there are none, "new", "changed", "reviewed", "tooLong"
	Off        bool   `json:"off"`    // models get none of this server, whatever the review
	Previous   string `json:"previous"`
	ReviewedAt string `json:"reviewedAt"`

	Findings []consent.Finding `json:"findings"` // in Text
}

func instructionsDTO(i mcphost.Instructions) Instructions {
	d := Instructions{
		Text: i.Text, Review: string(i.Review), Off: i.Off, Previous: i.Previous, ReviewedAt: stamp(i.At), Findings: list(consent.TextRisk(i.Text).Findings),
	}
	if !i.Digest.IsZero() {
		d.Digest = i.Digest.String()
	}
	return d
}

// ReviewInstructions lets models have the instructions that panel shows, if digest names them. The press is the decision.
func (v *Servers) ReviewInstructions(id, panel, digest string) (err error) {
	defer catch(&err)
	s, ctx, err := v.server(id)
	if err != nil {
		return err
	}
	e, _, err := v.engine()
	if err != nil {
		return err
	}
	d, err := consent.ParseDigest(digest)
	if err != nil {
		return badInput("digest", digest)
	}
	if _, err := e.Queue.Confirm(panel, d); err != nil {
		return err
	}
	return s.ReviewInstructions(ctx, d)
}

// TellInstructions switches the instructions of a server on or off for models.
func (v *Servers) TellInstructions(id string, on bool) (err error) {
	defer catch(&err)
	s, ctx, err := v.server(id)
	if err != nil {
		return err
	}
	return s.TellInstructions(ctx, on)
}
