package demo

// This file proposes values while an argument is typed (Server Utilities, "Completion").

import (
	"context"
	"encoding/json"
	"strings"
)

const maxCompletions = 100 // in one answer, says the specification

// cities are those of the invented weather.
func cities() []string {
	names := []string{"Harbourtown", "Harbour Heights", "Lighthouse Bay", "Larkspur", "Quayside", "Old Mill", "Upper Gate", "Lower Gate"}
	for _, side := range []string{"North", "East", "South", "West"} {
		for _, part := range strings.Fields("Beach Bridge Castle Chapel Cliff Cross Dock Dune Farm Ferry Field Ford Garden Green Grove Hall Hill Island Lake Lane Market Marsh Meadow Moor Park") {
			names = append(names, side+" "+part)
		}
	}
	return names
}

// proposals returns everything that an argument may be; ok is false if the reference or the argument is unknown.
func proposals(kind, name, uri, argument string, settled map[string]string) (all []string, ok bool) {
	switch kind + " " + name + uri + " " + argument {
	case "ref/prompt plan_a_day city":
		return cities(), true
	case "ref/prompt plan_a_day mood":
		if strings.Contains(settled["city"], "Beach") {
			return []string{"lazy", "salty", "sunny"}, true
		}
		return []string{"curious", "lazy", "sporty", "tired"}, true
	case "ref/prompt summarise_note name", "ref/resource " + noteScheme + "{name} name":
		return noteNames(), true
	case "ref/resource " + pictureScheme + "{motif} motif":
		return motifNames(), true
	}
	return nil, false
}

func (s *server) complete(_ context.Context, r request) (any, error) {
	var p struct {
		Ref struct {
			Type string `json:"type"`
			Name string `json:"name"`
			URI  string `json:"uri"`
		} `json:"ref"`
		Argument struct {
			Name  string `json:"name"`
			Value string `json:"value"`
		} `json:"argument"`
		Context struct {
			Arguments map[string]string `json:"arguments"`
		} `json:"context"`
	}
	if err := json.Unmarshal(r.params, &p); err != nil {
		return nil, invalidParams("completion/complete takes a ref and an argument")
	}
	all, ok := proposals(p.Ref.Type, p.Ref.Name, p.Ref.URI, p.Argument.Name, p.Context.Arguments)
	if !ok {
		return nil, invalidParams("there is no such argument")
	}
	values := []string{}
	for _, one := range all {
		if strings.HasPrefix(strings.ToLower(one), strings.ToLower(p.Argument.Value)) {
			values = append(values, one)
		}
	}
	total := len(values)
	type completion struct {
		Values  []string `json:"values"`
		Total   int      `json:"total"`
		HasMore bool     `json:"hasMore"`
	}
	return struct {
		Completion completion `json:"completion"`
	}{completion{values[:min(total, maxCompletions)], total, total > maxCompletions}}, nil
}
