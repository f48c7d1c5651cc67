-- Schema 1: servers, trusted tool definitions, settings, and the history as append-only events.
-- A migration runs in one transaction and states its own number. It is never edited after a release, only followed.
-- Times are microseconds since 1970 in UTC.

PRAGMA application_id = 1196705875; -- "GTHS"
PRAGMA user_version = 1;

CREATE TABLE servers (
    id         TEXT    PRIMARY KEY CHECK (id <> ''),
    name       TEXT    NOT NULL CHECK (name <> ''),
    name_key   TEXT    NOT NULL UNIQUE, -- the name, folded: unique without regard to case
    transport  TEXT    NOT NULL CHECK (transport IN ('stdio', 'http')),
    command    TEXT    NOT NULL,
    args       TEXT    NOT NULL CHECK (json_type(args) = 'array'),
    dir        TEXT    NOT NULL,
    env        TEXT    NOT NULL CHECK (json_type(env) = 'array'),
    url        TEXT    NOT NULL,
    headers    TEXT    NOT NULL CHECK (json_type(headers) = 'array'),
    disabled   INTEGER NOT NULL CHECK (disabled IN (0, 1)),
    created_at INTEGER NOT NULL CHECK (created_at > 0)
) STRICT;

-- No reference to servers: a server from the command line's own file has pins, but no row there.
CREATE TABLE pins (
    server_id  TEXT    NOT NULL CHECK (server_id <> ''),
    tool       TEXT    NOT NULL,
    digest     TEXT    NOT NULL CHECK (length(digest) = 64),
    definition TEXT    NOT NULL, -- as received, byte for byte
    at         INTEGER NOT NULL CHECK (at > 0),
    PRIMARY KEY (server_id, tool)
) STRICT;

CREATE TABLE settings (
    key   TEXT PRIMARY KEY CHECK (key <> ''),
    value TEXT NOT NULL
) STRICT;

-- One opening of this file by one process. Whether it still lives is told by its lock file, not by its pid.
CREATE TABLE runs (
    id       TEXT    PRIMARY KEY CHECK (id <> ''),
    pid      INTEGER NOT NULL,
    at       INTEGER NOT NULL CHECK (at > 0),
    ended_at INTEGER CHECK (ended_at > 0)
) STRICT;

-- What the history list shows of a decision, beside its time: few different rows, shared by many decisions.
-- The list filters labels and sums n, so neither depends on the length of the history.
CREATE TABLE labels (
    id         INTEGER PRIMARY KEY,
    server_id  TEXT    NOT NULL,
    alias      TEXT    NOT NULL,
    kind       TEXT    NOT NULL CHECK (kind <> ''),
    what       TEXT    NOT NULL, -- tool name, command line or URL; capped
    risk       TEXT    NOT NULL,
    allowed    INTEGER NOT NULL CHECK (allowed IN (0, 1)),
    edited     INTEGER NOT NULL CHECK (edited IN (0, 1)),
    decided_by TEXT    NOT NULL CHECK (decided_by <> ''),
    search     TEXT    NOT NULL, -- alias and what, folded
    n          INTEGER NOT NULL DEFAULT 0, -- decisions with this label
    UNIQUE (server_id, alias, kind, what, risk, allowed, edited, decided_by)
) STRICT;

CREATE TABLE events (
    seq       INTEGER PRIMARY KEY,
    at        INTEGER NOT NULL CHECK (at > 0),
    run       TEXT    NOT NULL REFERENCES runs (id),
    type      TEXT    NOT NULL CHECK (type IN ('decision', 'callStarted', 'callEnded')),
    subject   TEXT    NOT NULL CHECK (subject <> ''), -- the decision's id, or the call's
    decision  INTEGER REFERENCES events (seq),        -- the decision that a call rests on
    label     INTEGER REFERENCES labels (id),
    server_id TEXT    NOT NULL,
    digest    TEXT    NOT NULL CHECK (length(digest) = 64),
    outcome   TEXT    CHECK (outcome IN ('ok', 'toolError', 'failed', 'timedOut', 'stopped', 'interrupted')),
    body      TEXT    NOT NULL CHECK (json_valid(body)),
    CHECK ((type = 'decision') = (decision IS NULL)),
    CHECK ((type = 'decision') = (label IS NOT NULL)),
    CHECK ((type = 'callEnded') = (outcome IS NOT NULL))
) STRICT;

CREATE UNIQUE INDEX events_subject ON events (subject, type); -- a call starts once and ends once
CREATE UNIQUE INDEX events_decision ON events (decision, type) WHERE decision IS NOT NULL; -- a decision carries one call
CREATE INDEX events_label ON events (label, seq) WHERE label IS NOT NULL;
CREATE INDEX events_started ON events (run) WHERE type = 'callStarted';

CREATE TRIGGER events_update BEFORE UPDATE ON events BEGIN SELECT RAISE (ABORT, 'events are append-only'); END;
CREATE TRIGGER events_delete BEFORE DELETE ON events BEGIN SELECT RAISE (ABORT, 'events are append-only'); END;

CREATE TRIGGER events_count AFTER INSERT ON events WHEN new.label IS NOT NULL
BEGIN UPDATE labels SET n = n + 1 WHERE id = new.label; END;

CREATE TRIGGER labels_update BEFORE UPDATE OF id, server_id, alias, kind, what, risk, allowed, edited, decided_by, search
ON labels BEGIN SELECT RAISE (ABORT, 'labels only count'); END;
CREATE TRIGGER labels_delete BEFORE DELETE ON labels BEGIN SELECT RAISE (ABORT, 'labels only count'); END;
