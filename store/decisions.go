package store

// This file implements consent.Journal.

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"gatehouse/mcphost/consent"
)

// maxWhat bounds what a history line says of a decision, in bytes. The event keeps the whole.
const maxWhat = 400

// RecordDecision implements [consent.Journal]. When it returns nil the decision survives SIGKILL of this process.
func (s *Store) RecordDecision(ctx context.Context, d consent.Decision) error {
	const doing = "record the decision"
	if err := checkDecision(d); err != nil {
		return failure(doing, err)
	}
	body, err := encode(d)
	if err != nil {
		return failure(doing, err)
	}
	l := labelOf(d)
	args := []any{micros(s.or(d.At)), s.run, d.ID, nil, d.Server.ID, d.Digest.String(), d.Profile, body}
	if id, ok := s.labels.Load(l); ok { // labels are never deleted
		args[3] = id
		_, err := s.writer.exec(ctx, insertDecision, args...)
		return failure(doing, err)
	}
	err = s.writer.tx(ctx, func(tx *sql.Tx) error {
		if args[3], err = putLabel(ctx, tx, l); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, insertDecision, args...)
		return err
	})
	if err != nil {
		return failure(doing, err)
	}
	s.labels.Store(l, args[3])
	return nil
}

const insertDecision = `
	INSERT INTO events (at, run, type, subject, label, server_id, digest, profile_id, body)
	VALUES (?, ?, 'decision', ?, ?, ?, ?, nullif(?, ''), ?)`

func checkDecision(d consent.Decision) error {
	switch {
	case d.ID == "" || d.Kind == "" || d.By == "":
		return errors.New("a decision needs an id, a kind and who decided")
	case d.Digest.IsZero():
		return errors.New("a decision needs the digest of what was shown")
	case d.Launch != nil:
		return errors.Join(checkVars(d.Launch.Env), checkVars(d.Launch.Headers))
	}
	return nil
}

// checkVars keeps the value of a reference, which is a secret, out of the file even if a caller resolved it too early.
func checkVars(vars []consent.Var) error {
	for _, v := range vars {
		if v.Ref != "" && v.Value != "" {
			return fmt.Errorf("%s has a reference and a value; a referenced value is not stored", v.Name)
		}
	}
	return nil
}

// A label is what the history list shows of a decision, beside its time. Many decisions share one.
type label struct {
	serverID, alias, kind, what, risk string
	allowed, edited                   bool
	by                                string
}

func labelOf(d consent.Decision) label {
	return label{
		serverID: d.Server.ID, alias: d.Server.Alias, kind: string(d.Kind), what: decisionWhat(d), risk: string(d.Risk.Class),
		allowed: d.Allowed, edited: d.Edited, by: d.By,
	}
}

// putLabel returns the label's id, after making it if it is new.
func putLabel(ctx context.Context, tx *sql.Tx, l label) (id int64, err error) {
	err = tx.QueryRowContext(ctx, `
		INSERT INTO labels (server_id, alias, kind, what, risk, allowed, edited, decided_by, search)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (server_id, alias, kind, what, risk, allowed, edited, decided_by) DO UPDATE SET n = n
		RETURNING id`,
		l.serverID, l.alias, l.kind, l.what, l.risk, l.allowed, l.edited, l.by, fold(l.alias+"\n"+l.what)).Scan(&id)
	return id, err
}

// decisionWhat is the tool's name, the command line, the URL, or what was used, capped.
func decisionWhat(d consent.Decision) string {
	switch {
	case d.ToolCall != nil:
		return head(d.ToolCall.Tool, maxWhat)
	case d.Use != nil:
		return head(d.Use.Target, maxWhat)
	case d.Question != nil:
		return head(cmp.Or(d.Question.About, d.Question.Tool), maxWhat)
	case d.Launch != nil && d.Launch.URL != "":
		return head(d.Launch.URL, maxWhat)
	case d.Launch != nil:
		return head(strings.Join(append([]string{d.Launch.Command}, d.Launch.Args...), " "), maxWhat)
	}
	return ""
}

// LastLaunch implements [consent.Journal].
func (s *Store) LastLaunch(ctx context.Context, serverID string) (d consent.Decision, ok bool, err error) {
	var body []byte
	err = s.reader.row(ctx, `
		SELECT body FROM events WHERE seq = (
			SELECT max((SELECT max(seq) FROM events WHERE label = labels.id)) FROM labels
			WHERE server_id = ? AND kind = ? AND allowed = 1 AND decided_by <> ?)`,
		[]any{serverID, string(consent.KindLaunch), consent.ByStanding}, &body)
	if errors.Is(err, sql.ErrNoRows) {
		return d, false, nil
	}
	if err == nil {
		err = json.Unmarshal(body, &d)
	}
	if err != nil {
		return consent.Decision{}, false, failure("find the last launch consent", err)
	}
	return d, true, nil
}

// encode is json.Marshal without its HTML escapes, which would change the bytes that a digest covers.
func encode(v any) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// or returns t, or now if t is zero.
func (s *Store) or(t time.Time) time.Time {
	if t.IsZero() {
		return s.now()
	}
	return t
}
