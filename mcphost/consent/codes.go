package consent

// This file is the published table of findings: every code, and the class it puts a request in. A code of class read
// informs and raises nothing. The page has a sentence for each; testdata/codes.txt lists them for its test.

// The codes of findings.
const (
	// What a definition says. Detail: the verb, the property or the hint.
	CodeSaysReads    = "says-reads"
	CodeSaysWrites   = "says-writes"
	CodeSaysDestroys = "says-destroys"
	CodeSaysSends    = "says-sends"
	CodeRunsCode     = "runs-code"
	CodeTakesSQL     = "takes-sql"
	CodeTakesAddress = "takes-address"
	CodeHintWrites   = "hint-writes"
	CodeHintDestroys = "hint-destroys"
	CodeHintOpen     = "hint-open-world"

	// Commands and statements in the arguments. Detail: the command or the words of the statement.
	CodeDeletesFiles    = "deletes-files"
	CodeOverwritesDisk  = "overwrites-disk"
	CodeDiscardsHistory = "discards-history"
	CodeDeletesServices = "deletes-services"
	CodeRunsAsRoot      = "runs-as-root"
	CodeRunsDownload    = "runs-download"
	CodeChangesRights   = "changes-rights"
	CodeStopsPrograms   = "stops-programs"
	CodeInstalls        = "installs-software"
	CodeChangesStartup  = "changes-startup"
	CodeUsesNetwork     = "uses-network"
	CodeMentionsCommand = "mentions-command"
	CodeDeletesRows     = "deletes-rows"
	CodeDropsTables     = "drops-tables"
	CodeChangesRows     = "changes-rows"
	CodeChangesSchema   = "changes-schema"
	CodeLeavesDatabase  = "leaves-database"
	CodeUnclearSQL      = "unclear-sql"

	// Places in the arguments. Detail: the host, the address or the path.
	CodeLeavesComputer  = "leaves-computer"
	CodePrivateAddress  = "private-address"
	CodeLocalAddress    = "local-address"
	CodeMentionsAddress = "mentions-address"
	CodeOddHost         = "odd-host"
	CodeURLCredentials  = "url-credentials"
	CodeAbsolutePath    = "absolute-path"
	CodeHomePath        = "home-path"
	CodeParentPath      = "parent-path"
	CodeSensitivePath   = "sensitive-path"

	// Text that is not what it seems. Detail: the character's name, the word, the number of blanks, the kind of secret.
	CodeHiddenCharacter = "hidden-character"
	CodeLookAlike       = "look-alike"
	CodeBlankRun        = "blank-run"
	CodeLineBreak       = "line-break"
	CodeSecretValue     = "secret-value"
	CodeAsksSecret      = "asks-secret" // a field of a form; detail: its name

	// Launches. Detail: the program, the package, the folder, the variable or the host.
	CodeRunsAsYou        = "runs-as-you"
	CodeOwnDemo          = "own-demo" // instead of it: this program itself, as the demo server
	CodeRunsShell        = "runs-shell"
	CodeRunsInline       = "runs-inline-code"
	CodeBatchFile        = "batch-file"
	CodeDownloadsCode    = "downloads-code"
	CodeNotPinned        = "not-pinned"
	CodeSharesSocket     = "shares-docker-socket"
	CodeSharesRoot       = "shares-root"
	CodeSharesHome       = "shares-home"
	CodeSharesFolder     = "shares-folder"
	CodeLeavesContainer  = "leaves-container"
	CodeChangesLoading   = "changes-loading"
	CodeSecretInArgument = "secret-in-argument"
	CodeSecretInPlain    = "secret-in-plain"
	CodeContactsHost     = "contacts-host"
	CodeRemoteBridge     = "remote-bridge"
	CodeInsecureURL      = "insecure-url"

	// More of the same code than is listed. Detail: how many more.
	CodeMore = "more"
)

// codeClasses is the table itself.
var codeClasses = map[string]Class{
	CodeSaysReads:    ClassRead,
	CodeSaysWrites:   ClassWrite,
	CodeSaysDestroys: ClassDestroy,
	CodeSaysSends:    ClassLeave,
	CodeRunsCode:     ClassDestroy,
	CodeTakesSQL:     ClassRead,
	CodeTakesAddress: ClassLeave,
	CodeHintWrites:   ClassWrite,
	CodeHintDestroys: ClassDestroy,
	CodeHintOpen:     ClassLeave,

	CodeDeletesFiles:    ClassDestroy,
	CodeOverwritesDisk:  ClassDestroy,
	CodeDiscardsHistory: ClassDestroy,
	CodeDeletesServices: ClassDestroy,
	CodeRunsAsRoot:      ClassDestroy,
	CodeRunsDownload:    ClassDestroy,
	CodeChangesRights:   ClassWrite,
	CodeStopsPrograms:   ClassWrite,
	CodeInstalls:        ClassWrite,
	CodeChangesStartup:  ClassWrite,
	CodeUsesNetwork:     ClassLeave,
	CodeMentionsCommand: ClassRead,
	CodeDeletesRows:     ClassDestroy,
	CodeDropsTables:     ClassDestroy,
	CodeChangesRows:     ClassWrite,
	CodeChangesSchema:   ClassWrite,
	CodeLeavesDatabase:  ClassDestroy,
	CodeUnclearSQL:      ClassUnknown,

	CodeLeavesComputer:  ClassLeave,
	CodePrivateAddress:  ClassLeave,
	CodeLocalAddress:    ClassUnknown,
	CodeMentionsAddress: ClassRead,
	CodeOddHost:         ClassUnknown,
	CodeURLCredentials:  ClassUnknown,
	CodeAbsolutePath:    ClassRead,
	CodeHomePath:        ClassRead,
	CodeParentPath:      ClassRead,
	CodeSensitivePath:   ClassUnknown,

	CodeHiddenCharacter: ClassUnknown,
	CodeLookAlike:       ClassUnknown,
	CodeBlankRun:        ClassUnknown,
	CodeLineBreak:       ClassUnknown,
	CodeSecretValue:     ClassUnknown,
	CodeAsksSecret:      ClassUnknown,

	CodeRunsAsYou:        ClassUnknown,
	CodeOwnDemo:          ClassRead,
	CodeRunsShell:        ClassDestroy,
	CodeRunsInline:       ClassDestroy,
	CodeBatchFile:        ClassUnknown,
	CodeDownloadsCode:    ClassLeave,
	CodeNotPinned:        ClassLeave,
	CodeSharesSocket:     ClassDestroy,
	CodeSharesRoot:       ClassDestroy,
	CodeSharesHome:       ClassDestroy,
	CodeSharesFolder:     ClassUnknown,
	CodeLeavesContainer:  ClassDestroy,
	CodeChangesLoading:   ClassWrite,
	CodeSecretInArgument: ClassUnknown,
	CodeSecretInPlain:    ClassUnknown,
	CodeContactsHost:     ClassLeave,
	CodeRemoteBridge:     ClassLeave,
	CodeInsecureURL:      ClassLeave,

	CodeMore: ClassRead,
}

// namesDestination reports whether a finding with this code says where data would go; with class leave that is high risk.
func namesDestination(code string) bool {
	switch code {
	case CodeLeavesComputer, CodePrivateAddress, CodeContactsHost, CodeRemoteBridge, CodeInsecureURL:
		return true
	}
	return false
}
