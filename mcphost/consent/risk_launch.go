package consent

// This file judges a launch: what runs or is contacted when a server starts.

import (
	"os"
	"slices"
	"strconv"
	"strings"
)

// LaunchRisk judges what a server's start would run or contact.
func LaunchRisk(l Launch) Risk {
	r := newReport()
	if l.Transport == "stdio" || l.Command != "" {
		r.command(l)
	}
	if l.URL != "" {
		r.url(l.URL)
	}
	r.variables("env/", l.Env)
	r.variables("headers/", l.Headers)
	return r.risk()
}

// DemoCommand is the command of this program that runs its demo server.
const DemoCommand = "demo-server"

// IsDemo reports whether this command is this very program, by its path, told to be the demo server. A name says nothing.
func IsDemo(command string, args []string) bool {
	self, err := os.Executable()
	return err == nil && command == self && len(args) == 1 && args[0] == DemoCommand
}

// command judges a local server: it always runs with the user's rights, whatever else is found.
func (r *report) command(l Launch) {
	name := program(word{text: l.Command})
	if IsDemo(l.Command, l.Args) {
		r.add(CodeOwnDemo, "command", name)
	} else {
		r.add(CodeRunsAsYou, "command", name)
	}
	r.spans(fixed("command"), l.Command, textSpans(l.Command, true))
	r.spans(fixed("dir"), l.Dir, textSpans(l.Dir, true))
	for i, arg := range l.Args {
		r.spans(fixed(argument(i)), arg, argumentSpans(arg))
		if flag := flagName(l.Args, i); looksSecretArgument(flag, arg) {
			r.add(CodeSecretInArgument, argument(i), flag)
		}
	}
	words := make([]word, 0, min(len(l.Args)+1, maxWords))
	words = append(words, word{text: l.Command})
	for _, arg := range l.Args[:min(len(l.Args), maxWords-1)] {
		words = append(words, word{text: arg})
	}
	for _, at := range programs(words) {
		pointer := "command"
		if at > 0 {
			pointer = argument(at - 1)
		}
		r.program(pointer, words[at], l.Args, at)
		if isContainer(words[at]) {
			break // what runs in the container is the container's
		}
	}
	for i, arg := range l.Args {
		if arg == "mcp-remote" || strings.HasPrefix(arg, "mcp-remote@") {
			r.add(CodeRemoteBridge, argument(i), firstURL(l.Args[i:]))
		}
	}
}

func fixed(pointer string) func() string { return func() string { return pointer } }

func argument(i int) string { return "args/" + strconv.Itoa(i) }

// argumentSpans judges the text of one argument, which no shell reads.
func argumentSpans(arg string) []span {
	found := textSpans(arg, true)
	if i := strings.IndexAny(arg, "\n\r"); i >= 0 {
		found = append(found, span{CodeLineBreak, i, i + 1, strconv.Itoa(strings.Count(arg, "\n") + 1)})
	}
	eachAddress(arg, func(a address) {
		if oddHost(a.host) {
			found = append(found, span{CodeOddHost, a.start, a.end, a.host})
		}
		if a.scheme == "http" && hostCode(a.host) != CodeLocalAddress {
			found = append(found, span{CodeInsecureURL, a.start, a.end, a.host})
		}
	})
	return found
}

// flagName returns the name that argument i is the value of, as in --name value and --name=value.
func flagName(args []string, i int) string {
	if name, _, ok := strings.Cut(args[i], "="); ok && !strings.Contains(name, "/") {
		return strings.TrimLeft(name, "-")
	}
	if i > 0 && strings.HasPrefix(args[i-1], "-") && !strings.HasPrefix(args[i], "-") && !strings.Contains(args[i-1], "=") {
		return strings.TrimLeft(args[i-1], "-")
	}
	return ""
}

func looksSecretArgument(flag, arg string) bool {
	if name, value, ok := strings.Cut(arg, "="); ok && strings.TrimLeft(name, "-") == flag {
		arg = value
	}
	if flag == "header" || flag == "H" {
		if name, value, ok := strings.Cut(arg, ":"); ok {
			return LooksSecret(name, value)
		}
	}
	return LooksSecret(flag, arg) || secretQuery(arg)
}

