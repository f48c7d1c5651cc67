-- Schema 3: how servers are spoken to. The era of a definition is what was found out; what the user wants of a server
-- stands with the server.

PRAGMA user_version = 3;

CREATE TABLE eras (
    definition TEXT    PRIMARY KEY CHECK (length(definition) = 64), -- a digest of the command line or the URL
    era        TEXT    NOT NULL CHECK (era IN ('legacy', 'modern')),
    at         INTEGER NOT NULL CHECK (at > 0)
) STRICT, WITHOUT ROWID;

ALTER TABLE servers ADD COLUMN conversation TEXT NOT NULL DEFAULT '{}' CHECK (json_type(conversation) = 'object');
