package demo

// This file invents weather.

import (
	"context"
	"encoding/json"
	"hash/fnv"
	"math"
	"math/rand/v2"
)

const weatherSchema = `{"type":"object","properties":{` +
	`"notice":{"type":"string","description":"Says that the data is invented."},` +
	`"city":{"type":"string"},` +
	`"unit":{"type":"string","enum":["celsius","fahrenheit"]},` +
	`"days":{"type":"array","items":{"type":"object","properties":{` +
	`"day":{"type":"integer","minimum":1,"description":"1 is today."},` +
	`"sky":{"type":"string","enum":["sunny","cloudy","rainy","stormy","foggy"]},` +
	`"low":{"type":"number"},"high":{"type":"number"},` +
	`"rain":{"type":"integer","minimum":0,"maximum":100,"description":"Chance of rain in percent."}},` +
	`"required":["day","sky","low","high","rain"]}}},` +
	`"required":["notice","city","unit","days"]}`

type forecast struct {
	Notice string        `json:"notice"`
	City   string        `json:"city"`
	Unit   string        `json:"unit"`
	Days   []dayForecast `json:"days"`
}

type dayForecast struct {
	Day  int     `json:"day"`
	Sky  string  `json:"sky"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	Rain int     `json:"rain"` // percent
}

// weatherTable gives a city the same weather each time.
func weatherTable(_ context.Context, c call) (result, error) {
	f := forecast{Notice: "Invented for this demonstration.", City: c.text("city"), Unit: c.text("unit")}
	seed := fnv.New64a()
	_, _ = seed.Write([]byte(f.City)) // a hash takes everything
	random := rand.New(rand.NewPCG(seed.Sum64(), 0))
	degrees := func(celsius float64) float64 {
		if f.Unit == "fahrenheit" {
			celsius = celsius*9/5 + 32
		}
		return math.Round(celsius*10) / 10
	}
	mean := 5 + 20*random.Float64()
	for day := range c.whole("days") {
		low := mean - 6*random.Float64()
		f.Days = append(f.Days, dayForecast{
			Day: day + 1, Sky: []string{"sunny", "cloudy", "rainy", "stormy", "foggy"}[random.IntN(5)],
			Low: degrees(low), High: degrees(low + 3 + 7*random.Float64()), Rain: 5 * random.IntN(21),
		})
	}
	plain, err := json.MarshalIndent(f, "", "  ")
	if err != nil {
		return result{}, err
	}
	r := says(string(plain)) // for clients that do not read structured results
	if c.revision.since(revision20250618) {
		r.Structured = f
	}
	return r, nil
}
