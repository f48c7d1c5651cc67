package protocol

// This file tells apart what resources are, in words that people filter by (P10).

import (
	"encoding/json"
	"mime"
	"strings"
)

// What a resource is.
const (
	TypeFile      = "file"
	TypeDirectory = "directory"
	TypeDatabase  = "database"
	TypeAPI       = "api"
	TypeOther     = "other"
)

// Schemes and MIME types that say what a resource is.
var (
	typeOfScheme = map[string]string{
		"file": TypeFile, "http": TypeAPI, "https": TypeAPI, "graphql": TypeAPI, "grpc": TypeAPI,
		"postgres": TypeDatabase, "postgresql": TypeDatabase, "pg": TypeDatabase, "mysql": TypeDatabase, "mariadb": TypeDatabase,
		"sqlite": TypeDatabase, "sqlite3": TypeDatabase, "mongodb": TypeDatabase, "redis": TypeDatabase, "db": TypeDatabase,
	}
	typeOfMIME = map[string]string{
		"inode/directory": TypeDirectory, "text/directory": TypeDirectory, "application/x-directory": TypeDirectory,
		"application/vnd.sqlite3": TypeDatabase, "application/x-sqlite3": TypeDatabase, "application/sql": TypeDatabase,
	}
)

// Type says what a resource is: by its metadata if they say so, else by its MIME type, else by the scheme of its URI.
func (v Resource) Type() string {
	var said struct{ Type string }
	if json.Unmarshal(v.Metadata, &said) == nil { // of another shape, it says nothing
		switch t := strings.ToLower(said.Type); t {
		case TypeFile, TypeDirectory, TypeDatabase, TypeAPI, TypeOther:
			return t
		}
	}
	kind, _, err := mime.ParseMediaType(v.MimeType)
	if t, ok := typeOfMIME[kind]; ok && err == nil {
		return t
	}
	scheme, path, _ := strings.Cut(v.URI, ":")
	t, ok := typeOfScheme[strings.ToLower(scheme)]
	switch {
	case !ok:
		return TypeOther
	case t == TypeFile && strings.HasSuffix(path, "/"):
		return TypeDirectory
	}
	return t
}
