package cli

// This file compares two texts line by line.

// maxCompared bounds the work of a comparison; longer texts are shown as removed and added as a whole.
const maxCompared = 1000

// diff writes what changed: "- " lines are gone, "+ " lines are new, others are the same.
func (p *page) diff(title string, before, after []string) {
	p.line("%s", title)
	for _, l := range compare(before, after) {
		p.field("  "+string(l.mark)+" ", oneLine(l.text))
	}
}

// A diffLine is one line of a comparison; mark is '-', '+' or ' '.
type diffLine struct {
	mark rune
	text string
}

// compare aligns two texts along their longest common subsequence.
func compare(before, after []string) []diffLine {
	if len(before) > maxCompared || len(after) > maxCompared {
		return append(marked('-', before), marked('+', after)...)
	}
	// common[i][j] is the length for before[i:] and after[j:].
	common := make([][]int, len(before)+1)
	for i := range common {
		common[i] = make([]int, len(after)+1)
	}
	for i := len(before) - 1; i >= 0; i-- {
		for j := len(after) - 1; j >= 0; j-- {
			if before[i] == after[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var lines []diffLine
	i, j := 0, 0
	for i < len(before) && j < len(after) {
		switch {
		case before[i] == after[j]:
			lines = append(lines, diffLine{' ', before[i]})
			i, j = i+1, j+1
		case common[i+1][j] >= common[i][j+1]:
			lines = append(lines, diffLine{'-', before[i]})
			i++
		default:
			lines = append(lines, diffLine{'+', after[j]})
			j++
		}
	}
	lines = append(lines, marked('-', before[i:])...)
	return append(lines, marked('+', after[j:])...)
}

func marked(mark rune, texts []string) []diffLine {
	lines := make([]diffLine, len(texts))
	for i, t := range texts {
		lines[i] = diffLine{mark, t}
	}
	return lines
}
