package cli

// This file holds the words for risks and findings. Their codes are explained in package consent.

import "gatehouse/mcphost/consent"

var classWords = map[consent.Class]string{
	consent.ClassRead:    "reads",
	consent.ClassUnknown: "unknown",
	consent.ClassWrite:   "writes",
	consent.ClassLeave:   "leaves this computer",
	consent.ClassDestroy: "destructive",
}

// findingWords returns the words for a finding; a code without words speaks for itself.
func findingWords(code string) string {
	if words, ok := findings[code]; ok {
		return words
	}
	return code
}

var findings = map[string]string{
	consent.CodeAsksSecret:       "Asks for a secret, which a form must not",
	consent.CodeSaysReads:        "Describes itself as reading",
	consent.CodeSaysWrites:       "Describes itself as writing",
	consent.CodeSaysDestroys:     "Describes itself as deleting",
	consent.CodeSaysSends:        "Describes itself as sending",
	consent.CodeRunsCode:         "Runs code it is given",
	consent.CodeTakesSQL:         "Takes a database statement",
	consent.CodeTakesAddress:     "Takes an address",
	consent.CodeHintWrites:       "The server says that it writes",
	consent.CodeHintDestroys:     "The server says that it can destroy",
	consent.CodeHintOpen:         "The server says that it reaches outside",
	consent.CodeDeletesFiles:     "Deletes files",
	consent.CodeOverwritesDisk:   "Overwrites files or disks",
	consent.CodeDiscardsHistory:  "Discards changes or history",
	consent.CodeDeletesServices:  "Deletes services or their data",
	consent.CodeRunsAsRoot:       "Runs as administrator",
	consent.CodeRunsDownload:     "Runs what it downloads",
	consent.CodeChangesRights:    "Changes who may do what",
	consent.CodeStopsPrograms:    "Stops programs",
	consent.CodeInstalls:         "Installs software",
	consent.CodeChangesStartup:   "Changes what starts by itself",
	consent.CodeUsesNetwork:      "Uses the network",
	consent.CodeMentionsCommand:  "Mentions a command",
	consent.CodeDeletesRows:      "Deletes rows",
	consent.CodeDropsTables:      "Drops tables or databases",
	consent.CodeChangesRows:      "Changes rows",
	consent.CodeChangesSchema:    "Changes the database's structure",
	consent.CodeLeavesDatabase:   "Reaches outside the database",
	consent.CodeUnclearSQL:       "A statement that Gatehouse cannot read",
	consent.CodeLeavesComputer:   "Leaves this computer",
	consent.CodePrivateAddress:   "Reaches into a private network",
	consent.CodeLocalAddress:     "Reaches a program on this computer",
	consent.CodeMentionsAddress:  "Mentions an address",
	consent.CodeOddHost:          "A host written in an odd way",
	consent.CodeURLCredentials:   "A name or password in an address",
	consent.CodeAbsolutePath:     "A fixed path",
	consent.CodeHomePath:         "A path in your home folder",
	consent.CodeParentPath:       "A path that climbs out of its folder",
	consent.CodeSensitivePath:    "A place that holds secrets",
	consent.CodeHiddenCharacter:  "Hidden character",
	consent.CodeLookAlike:        "Letters that look like others",
	consent.CodeBlankRun:         "A long run of blanks",
	consent.CodeLineBreak:        "A line break inside",
	consent.CodeSecretValue:      "Looks like a secret",
	consent.CodeRunsAsYou:        "Runs with your rights",
	consent.CodeOwnDemo:          "Gatehouse's own demo server",
	consent.CodeRunsShell:        "Runs a shell",
	consent.CodeRunsInline:       "Runs code from the command line",
	consent.CodeBatchFile:        "Runs a batch file",
	consent.CodeDownloadsCode:    "Downloads code",
	consent.CodeNotPinned:        "Not pinned to a version",
	consent.CodeSharesSocket:     "Hands over control of Docker",
	consent.CodeSharesRoot:       "Shares the whole disk",
	consent.CodeSharesHome:       "Shares your home folder",
	consent.CodeSharesFolder:     "Shares a folder",
	consent.CodeLeavesContainer:  "Breaks out of its container",
	consent.CodeChangesLoading:   "Changes how programs are loaded",
	consent.CodeSecretInArgument: "A secret among the arguments",
	consent.CodeSecretInPlain:    "A secret in plain text",
	consent.CodeContactsHost:     "Contacts a host",
	consent.CodeRemoteBridge:     "Passes everything on to a remote server",
	consent.CodeInsecureURL:      "A connection without encryption",
	consent.CodeMore:             "And more of the same",
}
