package app

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"slices"
	"strings"
	"testing"

	"gatehouse/mcphost/protocol"
)

func drawn(t *testing.T, encode func(*bytes.Buffer, image.Image) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b, image.NewPaletted(image.Rect(0, 0, 30, 20), color.Palette{color.Black, color.White})); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pngOf(t *testing.T) []byte {
	return drawn(t, func(b *bytes.Buffer, i image.Image) error { return png.Encode(b, i) })
}

func jpegOf(t *testing.T) []byte {
	return drawn(t, func(b *bytes.Buffer, i image.Image) error { return jpeg.Encode(b, i, nil) })
}

func gifOf(t *testing.T, frames int) []byte {
	return drawn(t, func(b *bytes.Buffer, i image.Image) error {
		g := &gif.GIF{}
		for range frames {
			g.Image, g.Delay = append(g.Image, i.(*image.Paletted)), append(g.Delay, 1)
		}
		return gif.EncodeAll(b, g)
	})
}

func webpOf(chunks ...string) []byte {
	return []byte("RIFF\x00\x00\x00\x00WEBP" + strings.Join(chunks, ""))
}

func chunk(kind string, body []byte) string {
	return string(binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(body)))) + string(body)
}

// What each format says of itself is read, whole or cut off anywhere.
func TestPictureOf(t *testing.T) {
	vp8x := chunk("VP8X", []byte{0x02, 0, 0, 0, 29, 0, 0, 19, 0, 0})
	frame := chunk("ANMF", make([]byte, 16))
	animated := slices.Insert(pngOf(t), 33, []byte("\x00\x00\x00\x08acTL\x00\x00\x07\xd0\x00\x00\x00\x00\x00\x00\x00\x00")...)
	for name, c := range map[string]struct {
		file []byte
		want picture
	}{
		"PNG": {pngOf(t), picture{30, 20, 0}}, "animated PNG": {animated, picture{30, 20, 2000}}, "JPEG": {jpegOf(t), picture{30, 20, 0}},
		"GIF": {gifOf(t, 1), picture{30, 20, 1}}, "animated GIF": {gifOf(t, 7), picture{30, 20, 7}},
		"WebP, lossy":    {webpOf(chunk("VP8 ", []byte{0, 0, 0, 0x9d, 0x01, 0x2a, 30, 0, 20, 0})), picture{30, 20, 1}},
		"WebP, lossless": {webpOf(chunk("VP8L", []byte{0x2f, 29, 0xc0, 0x04, 0, 0, 0, 0, 0, 0})), picture{30, 20, 1}},
		"WebP, animated": {webpOf(vp8x, frame, frame, frame), picture{30, 20, 3}},
		"text":           {[]byte("hello"), picture{}}, "nothing": {nil, picture{}},
	} {
		if got := pictureOf(c.file); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
		for n := range c.file {
			pictureOf(c.file[:n]) // it reads nothing behind the end
		}
	}
}

// SEC C12: at each limit a picture is shown, over it it is not, before anybody decodes it.
func TestLargePictures(t *testing.T) {
	sized := func(width, height uint32) []byte {
		b := pngOf(t)
		binary.BigEndian.PutUint32(b[16:], width)
		binary.BigEndian.PutUint32(b[20:], height)
		return b
	}
	for name, c := range map[string]struct {
		file []byte
		note string
	}{
		"wide": {sized(maxSide, 1), ""}, "too wide": {sized(maxSide+1, 1), "too-large"}, "too high": {sized(1, maxSide+1), "too-large"},
		"all pixels": {sized(8192, 8192), ""}, "too many pixels": {sized(8192, 8193), "too-large"}, "a bomb": {sized(60000, 60000), "too-large"},
		"beyond 32 bits": {sized(1<<31, 1<<31), "too-large"},
		"all frames":     {gifOf(t, maxFrames), ""}, "too many frames": {gifOf(t, maxFrames+1), "too-large"},
	} {
		data := base64.StdEncoding.EncodeToString(c.file)
		for _, content := range []protocol.Content{
			{Type: protocol.ContentImage, Data: data},
			{Type: protocol.ContentResource, Resource: &protocol.ResourceContents{Blob: data, IsBlob: true}},
		} {
			if b := new(cutter).block(content); b.Note != c.note || (b.Data == "") != (c.note != "") {
				t.Errorf("%s as %s: note %q, %d bytes", name, content.Type, b.Note, len(b.Data))
			}
		}
	}
}
