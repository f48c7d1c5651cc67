package consent

// This file is the published table of commands, and finds them in scripts.

import (
	"slices"
	"strings"
)

// commandTable has one rule a line: the code, the programs, and after a slash what must stand among their arguments: all
// of the words, each with alternatives. "-f" is also found in "-xdf", a * stands for any rest.
const commandTable = `
deletes-files      rm rmdir unlink shred srm del erase rd remove-item ri truncate trash
deletes-files      find / -delete
deletes-files      git / clean
deletes-files      git / rm
deletes-files      rsync / --delete*
deletes-files      robocopy / /mir|/purge
deletes-files      gsutil rclone / rm|delete|purge
overwrites-disk    mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mke2fs
overwrites-disk    wipefs blkdiscard sgdisk diskpart fdisk parted cryptsetup
overwrites-disk    format / *:*
overwrites-disk    dd / of=*
overwrites-disk    diskutil / erase*
discards-history   git / push -f|--force*|--delete|--mirror|+*
discards-history   git / reset --hard*
discards-history   git / branch -D|--delete
discards-history   git / checkout -f|--force|--
discards-history   git / stash drop|clear
discards-history   git / filter-branch|filter-repo
discards-history   git / reflog expire|delete
deletes-services   docker podman / rm|rmi|prune|down|kill
deletes-services   docker-compose / down|rm
deletes-services   kubectl oc / delete|drain
deletes-services   helm / uninstall|delete
deletes-services   terraform tofu pulumi cdk / destroy
deletes-services   aws az gcloud gh heroku fly / delete*|rm|rb|terminate*|destroy|purge
deletes-services   reg sc schtasks / delete
drops-tables       dropdb dropuser
drops-tables       mysqladmin / drop
drops-tables       redis-cli / flushall|flushdb
runs-as-root       sudo doas su pkexec runas gsudo
changes-rights     chmod chown chgrp setfacl icacls takeown chattr
stops-programs     kill pkill killall taskkill stop-process shutdown reboot halt poweroff
stops-programs     systemctl service launchctl sc net / stop|disable|mask|kill|unload|bootout
installs-software  apt apt-get dnf yum zypper apk brew port snap flatpak choco winget scoop / install|remove|purge|upgrade|uninstall|add|del|full-upgrade|dist-upgrade|autoremove
installs-software  pacman / -S|-R|-U
installs-software  pip pip3 pipx gem cargo go npm pnpm yarn bun uv poetry conda / install|add|i|uninstall|remove|update
installs-software  dpkg rpm / -i|-r|-P|-U|-e|--install|--remove
downloads-code     npx uvx bunx dnx pnpx
downloads-code     pipx uv npm pnpm yarn / run|exec|dlx|tool
changes-startup    crontab
changes-startup    systemctl / enable
changes-startup    launchctl / load|bootstrap|enable
changes-startup    schtasks / /create
uses-network       curl wget nc ncat netcat socat scp sftp ftp ssh telnet aria2c xh nslookup dig ngrok
uses-network       invoke-webrequest iwr invoke-restmethod irm start-bitstransfer bitsadmin certutil
uses-network       mail mailx sendmail mutt swaks smbclient rclone gsutil
uses-network       git / push|clone|fetch|pull|ls-remote
uses-network       rsync / *:*
uses-network       aws gcloud az gh
uses-network       docker podman / push|pull|login
uses-network       npm pnpm yarn cargo gem twine / publish|upload|push
`

// A rule is one line of the table for one program.
type rule struct {
	code string
	need [][]string // every element must be met by one of its alternatives
}

var (
	rules       = readRules(commandTable)
	shells      = strings.Fields("sh bash zsh dash ksh ash fish csh tcsh cmd powershell pwsh")
	interpreter = strings.Fields("python python2 python3 perl ruby node deno bun php lua osascript eval source . iex invoke-expression")
	fetchers    = strings.Fields("curl wget aria2c http https xh invoke-webrequest iwr invoke-restmethod irm")
	keywords    = strings.Fields("if then elif else do while until ! { time exec command builtin nohup setsid not")

	// carriers run the program named by a later word, after the word that is given here.
	carriers = map[string]string{
		"sudo": "", "doas": "", "su": "", "pkexec": "", "runas": "", "gsudo": "", "env": "", "nice": "", "ionice": "",
		"stdbuf": "", "timeout": "", "xargs": "", "watch": "", "parallel": "", "ssh": "", "chroot": "", "unshare": "",
		"strace": "", "find": "-exec*|-ok*", "fd": "-x|-X|--exec*", "docker": "exec|run", "podman": "exec|run",
		"kubectl": "--", "oc": "--", "cmd": "/c|/C|/k|/K",
	}
)