// program judges one of the programs that a command runs, as in env X=1 bash -c …; its own arguments start at all[at].
func (r *report) program(pointer string, w word, all []string, at int) {
	name, lower := program(w), strings.ToLower(w.text)
	if strings.HasSuffix(lower, ".bat") || strings.HasSuffix(lower, ".cmd") {
		r.add(CodeBatchFile, pointer, name)
	}
	if slices.ContainsFunc(rules[name], func(rule rule) bool { return rule.code == CodeRunsAsRoot }) {
		r.add(CodeRunsAsRoot, pointer, name)
	}
	r.shell(pointer, name, all, at)
	r.packages(pointer, name, all, at)
	if isContainer(w) {
		r.container(all, at)
	}
}

func isContainer(w word) bool { return program(w) == "docker" || program(w) == "podman" }

// inlineFlags make a program run code that stands among its arguments.
var inlineFlags = map[string]string{
	"sh": "-c", "bash": "-c", "zsh": "-c", "dash": "-c", "ksh": "-c", "ash": "-c", "fish": "-c", "csh": "-c", "tcsh": "-c",
	"cmd": "/c /k", "powershell": "-command -c -encodedcommand -enc -e", "pwsh": "-command -c -encodedcommand -enc -e",
	"node": "-e --eval -p --print", "bun": "-e --eval", "deno": "eval", "python": "-c", "python2": "-c", "python3": "-c",
	"perl": "-e", "ruby": "-e", "php": "-r", "lua": "-e", "osascript": "-e",
}

// shell judges shells and interpreters with inline code.
func (r *report) shell(pointer, name string, all []string, at int) {
	isShell := slices.Contains(shells, name)
	if isShell {
		r.add(CodeRunsShell, pointer, name)
	}
	for i := at; i < len(all); i++ {
		if !isInline(name, all[i]) {
			continue
		}
		r.add(CodeRunsInline, argument(i), all[i])
		if i+1 < len(all) {
			r.script(argument(i+1), all[i+1], isShell)
		}
		return
	}
}

// script judges inline code. A single word is a program, which is judged by itself.
func (r *report) script(pointer, text string, isShell bool) {
	found := codeSpans(text)
	if isShell && strings.ContainsAny(text, " \t\n") {
		found = append(found, shellSpans(text)...)
	}
	eachAddress(text, func(a address) { found = append(found, addressSpans(a, "", false)...) })
	r.spans(fixed(pointer), text, found)
}

// isInline reports whether arg makes the program run the next argument; shells take it among other letters (-lc).
func isInline(name, arg string) bool {
	flags := strings.Fields(inlineFlags[name])
	arg = strings.ToLower(arg)
	flag, _, _ := strings.Cut(arg, "=")
	return slices.Contains(flags, flag) || slices.Contains(flags, "-c") && argMatches("-c", arg)
}

// packageRunners download what they run; the values are the flags whose next argument is no package.
var packageRunners = map[string][]string{
	"npx": {"-p", "--package", "-c", "--call", "--registry", "--cache", "--userconfig"}, "bunx": nil, "pnpx": nil,
	"uvx": {"--python", "-p", "--with", "--index-url", "--index", "--extra-index-url", "--from"}, "dnx": {"--source", "--version"},
}

// packages judges npx, uvx and the like: they download code, and unless a version is named it can change.
func (r *report) packages(pointer, name string, all []string, at int) {
	name, skip := runner(name, all[at:])
	withValue, runs := packageRunners[name]
	if !runs {
		return
	}
	r.add(CodeDownloadsCode, pointer, name)
	named := false // by a flag
	for i := at + skip; i < len(all); i++ {
		flag, value, joined := strings.Cut(all[i], "=")
		if !strings.HasPrefix(flag, "-") {
			if !named {
				r.pin(argument(i), all[i])
			}
			return
		}
		if !joined && slices.Contains(withValue, flag) && i+1 < len(all) {
			i++
			value = all[i]
		}
		if namesPackage(flag) {
			named = true
			r.pin(argument(i), value)
		}
	}
}

