-- Schema 5: the folders and files that servers may know about.

PRAGMA user_version = 5;

CREATE TABLE roots (
    id        TEXT    PRIMARY KEY CHECK (id <> ''),
    path      TEXT    NOT NULL UNIQUE CHECK (path <> ''), -- absolute, symbolic links resolved when it was added
    name      TEXT    NOT NULL CHECK (name <> ''),
    read_only INTEGER NOT NULL DEFAULT 0 CHECK (read_only IN (0, 1)), -- as a server of 2024-11-05 has said, or the user
    type      TEXT    NOT NULL DEFAULT '',
    added_at  INTEGER NOT NULL CHECK (added_at > 0)
) STRICT;

CREATE TABLE root_servers (
    root_id    TEXT NOT NULL REFERENCES roots (id) ON DELETE CASCADE,
    server_id  TEXT NOT NULL CHECK (server_id <> ''),
    visibility TEXT NOT NULL CHECK (visibility IN ('ask', 'visible')), -- no row = hidden
    PRIMARY KEY (root_id, server_id)
) STRICT, WITHOUT ROWID;

-- Which servers have been told roots before, in which form of their launch.
CREATE TABLE root_disclosures (
    server_id TEXT PRIMARY KEY CHECK (server_id <> ''),
    launch    TEXT NOT NULL CHECK (length(launch) = 64)
) STRICT, WITHOUT ROWID;
