package protocol

import (
	"encoding/json"
	"testing"
)

// Metadata before MIME type before scheme; what is of another shape says nothing.
func TestResourceType(t *testing.T) {
	for name, test := range map[string]struct {
		uri, mime, metadata, want string
	}{
		"metadata":            {"https://a/b", "inode/directory", `{"type":"Database"}`, TypeDatabase},
		"other metadata":      {"file:///a", "", `{"type":"other"}`, TypeOther},
		"unknown metadata":    {"file:///a", "", `{"type":"poem"}`, TypeFile},
		"metadata of numbers": {"file:///a", "", `{"type":7}`, TypeFile},
		"MIME type":           {"file:///a", "Inode/Directory; charset=utf-8", "", TypeDirectory},
		"broken MIME type":    {"https://a/b", "inode/directory; =", "", TypeAPI},
		"file":                {"FILE:///a.txt", "text/plain", "", TypeFile},
		"folder":              {"file:///a/", "", "", TypeDirectory},
		"database":            {"postgres://host/orders/schema", "application/json", "", TypeDatabase},
		"interface":           {"https://a/b", "application/json", "", TypeAPI},
		"of its own":          {"notes://today", "text/markdown", "", TypeOther},
		"no URI":              {"", "", "", TypeOther},
	} {
		if got := (Resource{URI: test.uri, MimeType: test.mime, Metadata: json.RawMessage(test.metadata)}).Type(); got != test.want {
			t.Errorf("%s: %s, not %s", name, got, test.want)
		}
	}
}
