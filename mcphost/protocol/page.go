package protocol

// This file defines what all lists have in common: pages, entries, and how long a result may be kept.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Page is what every page of a list carries beside its items.
type Page struct {
	NextCursor *string // nil = the last page; "" is a cursor
	Cache      Cache
	ResultType string // since 2026-07-28; "" is complete
	Meta       json.RawMessage
	Raw        json.RawMessage // as received
}

// A Cache is how long a result may be kept, and for whom (2026-07-28, "Caching").
type Cache struct {
	TTL    time.Duration
	Stated bool   // the server gave a TTL; otherwise a result holds until it is said to have changed
	Scope  string // "private" or "public"
}

const maxTTL = 24 * time.Hour // a longer one, which may not fit a Duration, counts as this

// member reads a member of a cacheable result and reports whether it is one.
func (c *Cache) member(r *reader, key []byte) bool {
	switch string(key) {
	case "ttlMs":
		if ms := r.number(); ms != nil && *ms >= 0 {
			c.TTL, c.Stated = maxTTL, true
			if *ms < float64(maxTTL/time.Millisecond) {
				c.TTL = time.Duration(*ms * float64(time.Millisecond))
			}
		}
	case "cacheScope":
		c.Scope, _ = r.text()
	default:
		return false
	}
	return true
}

// DecodePage reads one page of a list, whose entries stand in a member such as "tools". An entry that does not decode at
// all is left out. Like [Decode], it keeps spans of raw; the error says why the page cannot be used.
func DecodePage[T any, P interface {
	*T
	Decodable
}](raw json.RawMessage, member string) (Page, []T, error) {
	v := pageOf[T, P]{member: member}
	err := Decode(raw, &v)
	return v.page, v.entries, err
}

type pageOf[T any, P interface {
	*T
	Decodable
}] struct {
	page    Page
	member  string
	entries []T
}

func (v *pageOf[T, P]) decode(r *reader) error {
	start := r.pos
	var isList, badCursor bool
	isObject := r.object(func(key []byte) {
		switch string(key) {
		case v.member:
			v.entries, isList = list[T, P](r)
		case "nextCursor":
			isNull := r.peek() == 'n'
			cursor, isText := r.text()
			if badCursor = !isText && !isNull; isText {
				v.page.NextCursor = &cursor
			}
		case "resultType":
			v.page.ResultType, _ = r.text()
		case "_meta":
			v.page.Meta = r.objectText()
		default:
			if !v.page.Cache.member(r, key) {
				r.value()
			}
		}
	})
	v.page.Raw = r.since(start)
	switch {
	case !isObject:
		return errNoObject
	case !isList:
		return fmt.Errorf("no list of %s", v.member)
	case badCursor: // without it the list would silently lack its rest
		return errors.New("nextCursor is no string")
	}
	return nil
}

// list reads a list of entries, without those that do not decode. Any other value is passed over: false.
func list[T any, P interface {
	*T
	Decodable
}](r *reader) (entries []T, isList bool) {
	isList = r.array(func() {
		var one T
		if P(&one).decode(r) == nil {
			entries = append(entries, one)
		}
	})
	return entries, isList
}

// An Entry is what tools, resources, templates and prompts have in common. Every text in it is the server's.
type Entry struct {
	Name        string
	Title       string // since 2025-06-18
	Description string
	Icons       json.RawMessage // since 2025-11-25; see Icons
	Meta        json.RawMessage
	Raw         json.RawMessage // as received
	Err         string          // why it cannot be used, "" if it can
}

// read reads an entry. own reads what only its kind has and reports whether it did; without a text under the key that it
// is used by, the entry, whose noun tells what it is, cannot be used. An empty one is none.
func (v *Entry) read(r *reader, noun, usedBy string, own func(key []byte) bool) {
	start := r.pos
	var usable bool
	isObject := r.object(func(key []byte) {
		if string(key) == usedBy {
			usable = r.peek() == '"' && !bytes.HasPrefix(r.data[r.pos:], []byte(`""`))
		}
		switch string(key) {
		case "name":
			v.Name, _ = r.text()
		case "title":
			v.Title, _ = r.text()
		case "description":
			v.Description, _ = r.text()
		case "icons":
			v.Icons = r.value()
		case "_meta":
			v.Meta = r.objectText()
		default:
			if !own(key) {
				r.value()
			}
		}
	})
	v.Raw = r.since(start)
	switch {
	case !isObject:
		v.Err = "the " + noun + " is no object"
	case !usable:
		v.Err = "the " + noun + " has no " + usedBy
	}
}
