-- Schema 6: what servers want a model to know, as the user has reviewed it.

PRAGMA user_version = 6;

-- No reference to servers, as in pins.
CREATE TABLE instructions (
    server_id TEXT    PRIMARY KEY CHECK (server_id <> ''),
    digest    TEXT    NOT NULL CHECK (length(digest) = 64),
    text      TEXT    NOT NULL, -- as received
    at        INTEGER NOT NULL CHECK (at > 0)
) STRICT, WITHOUT ROWID;
