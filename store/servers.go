package store

// This file implements mcphost.Servers.

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	sqlite3 "modernc.org/sqlite/lib"

	"gatehouse/mcphost"
)

// Servers implements [mcphost.Servers]: all configured servers, oldest first.
func (s *Store) Servers(ctx context.Context) ([]mcphost.Config, error) {
	rows, err := s.reader.query(ctx, `
		SELECT id, name, transport, command, args, dir, env, url, headers, disabled, conversation, name_key, created_at
		FROM servers ORDER BY created_at, rowid`)
	if err != nil {
		return nil, failure("read the servers", err)
	}
	all, err := collect(rows, func(c *mcphost.Config) error { return scanServer(rows, c) })
	if err != nil {
		return nil, failure("read the servers", err)
	}
	return all, nil
}

func scanServer(rows *sql.Rows, c *mcphost.Config) error {
	var args, env, headers, conversation []byte
	var created int64
	var key string
	err := rows.Scan(&c.ID, &c.Name, &c.Transport, &c.Command, &args, &c.Dir, &env, &c.URL, &headers, &c.Disabled, &conversation,
		&key, &created)
	if err != nil {
		return err
	}
	c.CreatedAt, c.Removed = timeOf(created), key == removedKey(c.ID)
	return errors.Join(json.Unmarshal(args, &c.Args), json.Unmarshal(env, &c.Env), json.Unmarshal(headers, &c.Headers),
		json.Unmarshal(conversation, &c.Conversation))
}

// PutServer implements [mcphost.Servers]. A replaced server keeps its time of creation; a zero c.CreatedAt is now.
// [ErrNameTaken] means that another server has the name, in whatever case.
func (s *Store) PutServer(ctx context.Context, c mcphost.Config) error {
	const doing = "save the server"
	if err := errors.Join(checkVars(c.Env), checkVars(c.Headers)); err != nil {
		return failure(doing, err)
	}
	args, err := encodeList(c.Args)
	env, err1 := encodeList(c.Env)
	headers, err2 := encodeList(c.Headers)
	conversation, err3 := encode(c.Conversation)
	if err := errors.Join(err, err1, err2, err3); err != nil {
		return failure(doing, err)
	}
	_, err = s.writer.exec(ctx, `
		INSERT INTO servers (id, name, name_key, transport, command, args, dir, env, url, headers, disabled, conversation, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET name = excluded.name, name_key = excluded.name_key,
			transport = excluded.transport, command = excluded.command, args = excluded.args, dir = excluded.dir,
			env = excluded.env, url = excluded.url, headers = excluded.headers, disabled = excluded.disabled,
			conversation = excluded.conversation`,
		c.ID, c.Name, nameKey(c), c.Transport, c.Command, args, c.Dir, env, c.URL, headers, c.Disabled, conversation,
		micros(s.or(c.CreatedAt)))
	if resultCode(err) == sqlite3.SQLITE_CONSTRAINT_UNIQUE {
		err = fmt.Errorf("%w: %q", ErrNameTaken, c.Name)
	}
	return failure(doing, err)
}

// nameKey is the name, folded. A removed server leaves its name to others and keeps its row, with all that refers to it,
// under a key that is no name: ids are random.
func nameKey(c mcphost.Config) string {
	if c.Removed {
		return removedKey(c.ID)
	}
	return fold(c.Name)
}

func removedKey(id string) string { return "removed:" + id }

// RemoveServer implements [mcphost.Servers]. The server's trusted definitions go with it, its history stays.
// [ErrNotFound] means that there is no such server.
func (s *Store) RemoveServer(ctx context.Context, id string) error {
	err := s.writer.tx(ctx, func(tx *sql.Tx) error {
		res, err := tx.ExecContext(ctx, `DELETE FROM servers WHERE id = ?`, id)
		if err := needRow(res, err, ErrNotFound); err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `DELETE FROM pins WHERE server_id = ?`, id); err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `DELETE FROM instructions WHERE server_id = ?`, id)
		return err
	})
	return failure("remove the server", err)
}

// encodeList writes nil as an empty list.
func encodeList[T any](list []T) (string, error) {
	if list == nil {
		return "[]", nil
	}
	return encode(list)
}
