package protocol

// This file defines icons (since 2025-11-25). They are claims like any other text; nothing is fetched here.

import "encoding/json"

// An Icon is one picture of an implementation, tool, resource or prompt.
type Icon struct {
	Src      string // https: or data:
	MimeType string
	Sizes    []string // "48x48", "any"
	Theme    string   // "light", "dark", "" for both
}

// MaxIcons is how many icons of one thing are read.
const MaxIcons = 32

// Icons reads a list of icons. What is none is left out.
func Icons(raw json.RawMessage) []Icon {
	var list []Icon
	r := &reader{data: raw}
	r.space()
	r.array(func() {
		var v Icon
		r.object(func(key []byte) {
			switch string(key) {
			case "src":
				v.Src, _ = r.text()
			case "mimeType":
				v.MimeType, _ = r.text()
			case "sizes":
				if r.peek() == '"' { // 2025-11-25 drafts wrote one string
					size, _ := r.text()
					v.Sizes = []string{size}
				} else {
					v.Sizes = r.texts()
				}
			case "theme":
				v.Theme, _ = r.text()
			default:
				r.value()
			}
		})
		if v.Src != "" && len(list) < MaxIcons {
			list = append(list, v)
		}
	})
	return list
}
