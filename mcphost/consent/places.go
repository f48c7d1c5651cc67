package consent

// This file finds addresses and paths in text, and says where they lead.

import (
	"net/netip"
	"slices"
	"strings"
	"unicode"
)

// networkSchemes lead out of a program; other schemes (file, resource, memo) name things that the server itself keeps.
var networkSchemes = strings.Fields(`http https ws wss ftp ftps sftp ssh scp git git+ssh git+https rsync smb nfs ldap ldaps
	smtp smtps imap imaps pop3 telnet gopher dict tcp udp tls mysql mariadb postgres postgresql redis rediss mongodb
	mongodb+srv amqp amqps nats mqtt mqtts s3 gs az rtsp rtmp`)

// An address is the part of a URL that says where it leads.
type address struct {
	start, end int // bytes, from the scheme to the end of the host and port
	scheme     string
	userInfo   bool
	host       string // lower case, without port, brackets and final dot
}

const maxScheme = 16

// eachAddress finds the URLs of text that have a network scheme.
func eachAddress(text string, each func(address)) {
	for pos := 0; ; {
		i := strings.Index(text[pos:], "://")
		if i < 0 {
			return
		}
		mark := pos + i
		start := mark
		for start > pos && mark-start < maxScheme && isSchemeByte(text[start-1]) {
			start--
		}
		pos = mark + len("://")
		if scheme := strings.ToLower(text[start:mark]); slices.Contains(networkSchemes, scheme) {
			a := parseAuthority(text, pos)
			a.start, a.scheme = start, scheme
			pos = a.end
			each(a)
		}
	}
}

func isSchemeByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+'
}

// parseAuthority reads [user@]host[:port] from pos on. Slashes and backslashes before it are skipped, as browsers do.
func parseAuthority(text string, pos int) address {
	for pos < len(text) && (text[pos] == '/' || text[pos] == '\\') {
		pos++
	}
	end := len(text)
	if i := strings.IndexFunc(text[pos:], endsAuthority); i >= 0 {
		end = pos + i
	}
	a := address{start: pos, end: end}
	host := text[pos:end]
	if i := strings.LastIndexByte(host, '@'); i >= 0 {
		a.userInfo, host = true, host[i+1:]
	}
	if inner, ok := strings.CutPrefix(host, "["); ok {
		host, _, _ = strings.Cut(inner, "]")
	} else {
		host, _, _ = strings.Cut(host, ":")
	}
	a.host = strings.ToLower(strings.TrimRight(host, "."))
	return a
}

func endsAuthority(r rune) bool {
	return strings.ContainsRune("/\\?#\"'`<>{}|^,;()", r) || unicode.IsSpace(r)
}

// hostCode says where host leads: the code of the finding.
func hostCode(host string) string {
	if ip, err := netip.ParseAddr(host); err == nil {
		switch ip = ip.Unmap(); {
		case ip.IsLoopback():
			return CodeLocalAddress
		case ip.IsPrivate(), ip.IsLinkLocalUnicast(), ip.IsUnspecified(), sharedSpace.Contains(ip):
			return CodePrivateAddress
		}
		return CodeLeavesComputer
	}
	switch {
	case host == "localhost" || strings.HasSuffix(host, ".localhost"):
		return CodeLocalAddress
	case !strings.Contains(host, ".") && !numeric(host), strings.HasSuffix(host, ".local"), strings.HasSuffix(host, ".internal"), strings.HasSuffix(host, ".lan"):
		return CodePrivateAddress
	}
	return CodeLeavesComputer
}

// sharedSpace is the carriers' private range (RFC 6598).
var sharedSpace = netip.MustParsePrefix("100.64.0.0/10")

// numeric reports whether host is a number in some base, as in 0x7f000001.
func numeric(host string) bool {
	return host != "" && strings.Trim(host, "0123456789abcdefx") == "" && '0' <= host[0] && host[0] <= '9'
}

// oddHost reports whether a host's name is not what it seems: Punycode, other letters than ASCII, or an IP address in a
// form that few people recognise (octal, hexadecimal, one number).
func oddHost(host string) bool {
	for label := range strings.SplitSeq(host, ".") {
		if strings.HasPrefix(label, "xn--") {
			return true
		}
	}
	for _, r := range host {
		if r > unicode.MaxASCII {
			return true
		}
	}
	_, err := netip.ParseAddr(host)
	last := host[strings.LastIndexByte(host, '.')+1:]
	return err != nil && numeric(last)
}

