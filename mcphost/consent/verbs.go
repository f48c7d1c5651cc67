package consent

// This file is the published table of verbs: what the words in a tool's name and description say about its effect.

import (
	"strings"
	"unicode"
)

// A verb is one word's meaning. Words that are more often nouns (a post, an order) count in a name only where a verb
// must stand: first, or after a conjunction.
type verb struct {
	class Class
	noun  bool
}

// verbLists is the table: base forms by class; a trailing * marks a word that is also a noun.
var verbLists = map[Class]string{
	ClassRead: `get list search read find fetch show view describe count query lookup check echo ping sum info help
		calculate compute compare validate verify parse preview analyze analyse inspect explain diff resolve estimate print
		head tail cat ls grep glob peek select retrieve scan watch monitor poll wait sleep think translate detect extract
		filter sort tell status whoami subtract multiply divide round average summarize summarise convert render measure ask
		answer suggest recommend observe examine has is test outline tree stat`,
	ClassWrite: `create add write set* update* edit modify change* put patch* insert upsert append save store* move*
		rename copy* make mkdir touch apply enable disable start* stop* restart* pause* resume cancel close* open* reopen
		merge* rebase commit* checkout* stash* tag* fork* branch* assign unassign label* comment* approve reject review*
		lock* unlock schedule* register configure install upgrade* build* compile run* execute exec invoke trigger* click*
		type* press* fill drag* record* link* attach detach replace restore revert toggle import* export* rotate generate
		draw* undo redo increment decrement enqueue log* mark* pin* archive* complete* book* reserve mount* unmount resize
		initialize init migrate seed* sign* subscribe unsubscribe`,
	ClassLeave: `send post* publish upload email* mail* sms* tweet* share* notify broadcast* reply* forward* push* sync*
		deploy* transfer* pay purchase* buy order* invite* navigate browse crawl scrape download* webhook* call* dial
		submit message* dm* donate withdraw charge* refund*`,
	ClassDestroy: `delete del rm remove destroy drop* erase purge wipe truncate clear* kill* terminate shutdown* uninstall
		unlink reset* prune overwrite revoke nuke discard* evict expunge empty* flush* trash* reboot deprovision teardown*
		shred clean* cleanup*`,
}

// verbs maps base forms to their meaning.
var verbs = readVerbs()

func readVerbs() map[string]verb {
	table := make(map[string]verb)
	for _, class := range []Class{ClassRead, ClassWrite, ClassLeave, ClassDestroy} {
		for _, word := range strings.Fields(verbLists[class]) {
			base, noun := strings.CutSuffix(word, "*")
			table[base] = verb{class, noun}
		}
	}
	return table
}

// said is a verb as found in a text.
type said struct {
	word  string
	class Class
}

// nameVerbs returns the verbs that count in a tool's name. "add" alone is arithmetic.
func nameVerbs(name string) []said {
	words := splitWords(name)
	if len(words) == 1 && words[0] == "add" {
		return []said{{"add", ClassRead}}
	}
	var found []said
	after := ""
	for _, word := range words {
		v, ok := verbs[word]
		if ok && (!v.noun || len(found) == 0 || after == "and" || after == "or" || after == "then") {
			found = append(found, said{word, v.class})
		}
		after = word
	}
	return found
}

const maxProse = 4096 // bytes of a description that are read

// proseVerbs returns what a description says its tool does: the first word of each sentence, as in "Deletes a file". It
// weighs less than the name: it may only raise, so reading verbs are left out, and a noun needs the form of a verb.
func proseVerbs(description string) []said {
	head, _ := capped(description, maxProse)
	var found []said
	for _, sentence := range strings.FieldsFunc(head, func(r rune) bool { return strings.ContainsRune(".!?;:\n", r) }) {
		word, _, _ := strings.Cut(strings.TrimLeftFunc(sentence, func(r rune) bool { return !unicode.IsLetter(r) }), " ")
		word = strings.ToLower(strings.TrimRight(word, ",)"))
		base, inflected := baseForm(word)
		if v, ok := verbs[base]; ok && v.class != ClassRead && (inflected || !v.noun) {
			found = append(found, said{word, v.class})
		}
	}
	return found
}

// baseForm undoes the endings of the third person.
func baseForm(word string) (base string, inflected bool) {
	if _, ok := verbs[word]; ok {
		return word, false
	}
	for _, ending := range [][2]string{{"ies", "y"}, {"es", ""}, {"s", ""}} {
		if stem, ok := strings.CutSuffix(word, ending[0]); ok {
			if _, ok := verbs[stem+ending[1]]; ok {
				return stem + ending[1], true
			}
		}
	}
	return word, false
}

// splitWords splits a name at everything that is no letter and at changes of case, in lower case: getHTTPPage2 is get,
// http, page.
func splitWords(name string) []string {
	var words []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	runes := []rune(name)
	for i, r := range runes {
		if !unicode.IsLetter(r) {
			flush()
			continue
		}
		upperAfterLower := unicode.IsUpper(r) && i > 0 && !unicode.IsUpper(runes[i-1])
		lastOfCapitals := unicode.IsUpper(r) && i+1 < len(runes) && unicode.IsLower(runes[i+1])
		if upperAfterLower || lastOfCapitals {
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}
