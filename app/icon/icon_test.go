package icon

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"net/url"
	"strings"
	"testing"

	"gatehouse/mcphost/protocol"
)

func filled(w, h int, c color.Color) image.Image {
	p := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		p.Set(i%w, i/w, c)
	}
	return p
}

func pngURI(t testing.TB, p image.Image) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
}

func jpegURI(t testing.TB, kind string, p image.Image) string {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, p, nil); err != nil {
		t.Fatal(err)
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(b.Bytes())
}

// webpURI is a lossless WebP of one colour: every pixel takes no bit, because each channel has a code of one symbol.
func webpURI(w, h int, c color.NRGBA) string {
	var bits uint64
	var n int
	data := []byte{0x2f}
	put := func(value, width int) {
		bits |= uint64(value) << n
		for n += width; n >= 8; n -= 8 {
			data, bits = append(data, byte(bits)), bits>>8
		}
	}
	put(w-1, 14)
	put(h-1, 14)
	put(0, 7) // no alpha hint, version 0, no transform, no cache, no further codes
	for _, symbol := range []uint8{c.G, c.R, c.B, c.A} {
		put(0b101, 3)
		put(int(symbol), 8)
	}
	put(0b0001, 4)
	put(0, 7)
	if len(data)%2 == 1 {
		data = append(data, 0)
	}
	b := []byte("RIFF\x00\x00\x00\x00WEBPVP8L\x00\x00\x00\x00")
	binary.LittleEndian.PutUint32(b[4:], uint32(len(data)+12))
	binary.LittleEndian.PutUint32(b[16:], uint32(len(data)))
	return "data:image/webp;base64," + base64.StdEncoding.EncodeToString(append(b, data...))
}

func svgURI(text string) string { return "data:image/svg+xml," + url.PathEscape(text) }

