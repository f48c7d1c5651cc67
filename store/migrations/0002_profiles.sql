-- Schema 2: profiles, the named sets of servers of which one is in use, and in which profile each event happened.

PRAGMA user_version = 2;

-- The history names profiles, so a removed one keeps its row.
CREATE TABLE profiles (
    id         TEXT    PRIMARY KEY CHECK (id <> ''),
    name       TEXT    NOT NULL, -- '' = the first one, never named
    name_key   TEXT    NOT NULL, -- the name, folded
    removed_at INTEGER CHECK (removed_at > 0)
) STRICT;

CREATE UNIQUE INDEX profiles_name ON profiles (name_key) WHERE removed_at IS NULL;

CREATE TABLE members (
    profile_id TEXT NOT NULL REFERENCES profiles (id),
    server_id  TEXT NOT NULL REFERENCES servers (id) ON DELETE CASCADE,
    PRIMARY KEY (profile_id, server_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX members_server ON members (server_id);

-- The first profile holds every server there is.
INSERT INTO profiles (id, name, name_key) VALUES ('first', '', '');
INSERT INTO members (profile_id, server_id) SELECT 'first', id FROM servers;

-- NULL: the event is older than profiles, or no profile was in use, as in a terminal.
ALTER TABLE events ADD COLUMN profile_id TEXT REFERENCES profiles (id);
