package app

// This file gives the page the icons that servers send with their names (P18): drawn anew by us, never the bytes of a server.

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"sync"

	"gatehouse/app/icon"
	"gatehouse/mcphost/protocol"
)

// icons are those drawn already, by what they were drawn from; "" is one that cannot be drawn.
type icons struct {
	mu    sync.Mutex // one is drawn at a time
	drawn map[[sha256.Size]byte]string
}

const maxIcons = 1024 // drawn ones that are kept, each at most 22 KiB as a URL

// url returns the icon that fits theme as a data: URL, "" if there is none.
func (v *icons) url(raw json.RawMessage, theme string) string {
	if len(raw) == 0 {
		return ""
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	key := sha256.Sum256(append([]byte(theme+"\x00"), raw...))
	if known, ok := v.drawn[key]; ok {
		return known
	}
	url := ""
	if b := icon.PNG(protocol.Icons(raw), theme); b != nil {
		url = "data:image/png;base64," + base64.StdEncoding.EncodeToString(b)
	}
	if v.drawn == nil || len(v.drawn) >= maxIcons {
		v.drawn = map[[sha256.Size]byte]string{}
	}
	v.drawn[key] = url
	return url
}

// Icon returns the icon of what a server offers, as a URL of our own picture; "" = it has none that is drawn. Kind is
// "server", "tool", "resource", "template" or "prompt"; name is its name, URI or URI template.
func (v *Servers) Icon(serverID, kind, name, theme string) (url string, err error) {
	defer catch(&err)
	s, _, err := v.server(serverID)
	if err != nil {
		return "", err
	}
	if theme != "light" && theme != "dark" {
		return "", badInput("theme", theme)
	}
	raw, err := s.Icons(kind, name)
	if err != nil {
		return "", err
	}
	return v.icons.url(raw, theme), nil
}
