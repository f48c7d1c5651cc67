// Package icon draws the icons that servers send with their names (P18, SEC S16). A page gets our own small PNG, never the
// bytes of a server. What is not in the message itself is not fetched, and what cannot be drawn is no icon.
package icon

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"errors"
	"image"
	"image/png"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"gatehouse/mcphost/protocol"
)

const (
	// Side is the longest side of what is drawn, in pixels.
	Side = 64
	// MaxTried is how many of the icons of one thing are tried.
	MaxTried = 4
	// MaxBytes bounds one icon as sent, decoded from its URI.
	MaxBytes = 128 << 10
)

var errFormat = errors.New("icon: not a format that is drawn")

// PNG draws the icon that fits theme ("light" or "dark") best, nil if none can be drawn.
func PNG(icons []protocol.Icon, theme string) []byte {
	for _, v := range order(icons, theme) {
		if b, err := redraw(v.Src); err == nil {
			return b
		}
	}
	return nil
}

// order puts those of the theme first, then those of none, and among them the nearest in size. Without a size one fits.
func order(icons []protocol.Icon, theme string) []protocol.Icon {
	rank := func(v protocol.Icon) int {
		switch v.Theme {
		case theme:
			return 0
		case "":
			return 1
		}
		return 2
	}
	drawn := slices.DeleteFunc(slices.Clone(icons), func(v protocol.Icon) bool { return !strings.HasPrefix(v.Src, "data:") })
	slices.SortStableFunc(drawn, func(a, b protocol.Icon) int {
		return cmp.Or(rank(a)-rank(b), distance(a.Sizes)-distance(b.Sizes))
	})
	return drawn[:min(len(drawn), MaxTried)]
}

// distance is how far the nearest of sizes is from Side.
func distance(sizes []string) int {
	nearest := math.MaxInt32
	for _, s := range sizes {
		side, _, _ := strings.Cut(strings.ToLower(s), "x")
		n, err := strconv.Atoi(side)
		switch {
		case s == "any":
			return 0
		case err == nil && n > 0 && n < math.MaxInt32:
			nearest = min(nearest, max(n-Side, Side-n))
		}
	}
	if len(sizes) == 0 {
		return 0
	}
	return nearest
}

// redraw makes a PNG of a data: URI. What the URI says of its format must be true.
func redraw(src string) ([]byte, error) {
	format, b, err := dataOf(src)
	if err != nil {
		return nil, err
	}
	var picture image.Image
	switch format {
	case "png", "jpeg", "webp":
		picture, err = raster(format, b)
	case "svg":
		picture, err = vector(b)
	default:
		err = errFormat
	}
	if err != nil {
		return nil, err
	}
	if empty(picture) {
		return nil, errFormat
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// empty reports whether nothing of a picture can be seen.
func empty(p image.Image) bool {
	size := p.Bounds()
	for i := range size.Dx() * size.Dy() {
		if _, _, _, alpha := p.At(i%size.Dx(), i/size.Dx()).RGBA(); alpha > 0 {
			return false
		}
	}
	return true
}

// dataOf reads a data: URI (RFC 2397).
func dataOf(src string) (format string, b []byte, err error) {
	head, body, ok := strings.Cut(strings.TrimPrefix(src, "data:"), ",")
	if !ok || len(body) > 3*MaxBytes { // every byte may be percent-encoded
		return "", nil, errFormat
	}
	kind, parameters, _ := strings.Cut(strings.ToLower(head), ";")
	if body, err = url.PathUnescape(body); err != nil {
		return "", nil, err
	}
	b = []byte(body)
	if strings.HasSuffix(";"+parameters, ";base64") {
		if b, err = base64.RawStdEncoding.DecodeString(strings.TrimRight(body, "=")); err != nil {
			return "", nil, err
		}
	}
	if len(b) > MaxBytes {
		return "", nil, errFormat
	}
	switch strings.TrimSpace(kind) {
	case "image/png":
		return "png", b, nil
	case "image/jpeg", "image/jpg":
		return "jpeg", b, nil
	case "image/webp":
		return "webp", b, nil
	case "image/svg+xml":
		return "svg", b, nil
	}
	return "", nil, errFormat
}
