package demo

// This file draws pictures.

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
)

// A motif gives the colour of a point of the unit square; y grows downwards.
type motif func(x, y float64) color.RGBA

func motifNames() []string { return []string{"gate", "sunrise", "waves", "mosaic"} }

// motifNamed returns nil for an unknown name.
func motifNamed(name string) motif {
	switch name {
	case "gate":
		return gate
	case "sunrise":
		return sunrise
	case "waves":
		return waves
	case "mosaic":
		return mosaic
	}
	return nil
}

var (
	navy  = color.RGBA{24, 31, 71, 255}
	blue  = color.RGBA{42, 79, 196, 255}
	sky   = color.RGBA{196, 219, 247, 255}
	sand  = color.RGBA{247, 215, 139, 255}
	amber = color.RGBA{244, 177, 72, 255}
	coral = color.RGBA{236, 132, 117, 255}
	teal  = color.RGBA{111, 196, 187, 255}
)

func gate(x, y float64) color.RGBA {
	const left, right, arch, foot, bar = 0.24, 0.76, 0.45, 0.82, 0.025
	middle, half := (left+right)/2, (right-left)/2
	inside := x > left && x < right && y > arch && y < foot || math.Hypot(x-middle, y-arch) < half && y <= arch
	hole := x > left+2*bar && x < right-2*bar && y > arch || math.Hypot(x-middle, y-arch) < half-2*bar && y <= arch
	switch {
	case inside && !hole:
		return blue
	case inside && (math.Abs(x-middle) < bar || math.Abs(x-middle-half/2) < bar || math.Abs(x-middle+half/2) < bar):
		return blue
	case inside && (math.Abs(y-arch) < bar || math.Abs(y-(arch+foot)/2) < bar):
		return blue
	}
	return sky
}

func sunrise(x, y float64) color.RGBA {
	sea := 0.66 + 0.008*math.Sin(40*x)
	switch {
	case y > sea:
		return mix(blue, navy, (y-sea)/(1-sea))
	case math.Hypot(x-0.5, y-0.66) < 0.24:
		return amber
	}
	return mix(sky, coral, y/sea)
}

func waves(x, y float64) color.RGBA {
	colours := []color.RGBA{sky, teal, blue, navy}
	line := y*float64(len(colours)+1) - 0.6*math.Sin(2*math.Pi*(x+y/3)) - 0.5
	return colours[min(max(int(math.Floor(line)), 0), len(colours)-1)]
}

func mosaic(x, y float64) color.RGBA {
	const tiles = 6
	column, row := math.Floor(x*tiles), math.Floor(y*tiles)
	if math.Hypot(x*tiles-column-0.5, y*tiles-row-0.5) < 0.34 {
		return []color.RGBA{amber, coral, teal, blue, navy}[int(column*2+row*3)%5]
	}
	if int(column+row)%2 == 0 {
		return sky
	}
	return sand
}

// mix goes from a to b as t goes from 0 to 1.
func mix(a, b color.RGBA, t float64) color.RGBA {
	part := func(a, b uint8) uint8 { return uint8(float64(a) + (float64(b)-float64(a))*t) }
	return color.RGBA{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B), 255}
}

// draw returns the motif as PNG; each pixel is the mean of nine points.
func draw(m motif, size int) ([]byte, error) {
	const points = 3
	picture := image.NewRGBA(image.Rect(0, 0, size, size))
	scale := float64(size * points)
	for py := range size {
		for px := range size {
			var r, g, b int
			for i := range points * points {
				c := m((float64(px*points+i%points)+0.5)/scale, (float64(py*points+i/points)+0.5)/scale)
				r, g, b = r+int(c.R), g+int(c.G), b+int(c.B)
			}
			const n = points * points
			picture.SetRGBA(px, py, color.RGBA{uint8(r / n), uint8(g / n), uint8(b / n), 255})
		}
	}
	var out bytes.Buffer
	err := png.Encode(&out, picture)
	return out.Bytes(), err
}

func drawPicture(_ context.Context, c call) (result, error) {
	name, size := c.text("motif"), c.whole("size")
	data, err := draw(motifNamed(name), size)
	if err != nil {
		return result{}, fmt.Errorf("drawing: %w", err)
	}
	return result{Content: []content{
		textContent(fmt.Sprintf("The motif %q, %d × %d pixels.", name, size, size)),
		{Type: "image", Data: data, MimeType: "image/png"},
	}}, nil
}
