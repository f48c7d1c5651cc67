-- Schema 4: calls that have become tasks of their server. They outlive the program: whoever opens the file next follows
-- them on.

PRAGMA user_version = 4;

CREATE TABLE tasks (
    call       TEXT    PRIMARY KEY CHECK (call <> ''), -- subject of its events
    run        TEXT    NOT NULL REFERENCES runs (id),  -- who follows it
    definition TEXT    NOT NULL CHECK (length(definition) = 64), -- of the server, as in eras
    task       TEXT    NOT NULL CHECK (task <> ''), -- its id at the server
    at         INTEGER NOT NULL CHECK (at > 0),     -- since when, by our clock
    ttl        INTEGER CHECK (ttl >= 0),            -- in microseconds; NULL = it does not expire
    lost       INTEGER NOT NULL DEFAULT 0 CHECK (lost IN (0, 1)) -- its event says 'failed'
) STRICT, WITHOUT ROWID;

CREATE INDEX tasks_run ON tasks (run);
