package protocol

// This file defines content blocks: what tool results, prompts and sampling messages are made of.

import "encoding/json"

// Types of content. Others are kept raw.
const (
	ContentText         = "text"
	ContentImage        = "image"
	ContentAudio        = "audio"
	ContentResource     = "resource"
	ContentResourceLink = "resource_link"
)

// A Content is one block. Type says which of the other fields can be set.
type Content struct {
	Type        string
	Text        string            // text
	Data        string            // image, audio: base64, checked
	MimeType    string            // image, audio, resource link
	URI         string            // resource link
	Name        string            // resource link
	Title       string            // resource link
	Description string            // resource link
	Size        *int64            // resource link: bytes, as claimed
	Resource    *ResourceContents // resource
	Annotations *Annotations
	Meta        json.RawMessage
	Err         string          // what is wrong with this block; the other fields hold what could be read
	Raw         json.RawMessage // as received
}

// ResourceContents are the contents of a resource: Text or Blob.
type ResourceContents struct {
	URI      string
	MimeType string
	Text     string
	Blob     string // base64, checked
	IsBlob   bool
	Meta     json.RawMessage
}

// Annotations say whom a block is for. Values that the specification does not know are left out.
type Annotations struct {
	Audience     []string // "user", "assistant"
	Priority     *float64 // 0 … 1
	LastModified string
}
