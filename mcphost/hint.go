package mcphost

// This file guesses the likely cause of a failure from its error, exit code and last lines. A guess is a code: the
// sentence, with a fix, is in the page's catalogue. What a server wrote only ever chooses among them.

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io/fs"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"gatehouse/mcphost/transport"
)

// Hint returns a key of the catalogue's servers.crash.hints, "" if nothing more is known than Code says. c is the
// server that failed.
func (f *Failure) Hint(c Config) string {
	var missing *transport.NotFoundError
	switch {
	case errors.As(f.Err, &missing):
		return install[strings.TrimSuffix(strings.ToLower(filepath.Base(missing.Command)), ".exe")]
	case f.Code == "timeout" && c.Transport == HTTP:
		return "slow"
	}
	return cmp.Or(startHint(f.Err), proxyHint(f.Err), statusHint(f.Err), networkHint(f.Err), shellHint(f.ExitCode), writtenHint(slices.Concat(f.Stderr.First, f.Stderr.Last)), endHint(f))
}

// install names what a well-known missing command comes with.
var install = map[string]string{
	"npx": "install-node", "npm": "install-node", "node": "install-node",
	"uvx": "install-uv", "uv": "install-uv",
	"python": "install-python", "python3": "install-python", "pip": "install-python", "pipx": "install-python",
	"docker": "install-docker", "podman": "install-docker",
}

// startHint reads why a program that is there could not be executed.
func startHint(err error) string {
	var at *fs.PathError
	if !errors.As(err, &at) {
		return ""
	}
	switch {
	case at.Op == "stat", at.Op == "chdir": // before the start, or it has gone since
		return "missing-folder"
	case errors.Is(at, fs.ErrPermission):
		return "not-executable"
	case errors.Is(at, syscall.ENOEXEC):
		return "wrong-format"
	case errors.Is(at, fs.ErrNotExist): // the file was found, so it is what its first line names
		return "missing-interpreter"
	}
	return ""
}

// proxyHint tells the failures of the way from those of the server at its end.
func proxyHint(err error) string {
	var proxy *transport.ProxyError
	var answer *transport.HTTPError
	isProxy := errors.As(err, &proxy)
	switch {
	case isProxy && proxy.Status == http.StatusProxyAuthRequired, errors.As(err, &answer) && answer.Status == http.StatusProxyAuthRequired:
		return "proxy-password"
	case isProxy:
		return "proxy"
	}
	return ""
}

func statusHint(err error) string {
	var answer *transport.HTTPError
	if !errors.As(err, &answer) {
		return ""
	}
	switch s := answer.Status; {
	case s >= 300 && s < 400:
		return "redirect"
	case s == 401 || s == 403:
		return "unauthorised"
	case s == 404 || s == 405 || s == 410:
		return "wrong-address"
	case s == 429:
		return "too-many"
	case s >= 500:
		return "server-fault"
	}
	return ""
}

func networkHint(err error) string {
	var (
		authority x509.UnknownAuthorityError
		name      x509.HostnameError
		invalid   x509.CertificateInvalidError
		record    tls.RecordHeaderError
		lookup    *net.DNSError
	)
	switch {
	case errors.As(err, &authority):
		return "tls-authority"
	case errors.As(err, &name):
		return "tls-name"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "tls-expired"
	case errors.As(err, &record), err != nil && strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return "not-tls"
	case errors.As(err, &lookup):
		return "unknown-host"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused"
	case errors.Is(err, syscall.ENETUNREACH), errors.Is(err, syscall.EHOSTUNREACH):
		return "no-network"
	}
	return ""
}

// written is how runtimes and package managers put it, in the order in which it is looked for: what says most comes
// first. Each holds for one line.
var written = []struct {
	hint string
	line *regexp.Regexp
}{
	{"npx-asks", regexp.MustCompile(`(?i)ok to proceed\?`)},
	{"port-in-use", regexp.MustCompile(`(?i)eaddrinuse|address already in use`)},
	{"disk-full", regexp.MustCompile(`(?i)enospc|no space left on device`)},
	{"memory", regexp.MustCompile(`(?i)heap out of memory|\bMemoryError\b|cannot allocate memory`)},
	{"docker-off", regexp.MustCompile(`(?i)cannot connect to the docker daemon|is the docker daemon running`)},
	{"old-runtime", regexp.MustCompile(`(?i)ebadengine|unsupported engine|requires python|requires node|requires a different python`)},
	{"missing-package", regexp.MustCompile(`(?i)npm (error|err!) (code e404|404)|no matching distribution found|not found in the package registry`)},
	{"no-network", regexp.MustCompile(`(?i)\benotfound\b|eai_again|enetunreach|could not resolve host|failure in name resolution|network is unreachable`)},
	{"missing-module", regexp.MustCompile(`(?i)cannot find (module|package)|err_module_not_found|modulenotfounderror|no module named`)},
	{"needs-refused", regexp.MustCompile(`(?i)econnrefused|connection refused`)},
	{"permission", regexp.MustCompile(`(?i)\beacces\b|\beperm\b|permission denied|permissionerror|operation not permitted`)},
	{"credentials", regexp.MustCompile(`(?i)(api.?key|token|credential|password).*(missing|required|invalid|not set|not provided|expired|must)|` +
		`(missing|requires?|invalid|no|set|provide|expired) (an? |the |your )?\S*(api.?key|token|credential|password)|unauthorized|authentication failed`)},
	{"missing-variable", regexp.MustCompile(`(?i)environment variable.*(missing|required|not set|must)|(missing|required|set the).*environment variable|\b[A-Z][A-Z0-9_]{3,} (is not set|is required|must be set)`)},
	{"arguments", regexp.MustCompile(`(?i)^usage:|(unknown|unrecogni[sz]ed|unexpected|invalid) (option|argument)s?\b|missing required (option|argument)`)},
	{"missing-file", regexp.MustCompile(`(?i)\benoent\b|no such file or directory|filenotfounderror`)},
}

func writtenHint(lines []string) string {
	for _, w := range written {
		if slices.ContainsFunc(lines, w.line.MatchString) {
			return w.hint
		}
	}
	return ""
}

// shellHint knows the exit codes by which POSIX shells, env and their like say that they could not run a program.
func shellHint(code int) string {
	switch code {
	case 126:
		return "not-executable"
	case 127:
		return "missing-command"
	}
	return ""
}

// endHint is for a program that has not said why it ended.
func endHint(f *Failure) string {
	switch f.Signal {
	case "SIGKILL":
		return "killed"
	case "SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP":
		return "fault"
	}
	if f.Code == "exited" && f.ExitCode == 0 {
		return "nothing-to-do"
	}
	return ""
}