const (
	maxOperands = 4 // operands of a carrier among which its program is looked for
	maxCarriers = 8 // carriers before one program
)

func readRules(table string) map[string][]rule {
	byProgram := make(map[string][]rule)
	for line := range strings.Lines(table) {
		left, right, _ := strings.Cut(line, " / ")
		names := strings.Fields(left)
		if len(names) == 0 {
			continue
		}
		r := rule{code: names[0]}
		for _, alternatives := range strings.Fields(right) {
			r.need = append(r.need, strings.Split(alternatives, "|"))
		}
		for _, name := range names[1:] {
			byProgram[name] = append(byProgram[name], r)
		}
	}
	return byProgram
}

// program returns the name by which the table knows the program that w starts.
func program(w word) string {
	name := strings.TrimLeft(w.text, "{($@")
	name = name[strings.LastIndexAny(name, `/\`)+1:]
	name = strings.ToLower(name)
	for _, ending := range []string{".exe", ".cmd", ".bat"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// programs returns where the programs stand that the command runs: the first word after assignments and keywords, and
// whatever it carries, as in sudo xargs rm.
func programs(words []word) []int {
	var at []int
	for i := 0; i < len(words) && len(at) < maxCarriers; {
		name := program(words[i])
		if name == "" || isAssignment(words[i].text) || slices.Contains(keywords, name) {
			i++
			continue
		}
		at = append(at, i)
		after, carries := carriers[name]
		next := carried(words[i+1:], after)
		if !carries || next < 0 {
			break
		}
		i += 1 + next
	}
	return at
}

// carried returns the index of the first program of the table among the operands of a carrier, -1 if there is none.
func carried(words []word, after string) int {
	from := 0
	if after != "" {
		alternatives := strings.Split(after, "|")
		from = 1 + slices.IndexFunc(words, func(w word) bool { return anyMatches(alternatives, w.text) })
		if from == 0 {
			return -1
		}
	}
	operands := 0
	for i := from; i < len(words) && operands < maxOperands; i++ {
		if known(program(words[i])) {
			return i
		}
		if !strings.HasPrefix(words[i].text, "-") {
			operands++
		}
	}
	return -1
}

// last returns the words from the program that does the work on.
func last(words []word) []word {
	at := programs(words)
	if len(at) == 0 {
		return nil
	}
	return words[at[len(at)-1]:]
}

// runsInput reports whether the command, as far as it is read, runs what it is given: sh -c, eval, python -c.
func runsInput(words []word) bool {
	words = last(words)
	return len(words) > 0 && runsText(program(words[0]))
}

func runsText(name string) bool {
	return slices.Contains(shells, name) || slices.Contains(interpreter, name)
}

// runsStdin reports whether the command runs what is piped into it: a shell or an interpreter without a script.
func runsStdin(words []word) bool {
	if !runsInput(words) {
		return false
	}
	for _, w := range last(words)[1:] {
		switch {
		case w.text == "-s" || w.text == "-":
			return true
		case !strings.HasPrefix(w.text, "-") || slices.Contains([]string{"-m", "-c", "-e"}, w.text):
			return false
		}
	}
	return true
}

func isAssignment(text string) bool {
	name, _, ok := strings.Cut(text, "=")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

func known(name string) bool { return len(rules[name]) > 0 || runsText(name) }

// matches returns the index of the last word that the rule needs, 0 for the program itself, -1 if it does not apply.
func (r rule) matches(words []word) int {
	end := 0
	for _, alternatives := range r.need {
		i := slices.IndexFunc(words[1:subcommands(words, alternatives[0])], func(w word) bool { return anyMatches(alternatives, w.text) })
		if i < 0 {
			return -1
		}
		end = max(end, i+1)
	}
	return end
}

// maxSubcommand is the number of operands among which a subcommand stands, as in aws s3 rm.
const maxSubcommand = 3

// subcommands returns the end of the words where the pattern may stand. A flag stands anywhere; a subcommand stands
// early, and not behind run or exec, where another program's words begin.
func subcommands(words []word, pattern string) int {
	if !('a' <= pattern[0] && pattern[0] <= 'z') || strings.ContainsAny(pattern, "=:") {
		return len(words)
	}
	operands := 0
	for i, w := range words[1:] {
		if !strings.HasPrefix(w.text, "-") {
			operands++
		}
		if operands == maxSubcommand || w.text == "run" || w.text == "exec" {
			return i + 2
		}
	}
	return len(words)
}

func anyMatches(patterns []string, arg string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return argMatches(pattern, arg) })
}

func argMatches(pattern, arg string) bool {
	head, wild := strings.CutSuffix(pattern, "*")
	inner, both := strings.CutPrefix(head, "*")
	switch {
	case wild && both:
		return strings.Contains(arg, inner)
	case wild:
		return strings.HasPrefix(arg, head)
	case arg == pattern:
		return true
	}
	short := len(pattern) == 2 && pattern[0] == '-' && pattern[1] != '-'
	return short && len(arg) > 2 && arg[0] == '-' && arg[1] != '-' && strings.IndexByte(arg, pattern[1]) > 0
}

// shellSpans finds the commands of the table in a script.
func shellSpans(text string) []span {
	var j shellJudge
	eachCommand(text, j.command)
	return j.found
}

type shellJudge struct {
	found []span
	pipes [maxNesting + 1]pipe
}

// A pipe is what the commands before a | were.
type pipe struct {
	start   int
	fetches bool
}

func (j *shellJudge) command(c command) {
	for _, file := range c.files {
		j.target(file)
	}
	if len(c.words) == 0 {
		return
	}
	for _, at := range programs(c.words) {
		j.rules(c.words[at:])
	}
	words := last(c.words)
	if len(words) == 0 {
		return
	}
	name := program(words[0])
	before := j.pipes[c.depth]
	now := pipe{start: c.words[0].start, fetches: slices.Contains(fetchers, name)}
	switch {
	case c.piped && runsStdin(words) && before.fetches:
		j.found = append(j.found, span{CodeRunsDownload, before.start, words[0].end, name})
	case c.piped && runsStdin(words):
		j.found = append(j.found, span{CodeRunsInline, before.start, words[0].end, name})
	case c.fed && now.fetches:
		j.found = append(j.found, span{CodeRunsDownload, now.start, words[len(words)-1].end, name})
	}
	if c.piped {
		now = pipe{before.start, now.fetches || before.fetches}
	}
	j.pipes[c.depth] = now
}

// rules files the rules of the table that words meet. A span reaches from the program over its flags.
func (j *shellJudge) rules(words []word) {
	for _, r := range rules[program(words[0])] {
		end := r.matches(words)
		if end < 0 {
			continue
		}
		for end+1 < len(words) && strings.HasPrefix(words[end+1].text, "-") {
			end++
		}
		texts := make([]string, 0, end+1)
		for _, w := range words[:end+1] {
			texts = append(texts, w.text)
		}
		j.found = append(j.found, span{r.code, words[0].start, words[end].end, strings.Join(texts, " ")})
	}
}

// target judges the file that a redirection writes.
func (j *shellJudge) target(file word) {
	switch name := file.text; {
	case strings.HasPrefix(name, "/dev/tcp/") || strings.HasPrefix(name, "/dev/udp/"):
		j.found = append(j.found, span{CodeUsesNetwork, file.start, file.end, name})
	case strings.HasPrefix(name, "/dev/") && !slices.Contains([]string{"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"}, name):
		j.found = append(j.found, span{CodeOverwritesDisk, file.start, file.end, name})
	case startsPrograms(name):
		j.found = append(j.found, span{CodeChangesStartup, file.start, file.end, name})
	}
}

// startsPrograms reports whether a file is read when the user logs in or a shell starts.
func startsPrograms(name string) bool {
	for _, part := range []string{".bashrc", ".bash_profile", ".profile", ".zshrc", ".zprofile", ".zshenv", "/etc/profile", "/etc/cron", "/autostart/", "LaunchAgents", "/systemd/"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	return false
}
