package demo

// This file makes tones.

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
)

const (
	sampleRate = 22_050 // per second
	fade       = 0.02   // seconds at both ends, against clicks
	volume     = 0.4
)

// wav returns a tone as WAV: PCM, 16 bits, one channel.
func wav(frequency, seconds float64, wave string) []byte {
	n := int(seconds * sampleRate)
	samples := make([]int16, n)
	for i := range samples {
		t := float64(i) / sampleRate
		v := math.Sin(2 * math.Pi * frequency * t)
		switch wave {
		case "square":
			v = math.Copysign(0.5, v)
		case "triangle":
			v = math.Asin(v) * 2 / math.Pi
		}
		envelope := min(1, t/fade, (seconds-t)/fade)
		samples[i] = int16(v * envelope * volume * math.MaxInt16)
	}
	bytesOfData := uint32(2 * n)
	var b bytes.Buffer
	for _, field := range []any{
		[]byte("RIFF"), 36 + bytesOfData, []byte("WAVE"),
		[]byte("fmt "), uint32(16), uint16(1), uint16(1), uint32(sampleRate), uint32(2 * sampleRate), uint16(2), uint16(16),
		[]byte("data"), bytesOfData, samples,
	} {
		_ = binary.Write(&b, binary.LittleEndian, field) // a buffer takes everything
	}
	return b.Bytes()
}

// playTone embeds the tone as a resource where the revision has no audio.
func playTone(_ context.Context, c call) (result, error) {
	frequency, seconds, wave := c.number("frequency"), c.number("seconds"), c.text("wave")
	const mimeType = "audio/wav"
	data := wav(frequency, seconds, wave)
	tone := content{Type: "audio", Data: data, MimeType: mimeType}
	if !c.revision.since(revision20250326) {
		tone = content{Type: "resource", Resource: &resourceContents{URI: "demo://tones/tone.wav", MimeType: mimeType, Blob: data}}
	}
	return result{Content: []content{textContent(fmt.Sprintf("A %s of %v Hz for %v s.", wave, frequency, seconds)), tone}}, nil
}