// runner returns which of packageRunners the program is, and how many words of its arguments make it one.
func runner(name string, args []string) (string, int) {
	first, second := "", ""
	if len(args) > 0 {
		first = args[0]
	}
	if len(args) > 1 {
		second = args[1]
	}
	switch {
	case name == "npm" && (first == "exec" || first == "x"), (name == "pnpm" || name == "yarn") && first == "dlx", name == "bun" && first == "x":
		return "npx", 1
	case name == "pipx" && first == "run":
		return "uvx", 1
	case name == "uv" && first == "tool" && second == "run":
		return "uvx", 2
	}
	return name, 0
}

// namesPackage reports whether a flag says from which package the command comes, or which is added.
func namesPackage(flag string) bool {
	return slices.Contains([]string{"-p", "--package", "--from", "--with"}, flag)
}

// pin files a package without an exact version.
func (r *report) pin(pointer, spec string) {
	version := ""
	switch at := strings.LastIndexByte(spec, '@'); {
	case strings.Contains(spec, "=="):
		_, version, _ = strings.Cut(spec, "==")
	case at > 0:
		version = spec[at+1:]
	}
	exact := version != "" && '0' <= version[0] && version[0] <= '9' && !strings.ContainsAny(version, "*xX |<>^~")
	switch {
	case exact:
	case version != "":
		r.add(CodeNotPinned, pointer, version)
	default:
		r.add(CodeNotPinned, pointer, spec)
	}
}

// variables judges environment variables and headers. A reference is resolved at the start and shows no value.
func (r *report) variables(prefix string, vars []Var) {
	for _, v := range vars {
		pointer := prefix + v.Name
		r.spans(fixed(pointer), v.Value, textSpans(v.Value, false))
		if found := hiddenSpans(v.Name); len(found) > 0 {
			r.add(CodeHiddenCharacter, pointer, found[0].detail)
		}
		if prefix == "env/" && DangerVariable(v.Name) {
			r.add(CodeChangesLoading, pointer, v.Name)
		}
		if v.Ref == "" && (LooksSecret(v.Name, v.Value) || secretQuery(v.Value)) {
			r.add(CodeSecretInPlain, pointer, v.Name)
		}
	}
}

var dangerVariables = strings.Fields(`PATH PATHEXT PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONINSPECT NODE_OPTIONS NODE_PATH
	NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED NPM_CONFIG_REGISTRY UV_INDEX_URL UV_DEFAULT_INDEX PIP_INDEX_URL
	PIP_EXTRA_INDEX_URL RUBYOPT RUBYLIB PERL5OPT PERL5LIB PERLLIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH
	BASH_ENV ENV SHELLOPTS BASHOPTS PROMPT_COMMAND IFS ZDOTDIR COMSPEC DOTNET_STARTUP_HOOKS CORECLR_PROFILER_PATH GCONV_PATH
	GIT_SSH GIT_SSH_COMMAND GIT_EXEC_PATH GIT_CONFIG_GLOBAL EDITOR VISUAL PAGER BROWSER SSH_ASKPASS HTTP_PROXY HTTPS_PROXY
	ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE DOCKER_HOST HOME`)

// DangerVariable reports whether an environment variable changes which code a program loads or whom it trusts.
func DangerVariable(name string) bool {
	name = strings.ToUpper(name)
	return strings.HasPrefix(name, "LD_") || strings.HasPrefix(name, "DYLD_") || slices.Contains(dangerVariables, name)
}

// url judges the address of a remote server: the one that text begins with. What looks like another is its path or query.
func (r *report) url(text string) {
	found := textSpans(text, true)
	eachAddress(text, func(a address) {
		if strings.TrimSpace(text[:a.start]) != "" {
			return
		}
		found = append(found, a.oddities()...)
		if hostCode(a.host) == CodeLocalAddress {
			found = append(found, span{CodeLocalAddress, a.start, a.end, a.host})
			return
		}
		if a.scheme == "http" || a.scheme == "ws" {
			found = append(found, span{CodeInsecureURL, a.start, a.end, a.host})
		}
		found = append(found, span{CodeContactsHost, a.start, a.end, a.host})
	})
	r.spans(fixed("url"), text, found)
	if secretQuery(text) || LooksSecret("", text) {
		r.add(CodeSecretInPlain, "url", "url")
	}
}

func firstURL(args []string) string {
	for _, arg := range args {
		if strings.Contains(arg, "://") {
			return arg
		}
	}
	return ""
}
