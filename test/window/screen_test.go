//go:build window

package window

// This file reads the virtual screen: Xvfb keeps it in a file in XWD format, the header in big endian.

import (
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"os"
)

// Offsets of the XWD header's fields, from X11/XWDFile.h.
const (
	xwdHeaderSize = 0
	xwdWidth      = 4 * 4
	xwdHeight     = 5 * 4
	xwdBitsPixel  = 11 * 4
	xwdLineBytes  = 12 * 4
	xwdColours    = 19 * 4
	xwdColourSize = 12
)

// readScreen takes a screenshot from Xvfb's file.
func readScreen(path string) (*image.RGBA, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if len(b) < 100 {
		return nil, errors.New("the screen file is too short")
	}
	field := func(offset int) int { return int(binary.BigEndian.Uint32(b[offset:])) }
	width, height, line := field(xwdWidth), field(xwdHeight), field(xwdLineBytes)
	start := field(xwdHeaderSize) + field(xwdColours)*xwdColourSize
	if field(xwdBitsPixel) != 32 || len(b) < start+height*line {
		return nil, errors.New("the screen file is not of 32 bits a pixel")
	}
	screen := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			p := b[start+y*line+4*x:] // blue, green, red, unused
			screen.SetRGBA(x, y, color.RGBA{R: p[2], G: p[1], B: p[0], A: 255})
		}
	}
	return screen, nil
}

// colours counts the different colours, which tells a painted page from an empty window.
func colours(screen *image.RGBA) int {
	seen := map[color.RGBA]bool{}
	for y := range screen.Rect.Dy() {
		for x := range screen.Rect.Dx() {
			seen[screen.RGBAAt(x, y)] = true
		}
	}
	return len(seen)
}