func svg(inner string) string {
	return svgURI(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">` + inner + `</svg>`)
}

// drawnAs returns what the icons are drawn as, nil for nothing.
func drawnAs(t testing.TB, theme string, icons ...protocol.Icon) image.Image {
	t.Helper()
	b := PNG(icons, theme)
	if b == nil {
		return nil
	}
	p, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	if s := p.Bounds().Size(); s.X > Side || s.Y > Side || s.X < 1 || s.Y < 1 {
		t.Fatalf("drawn as %v", s)
	}
	return p
}

func isRed(p image.Image) bool {
	if p == nil {
		return false
	}
	m := p.Bounds().Max
	r, g, b, a := p.At(m.X/2, m.Y/2).RGBA()
	return r > 0xf000 && g < 0x1000 && b < 0x1000 && a > 0xf000
}

var red, blue = color.NRGBA{R: 255, A: 255}, color.NRGBA{B: 255, A: 255}

// Each format is drawn, and only as what it says it is.
func TestFormats(t *testing.T) {
	for name, test := range map[string]struct {
		src   string
		drawn bool
	}{
		"PNG":               {pngURI(t, filled(48, 48, red)), true},
		"PNG, wide":         {pngURI(t, filled(1000, 1, red)), true},
		"JPEG":              {jpegURI(t, "image/jpeg", filled(48, 48, red)), true},
		"JPEG by old name":  {jpegURI(t, "image/jpg", filled(48, 48, red)), true},
		"WebP":              {webpURI(48, 48, red), true},
		"SVG":               {svg(`<path fill="#f00" d="M0 0h24v24H0z"/>`), true},
		"SVG of a corner":   {svgURI(`<svg viewBox="100 100 10 10"><rect x="100" y="100" width="10" height="10" fill="red"/></svg>`), true},
		"SVG, a gradient":   {svg(`<defs><linearGradient id="a"><stop offset="0" stop-color="#f00"/><stop offset="1" stop-color="#f00"/></linearGradient></defs><rect width="24" height="24" fill="url(#a)"/>`), true},
		"huge view box":     {svgURI(`<svg viewBox="0 0 1e12 1e12"><rect width="1e12" height="1e12" fill="red"/></svg>`), false},
		"nothing to see":    {pngURI(t, filled(48, 48, color.NRGBA{R: 255})), false},
		"JPEG that lies":    {jpegURI(t, "image/png", filled(48, 48, red)), false},
		"SVG that lies":     {strings.Replace(svg(`<path/>`), "svg+xml", "png", 1), false},
		"GIF":               {"data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", false},
		"text":              {"data:,red", false},
		"no comma":          {"data:image/png;base64", false},
		"bad base64":        {"data:image/png;base64,%%%", false},
		"another origin":    {"https://icons.example/a.png", false},
		"a file":            {"file:///etc/passwd", false},
		"a script":          {"javascript:alert(1)", false},
		"cut":               {pngURI(t, filled(48, 48, red))[:80], false},
		"no side":           {svgURI(`<svg viewBox="0 0 0 24"><rect width="24" height="24" fill="red"/></svg>`), false},
		"no number of side": {svgURI(`<svg viewBox="0 0 NaN Inf"><rect width="24" height="24" fill="red"/></svg>`), false},
	} {
		if got := isRed(drawnAs(t, "light", protocol.Icon{Src: test.src})); got != test.drawn {
			t.Errorf("%s: drawn: %v", name, got)
		}
	}
}

// Theme before size, size before order; without a size an icon fits; what cannot be drawn makes room for the next.
func TestChoice(t *testing.T) {
	r, b := pngURI(t, filled(2, 2, red)), pngURI(t, filled(2, 2, blue))
	for name, icons := range map[string][]protocol.Icon{
		"theme":       {{Src: b, Theme: "dark"}, {Src: r, Theme: "light", Sizes: []string{"512x512"}}},
		"no theme":    {{Src: b, Theme: "dark"}, {Src: r}},
		"nearest":     {{Src: b, Sizes: []string{"16x16"}}, {Src: r, Sizes: []string{"512x512", "48x48"}}, {Src: b, Sizes: []string{"128x128"}}},
		"any":         {{Src: b, Sizes: []string{"65x65"}}, {Src: r, Sizes: []string{"any"}}},
		"none stated": {{Src: b, Sizes: []string{"63x63"}}, {Src: r}},
		"order":       {{Src: r}, {Src: b}},
		"odd size":    {{Src: b, Sizes: []string{"large"}}, {Src: r, Sizes: []string{"1x1"}}},
		"next":        {{Src: "data:image/png,x"}, {Src: "https://a/b.png"}, {Src: r}},
	} {
		if !isRed(drawnAs(t, "light", icons...)) {
			t.Errorf("%s: another was chosen", name)
		}
	}
	bad := protocol.Icon{Src: "data:image/png,x"}
	if !isRed(drawnAs(t, "dark", bad, bad, bad, protocol.Icon{Src: r})) || drawnAs(t, "dark", bad, bad, bad, bad, protocol.Icon{Src: r}) != nil {
		t.Errorf("not %d are tried", MaxTried)
	}
}

// Each limit at its end and beyond.
func TestLimits(t *testing.T) {
	shape := `<rect width="24" height="24" fill="red"/>`
	padded := func(size int) string {
		text, _ := url.PathUnescape(strings.TrimPrefix(svg(shape), "data:image/svg+xml,"))
		return svgURI(text + strings.Repeat(" ", size-len(text)))
	}
	stops := func(n int) string {
		return svg(`<defs><linearGradient id="a">` + strings.Repeat(`<stop offset="1" stop-color="red"/>`, n) + `</linearGradient></defs>` + shape)
	}
	nested := func(n int) string { return svg(strings.Repeat("<g>", n) + shape + strings.Repeat("</g>", n)) }
	box := func(side int) string {
		return svgURI(fmt.Sprintf(`<svg viewBox="0 0 %d %[1]d"><rect width="%[1]d" height="%[1]d" fill="red"/></svg>`, side))
	}
	reach := func(sides int) string {
		return svg(shape + fmt.Sprintf(`<path fill="red" d="M0 0H%dV1z"/>`, 24*sides))
	}
	for name, test := range map[string]struct{ most, more string }{
		"bytes":    {padded(MaxBytes), padded(MaxBytes + 1)},
		"side":     {pngURI(t, filled(MaxSide, 1, red)), pngURI(t, filled(MaxSide+1, 1, red))},
		"WebP":     {webpURI(MaxSide, 8, red), webpURI(MaxSide+1, 8, red)},
		"height":   {jpegURI(t, "image/jpeg", filled(8, MaxSide, red)), jpegURI(t, "image/jpeg", filled(8, MaxSide+1, red))},
		"elements": {svg(strings.Repeat(shape, maxElements-1)), svg(strings.Repeat(shape, maxElements))},
		"stops":    {stops(maxStops), stops(maxStops + 1)},
		"depth":    {nested(maxDepth - 2), nested(maxDepth - 1)},
		"view box": {box(maxBox), box(maxBox + 1)},
		"reach":    {reach(maxReach), reach(maxReach + 1)},
	} {
		if !isRed(drawnAs(t, "light", protocol.Icon{Src: test.most})) {
			t.Errorf("%s: the most is not drawn", name)
		}
		if drawnAs(t, "light", protocol.Icon{Src: test.more}) != nil {
			t.Errorf("%s: more than the most is drawn", name)
		}
	}
	s := &budget{Scanner: nothing{}, left: 1}
	s.Line(origin)
	defer func() {
		if recover() == nil {
			t.Error("a line beyond the budget is drawn")
		}
	}()
	s.Line(origin)
}

// What an SVG could do beyond drawing shapes makes it no icon at all.
func TestHostileSVG(t *testing.T) {
	shape := `<rect width="24" height="24" fill="red"/>`
	if !isRed(drawnAs(t, "light", protocol.Icon{Src: svg(shape)})) {
		t.Fatal("the harmless one is not drawn")
	}
	for name, src := range map[string]string{
		"script":               svg(shape + `<script>alert(1)</script>`),
		"handler":              svg(`<g onload="alert(1)">` + shape + `</g>`),
		"picture from outside": svg(shape + `<image href="https://trap/" width="1" height="1"/>`),
		"file":                 svg(shape + `<image xlink:href="file:///etc/passwd" width="1" height="1"/>`),
		"use":                  svg(`<g id="a">` + shape + `</g><use href="#a"/>`),
		"gradient elsewhere":   svg(`<defs><linearGradient id="a" href="https://trap/#a"/></defs>` + shape),
		"fill from outside":    svg(shape + `<rect width="1" height="1" fill="URL(https://trap/)"/>`),
		"style from outside":   svg(`<style>@import url(https://trap/)</style>` + shape),
		"foreign":              svg(shape + `<foreignObject><iframe src="https://trap/"/></foreignObject>`),
		"animation":            svg(shape + `<animate attributeName="x" to="9"/>`),
		"style sheet":          svgURI(`<?xml-stylesheet href="https://trap/"?><svg viewBox="0 0 24 24">` + shape + `</svg>`),
		"entities": svgURI(`<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><svg viewBox="0 0 24 24"><title>&b;</title>` +
			shape + `</svg>`),
		"a million elements": svg(strings.Repeat("<g/>", 1_000_000)),
		"many in 100 KB":     svg(strings.Repeat("<g/>", 25_000) + shape),
		"dashes":             svg(shape + `<path stroke="red" stroke-dasharray="0.00001" d="M0 0h24"/>`),
		"dashes by style":    svg(shape + `<path style="stroke:red;stroke-dasharray:0.00001" d="M0 0h24"/>`),
		"far away":           svg(shape + `<path d="M0 0L1e6 1e6L0 1e6z"/>`),
		"fat":                svg(shape + `<path stroke="red" stroke-width="1e6" stroke-linejoin="round" d="M0 0L9 9L0 9z"/>`),
		"many curves":        svg(shape + `<path d="M0 0` + strings.Repeat("C380 0 0 380 1 1", 7000) + `"/>`),
		"not closed":         svg(`<g>` + shape),
		"not XML":            svgURI("\x00\x01"),
		"nothing":            svgURI(""),
	} {
		if drawnAs(t, "light", protocol.Icon{Src: src}) != nil {
			t.Errorf("%s: drawn", name)
		}
	}
}

// Whatever a server sends is drawn as a small PNG or as nothing.
func FuzzIcon(f *testing.F) {
	for _, src := range []string{
		pngURI(f, filled(3, 2, red)), jpegURI(f, "image/jpg", filled(3, 2, red)), webpURI(3, 2, red), "data:,", "data:image/png;base64,",
		svg(`<g transform="rotate(9 1 1) scale(2)" style="fill:red;stroke:#0f0"><path d="M1 1a2 3 4 0 1 5 6q1 2 3 4t5 6c1 2 3 4 5 6s7 8 9 9z"/></g>`),
		svg(`<circle cx="1" cy="2" r="3"/><ellipse rx="1" ry="2"/><line x2="9"/><polyline points="1,2 3,4"/><polygon points="1 2 3"/>`),
		svg(`<defs><radialGradient id="a" fx="9"><stop offset="50%"/></radialGradient></defs><rect rx="3" width="9" height="9" fill="url(#a)"/>`),
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		drawnAs(t, "light", protocol.Icon{Src: src})
	})
}
