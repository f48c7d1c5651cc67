package icon

// This file draws pictures made of pixels: PNG, JPEG and WebP.

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// MaxSide bounds a picture of pixels, whose head says how large it becomes when it is decoded.
const MaxSide = 1024

// raster decodes a picture, of an animation the first frame, and makes it small.
func raster(format string, b []byte) (image.Image, error) {
	head, decode := png.DecodeConfig, png.Decode
	switch format {
	case "jpeg":
		head, decode = jpeg.DecodeConfig, jpeg.Decode
	case "webp":
		head, decode = webp.DecodeConfig, webp.Decode
	}
	size, err := head(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	if size.Width < 1 || size.Height < 1 || size.Width > MaxSide || size.Height > MaxSide {
		return nil, errFormat
	}
	picture, err := decode(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	small := image.NewNRGBA(fit(float64(size.Width), float64(size.Height)))
	draw.CatmullRom.Scale(small, small.Bounds(), picture, picture.Bounds(), draw.Src, nil)
	return small, nil
}

// fit is the largest rectangle of these proportions that is drawn.
func fit(width, height float64) image.Rectangle {
	scale := Side / max(width, height)
	return image.Rect(0, 0, max(1, int(width*scale+0.5)), max(1, int(height*scale+0.5)))
}