// addressSpans judges one address. mention says that the text around it is prose: then it is only told.
func addressSpans(a address, own string, mention bool) []span {
	if a.host == "" || a.host == own {
		return nil
	}
	code := hostCode(a.host)
	if mention {
		code = CodeMentionsAddress
	}
	return append([]span{{code, a.start, a.end, a.host}}, a.oddities()...)
}

// oddities are what makes an address hard to read right.
func (a address) oddities() []span {
	var found []span
	if a.userInfo {
		found = append(found, span{CodeURLCredentials, a.start, a.end, a.host})
	}
	if oddHost(a.host) {
		found = append(found, span{CodeOddHost, a.start, a.end, a.host})
	}
	return found
}

// isEmail reports whether text is one mail address and nothing else.
func isEmail(text string) bool {
	local, host, ok := strings.Cut(text, "@")
	return ok && local != "" && strings.Contains(host, ".") && !strings.ContainsAny(text, " \t\n/:,;<>\"") && strings.Count(text, "@") == 1
}

const maxPath = 4096

// pathCode says what kind of path text is, "" if it is none. isPath says that its name promises one.
func pathCode(text string, isPath bool) string {
	path := strings.TrimPrefix(text, "file://")
	if path == "" || len(path) > maxPath || strings.ContainsAny(path, "\n\r") {
		return ""
	}
	sure := isPath || path != text || !strings.Contains(path, " ")
	switch {
	case !sure:
		return ""
	case slices.Contains(strings.FieldsFunc(path, func(r rune) bool { return r == '/' || r == '\\' }), ".."):
		return CodeParentPath
	case path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, "$HOME") || strings.HasPrefix(path, "${HOME}") || strings.HasPrefix(path, "%USERPROFILE%"):
		return CodeHomePath
	case startsWithDrive(path), strings.HasPrefix(path, `\\`), strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "//"):
		return CodeAbsolutePath
	}
	return ""
}

// startsWithDrive reports whether path begins like C:\ or C:/.
func startsWithDrive(path string) bool {
	return len(path) >= 3 && isSchemeByte(path[0]) && path[1] == ':' && (path[2] == '\\' || path[2] == '/')
}

// sensitivePaths hold keys, passwords and what runs at the next start.
var sensitivePaths = []string{
	"/.ssh", ".ssh/", "id_rsa", "id_ed25519", "id_ecdsa", "/.gnupg", ".gnupg/", ".aws/", ".azure/", "gcloud/", ".kube/", ".docker/config",
	".netrc", ".npmrc", ".pypirc", ".git-credentials", ".pgpass", ".my.cnf", "/etc/shadow", "/etc/passwd", "/etc/sudoers", "/proc/self/environ",
	"/keyrings", "Keychains", "Login Data", "cookies.sqlite", "logins.json", "wallet.dat", ".bash_history", ".zsh_history", ".env",
}

// sensitiveSpans finds sensitive paths in a path or a script.
func sensitiveSpans(text string) []span {
	var found []span
	for _, needle := range sensitivePaths {
		for pos := 0; len(found) < maxNeedles; {
			i := strings.Index(text[pos:], needle)
			if i < 0 {
				break
			}
			start, end := pos+i, pos+i+len(needle)
			pos = end
			// ".env" is a file, ".environment" and "process.env" are not.
			if needle == ".env" && (start > 0 && !strings.ContainsRune("/\\ \"'=\n\t", rune(text[start-1])) || end < len(text) && isSQLLetter(text[end])) {
				continue
			}
			found = append(found, span{CodeSensitivePath, start, end, strings.Trim(needle, "/")})
		}
	}
	if startsPrograms(text) && len(text) <= maxPath && !strings.Contains(text, "\n") {
		found = append(found, span{CodeChangesStartup, 0, len(text), text})
	}
	return found
}

// maxNeedles bounds the findings of one search in one string; the table lists fewer anyway.
const maxNeedles = 100
