package protocol

// This file defines what all lists have in common: pages, and how long a result may be kept.

import (
	"encoding/json"
	"errors"
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

// decode reads a page whose items stand under a key; item reads one.
func (p *Page) decode(r *reader, items string, item func()) error {
	start := r.pos
	var isList, badCursor bool
	isObject := r.object(func(key []byte) {
		switch string(key) {
		case items:
			isList = r.array(item)
		case "nextCursor":
			isNull := r.peek() == 'n'
			cursor, isText := r.text()
			if badCursor = !isText && !isNull; isText {
				p.NextCursor = &cursor
			}
		case "resultType":
			p.ResultType, _ = r.text()
		case "_meta":
			p.Meta = r.objectText()
		default:
			if !p.Cache.member(r, key) {
				r.value()
			}
		}
	})
	p.Raw = r.since(start)
	switch {
	case !isObject:
		return errNoObject
	case !isList:
		return errors.New("no list of " + items)
	case badCursor: // without it the list would silently lack its rest
		return errors.New("nextCursor is no string")
	}
	return nil
}
