package app

// This file reads from the head of a picture how large it becomes when it is decoded: a small file can fill the memory of
// the page (SEC C12). Nothing is decoded here.

import (
	"bytes"
	"encoding/binary"
)

const (
	maxPixels = 64 << 20 // of one picture, all its frames together counted at most maxFrames times
	maxSide   = 16384    // pixels
	maxFrames = 1000
)

// A picture is what a file says of itself.
type picture struct{ width, height, frames int }

// fits reports whether a picture may be decoded.
func (p picture) fits() bool {
	return p.width <= maxSide && p.height <= maxSide && p.width*p.height <= maxPixels && p.frames <= maxFrames
}

// pictureOf reads PNG, JPEG, GIF and WebP, the formats that are shown. Of any other, and of a broken one, it says nothing:
// the page shows no other, and what does not decode fills no memory.
func pictureOf(b []byte) picture {
	switch {
	case bytes.HasPrefix(b, []byte("\x89PNG\r\n\x1a\n")):
		return pngPicture(b)
	case bytes.HasPrefix(b, []byte("\xff\xd8")):
		return jpegPicture(b)
	case bytes.HasPrefix(b, []byte("GIF8")):
		return gifPicture(b)
	case len(b) > 12 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		return webpPicture(b[12:])
	}
	return picture{}
}

// pngPicture reads the chunks up to the data; acTL has the frames of an animation.
func pngPicture(b []byte) (p picture) {
	for b = b[8:]; len(b) >= 8; {
		size, kind, body := int(binary.BigEndian.Uint32(b)), string(b[4:8]), b[8:]
		switch {
		case kind == "IHDR" && len(body) >= 8:
			p.width, p.height = int(binary.BigEndian.Uint32(body)), int(binary.BigEndian.Uint32(body[4:]))
		case kind == "acTL" && len(body) >= 4:
			p.frames = int(binary.BigEndian.Uint32(body))
		case kind == "IDAT":
			return p
		}
		if len(body) < size+4 {
			return p
		}
		b = body[size+4:]
	}
	return p
}

// jpegPicture goes from marker to marker to the start of the frame.
func jpegPicture(b []byte) picture {
	for b = b[2:]; len(b) >= 9 && b[0] == 0xff; {
		marker := b[1]
		switch {
		case marker == 0xff: // filler
			b = b[1:]
			continue
		case marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc:
			return picture{width: int(binary.BigEndian.Uint16(b[7:])), height: int(binary.BigEndian.Uint16(b[5:]))}
		}
		size := int(binary.BigEndian.Uint16(b[2:])) + 2
		if len(b) < size {
			break
		}
		b = b[size:]
	}
	return picture{}
}

// gifPicture counts the images between the blocks.
func gifPicture(b []byte) (p picture) {
	if len(b) < 13 {
		return p
	}
	p.width, p.height = int(binary.LittleEndian.Uint16(b[6:])), int(binary.LittleEndian.Uint16(b[8:]))
	table := func(flags byte) int {
		if flags&0x80 == 0 {
			return 0
		}
		return 3 << (flags&7 + 1)
	}
	at := 13 + table(b[10])
	for at < len(b) && p.frames <= maxFrames {
		switch b[at] {
		case 0x21: // an extension and its label
			at += 2
		case 0x2c:
			if at+10 > len(b) {
				return p
			}
			p.frames++
			at += 10 + table(b[at+9]) + 1 // and the size of its codes
		default:
			return p
		}
		for at < len(b) && b[at] != 0 { // its blocks
			at += int(b[at]) + 1
		}
		at++
	}
	return p
}

// webpPicture reads the first chunk, and counts the frames of an animation.
func webpPicture(b []byte) (p picture) {
	for len(b) >= 18 && p.frames <= maxFrames {
		kind, size, body := string(b[:4]), int(binary.LittleEndian.Uint32(b[4:])), b[8:]
		small := func(at int) int { return int(body[at]) | int(body[at+1])<<8 | int(body[at+2])<<16 }
		switch kind {
		case "VP8 ":
			return picture{int(binary.LittleEndian.Uint16(body[6:])) & 0x3fff, int(binary.LittleEndian.Uint16(body[8:])) & 0x3fff, 1}
		case "VP8L":
			bits := binary.LittleEndian.Uint32(body[1:])
			return picture{int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1, 1}
		case "VP8X":
			p.width, p.height = small(4)+1, small(7)+1
		case "ANMF":
			p.frames++
		}
		if size += size & 1; len(body) < size {
			return p
		}
		b = body[size:]
	}
	return p
}
