package icon

// This file draws SVG: shapes and gradients, nothing that runs, refers or is styled from elsewhere. What a drawing may hold
// is listed; anything else, and anything that is too much, makes it no icon.

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"strings"

	"github.com/srwiley/oksvg"
	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
)

const (
	maxElements = 500
	maxStops    = 64 // of all gradients, looked through for each pixel
	maxDepth    = 32
	maxLines    = 200_000 // that the shapes come to when they are drawn, which bounds the time
	maxBox      = 1 << 20 // of the view box; the library counts in 26 bits
	maxReach    = 16      // how far outside the picture a line may go, in its sides
)

// The elements of a drawing.
var drawn = map[string]bool{
	"svg": true, "g": true, "path": true, "rect": true, "circle": true, "ellipse": true, "line": true, "polyline": true, "polygon": true,
	"title": true, "desc": true, "defs": true, "linearGradient": true, "radialGradient": true, "stop": true,
}

// vector draws an SVG.
func vector(b []byte) (picture image.Image, err error) {
	if err := judge(b); err != nil {
		return nil, err
	}
	defer func() { // the library panics at some faults, and so does budget
		if p := recover(); p != nil {
			picture, err = nil, fmt.Errorf("icon: %v", p)
		}
	}()
	drawing, err := oksvg.ReadIconStream(bytes.NewReader(b), oksvg.IgnoreErrorMode)
	if err != nil {
		return nil, err
	}
	box := drawing.ViewBox
	for _, n := range []float64{box.X, box.Y, box.W, box.H} {
		if math.IsNaN(n) || math.Abs(n) > maxBox {
			return nil, errors.New("icon: a size that is not drawn")
		}
	}
	if box.W <= 0 || box.H <= 0 {
		return nil, errors.New("icon: no size")
	}
	to := fit(box.W, box.H)
	width, height := to.Dx(), to.Dy()
	drawing.Transform = rasterx.Identity.Scale(float64(width)/box.W, float64(height)/box.H).Translate(-box.X, -box.Y)
	out := image.NewRGBA(to)
	scanner := &budget{Scanner: rasterx.NewScannerGV(width, height, out, to), left: maxLines}
	drawing.Draw(rasterx.NewDasher(width, height, scanner), 1)
	return out, nil
}

// judge reads the whole drawing for what it holds.
func judge(b []byte) error {
	d := xml.NewDecoder(bytes.NewReader(b))
	elements, stops, depth := 0, 0, 0
	for {
		token, err := d.Token()
		switch {
		case errors.Is(err, io.EOF) && elements > 0:
			return nil
		case err != nil:
			return err
		}
		switch v := token.(type) {
		case xml.Directive: // a document type, and with it entities
			return errors.New("icon: a document type")
		case xml.ProcInst:
			if v.Target != "xml" {
				return errors.New("icon: an instruction")
			}
		case xml.StartElement:
			elements++
			depth++
			if v.Name.Local == "stop" {
				stops++
			}
			if elements > maxElements || stops > maxStops || depth > maxDepth {
				return errors.New("icon: too much")
			}
			if err := judgeElement(v); err != nil {
				return err
			}
		case xml.EndElement:
			depth--
		}
	}
}

func judgeElement(v xml.StartElement) error {
	if !drawn[v.Name.Local] {
		return fmt.Errorf("icon: <%s> is not drawn", v.Name.Local)
	}
	for _, a := range v.Attr {
		name, value := strings.ToLower(a.Name.Local), strings.ToLower(a.Value)
		switch {
		case name == "href", name == "src", name == "stroke-dasharray", strings.HasPrefix(name, "on"):
			return fmt.Errorf("icon: %s is not drawn", name)
		case strings.Contains(value, "dasharray"), strings.Contains(strings.ReplaceAll(value, "url(#", ""), "url("):
			return fmt.Errorf("icon: what %s holds is not drawn", name)
		}
	}
	return nil
}

// A budget counts what is drawn and stops it when it is too much.
type budget struct {
	rasterx.Scanner
	left int
}

func (s *budget) spend(p fixed.Point26_6) {
	const reach = maxReach * Side * 64 // in the 64ths of a pixel that fixed counts
	if s.left--; s.left < 0 || p.X > reach || p.X < -reach || p.Y > reach || p.Y < -reach {
		panic("too much to draw")
	}
}

// Start implements [rasterx.Scanner].
func (s *budget) Start(p fixed.Point26_6) { s.spend(p); s.Scanner.Start(p) }

// Line implements [rasterx.Scanner].
func (s *budget) Line(p fixed.Point26_6) { s.spend(p); s.Scanner.Line(p) }
