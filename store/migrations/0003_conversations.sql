-- Schema 3: how servers are spoken to. What was found out belongs to a definition; what the user wants of a server
-- stands with the server.

PRAGMA user_version = 3;

CREATE TABLE eras (
    definition TEXT    PRIMARY KEY CHECK (length(definition) = 64), -- a digest of the command line or the URL
    era        TEXT    NOT NULL CHECK (era IN ('legacy', 'modern')),
    wire       TEXT    NOT NULL CHECK (wire IN ('', 'streamable-http', 'http+sse')), -- '' = a local server, or modern
    at         INTEGER NOT NULL CHECK (at > 0)
) STRICT, WITHOUT ROWID;

ALTER TABLE servers ADD COLUMN conversation TEXT NOT NULL DEFAULT '{}' CHECK (json_type(conversation) = 'object');
