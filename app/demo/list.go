package demo

// This file cuts lists into pages.

import (
	"encoding/json"
	"strconv"
)

// page returns the entries that the request's cursor asks for, and the cursor of the next page, "" after the last.
func page[T any](r request, all []T, size int) (entries []T, next string, err error) {
	var p struct {
		Cursor *string `json:"cursor"`
	}
	if r.params != nil {
		if err := json.Unmarshal(r.params, &p); err != nil {
			return nil, "", invalidParams("cursor is a text")
		}
	}
	if size <= 0 {
		size = max(len(all), 1)
	}
	from := 0
	if p.Cursor != nil {
		if from, err = strconv.Atoi(*p.Cursor); err != nil || from <= 0 || from >= len(all) || from%size != 0 {
			return nil, "", invalidParams("this server has given no such cursor")
		}
	}
	to := min(from+size, len(all))
	if to < len(all) {
		next = strconv.Itoa(to)
	}
	return all[from:to], next, nil
}
