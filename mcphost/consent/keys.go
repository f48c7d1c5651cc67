package consent

// This file is the published table of property names: what they say about their values.

import "strings"

// A key is what the name of a property says about its value.
type key int

const (
	keyOther key = iota
	keyCommand
	keyCode
	keySQL
	keyQuery
	keyAddress
	keyRecipient
	keyPath
)

// keyLists is the table, without regard to case, - and _.
var keyLists = map[key]string{
	keyCommand: `command commands cmd cmds commandline shellcommand shell bash sh powershell script scripts shellscript
		bashscript inlinescript`,
	keyCode:    `code sourcecode program expression javascript js python pythoncode jscode function snippet eval`,
	keySQL:     `sql sqlquery statement statements sqlstatement rawsql`,
	keyQuery:   `query queries q input text`,
	keyAddress: `url urls endpoint webhook webhookurl host hostname baseurl targeturl callbackurl`,
	keyRecipient: `to cc bcc recipient recipients email emails emailaddress address phone phonenumber channel channels
		channelid chatid room thread destination target`,
	keyPath: `path paths file files filename filepath filepaths dir directory folder cwd root workdir workingdirectory
		source output outputpath`,
}

// keyKinds inverts the table; a name in two lists belongs to the first.
var keyKinds = readKeys()

func readKeys() map[string]key {
	table := make(map[string]key)
	for _, k := range []key{keyPath, keyRecipient, keyAddress, keyQuery, keySQL, keyCode, keyCommand} {
		for _, name := range strings.Fields(keyLists[k]) {
			table[name] = k
		}
	}
	return table
}

func keyKind(name string) key {
	if len(name) > maxName {
		return keyOther
	}
	return keyKinds[strings.Join(splitWords(name), "")]
}
