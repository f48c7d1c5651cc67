package main

// This file makes the table.

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// A table has a row for each figure that a goal speaks of.
type table struct{ rows [][]string }

// A goal is a limit on a ratio, or on a figure where there is nothing to compare it with.
type goal struct {
	id    string
	what  string
	limit float64 // 0 = none: the row is for comparison
	least bool    // the limit is the least, and not the most, that is good
}

func (g goal) met(figure float64) string {
	if g.limit == 0 {
		return ""
	}
	if (figure <= g.limit) != g.least || figure == g.limit {
		return "met"
	}
	return "not met"
}

func (g goal) target(format string) string {
	if g.limit == 0 {
		return ""
	}
	sign := "≤ "
	if g.least {
		sign = "≥ "
	}
	return sign + format
}

// ratio adds the median of the ratios of each round, which says more than the ratio of the medians if the machine has
// other work.
func (t *table) ratio(g goal, ours, reference []float64, unit func(float64) string) {
	ratios := make([]float64, len(ours))
	for i := range ours {
		ratios[i] = ours[i] / reference[i]
	}
	r := median(ratios)
	t.rows = append(t.rows, []string{
		g.id, g.what, unit(median(ours)), unit(median(reference)), number(r), g.target(number(g.limit)), g.met(r),
	})
}

// figure adds one that stands for itself.
func (t *table) figure(g goal, figure float64, unit func(float64) string) {
	t.rows = append(t.rows, []string{g.id, g.what, unit(figure), "", "", g.target(unit(g.limit)), g.met(figure)})
}

func (t *table) print(w io.Writer) {
	out := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{{"goal", "what", "ours", "reference", "ratio", "target", ""}}, t.rows...) {
		fmt.Fprintln(out, strings.Join(row, "\t"))
	}
	out.Flush()
}

// number has three digits that count.
func number(f float64) string {
	switch {
	case f >= 100:
		return fmt.Sprintf("%.0f", f)
	case f >= 10:
		return fmt.Sprintf("%.1f", f)
	}
	return fmt.Sprintf("%.2f", f)
}

func duration(nanoseconds float64) string {
	switch d := time.Duration(nanoseconds); {
	case d < time.Millisecond:
		return number(nanoseconds/1e3) + " µs"
	case d < time.Second:
		return number(nanoseconds/1e6) + " ms"
	default:
		return number(nanoseconds/1e9) + " s"
	}
}

func megabytes(bytes float64) string { return number(bytes/1e6) + " MB" }

func perSecond(n float64) string { return fmt.Sprintf("%.0f/s", n) }

func median(values []float64) float64 { return quantile(values, 0.5) }

// quantile returns the value below which the share q of the values lies.
func quantile[T cmp.Ordered](values []T, q float64) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[int(q*float64(len(sorted)-1)+0.5)]
}
