package transport

import (
	"errors"
	"strings"
	"testing"
)

const (
	testShell  = `C:\Windows\System32\cmd.exe`
	testPrefix = `"C:\Windows\System32\cmd.exe" /e:on /v:off /d /s /c ""C:\Program Files\nodejs\npx.cmd"`
)

// ACC A02, SEC A4.
func TestBatchLine(t *testing.T) {
	for _, test := range []struct{ arg, want string }{
		{`plain-1.0/x@y:z`, `plain-1.0/x@y:z`},
		{``, `""`},
		{`a b`, `"a b"`},
		{`a&calc`, `"a&calc"`},
		{`|<>^()!;,=`, `"|<>^()!;,="`},
		{`say "hi"`, `"say ""hi"""`},
		{`"&calc&"`, `"""&calc&"""`},
		{`C:\dir\`, `C:\dir\`},
		{`C:\my dir\`, `"C:\my dir\\"`},
		{`a\"b`, `"a\\""b"`},
		{`%PATH%`, `"%%cd:~,%PATH%%cd:~,%"`},
		{`100%`, `"100%%cd:~,%"`},
		{"a\tb", "\"a\tb\""},
		{`漢字🙂`, `"漢字🙂"`},
		{`{"json": [1, true]}`, `"{""json"": [1, true]}"`},
	} {
		got, err := batchLine(testShell, `C:\Program Files\nodejs\npx.cmd`, []string{test.arg, "last"})
		if want := testPrefix + " " + test.want + ` last"`; err != nil || got != want {
			t.Errorf("%q:\n got %s\nwant %s (%v)", test.arg, got, want, err)
		}
		if strings.Count(got, `"`)%2 != 0 {
			t.Errorf("%q: cmd.exe would end outside the quotes: %s", test.arg, got)
		}
	}
}

func TestBatchLineRefuses(t *testing.T) {
	for _, arg := range []string{"a\nb", "a\r", "\n", "a\x00b"} {
		var refused *BatchArgumentError
		_, err := batchLine(testShell, `C:\x.bat`, []string{"fine", arg})
		if !errors.As(err, &refused) || refused.Index != 1 || refused.Argument != arg || !strings.Contains(err.Error(), "argument 2") {
			t.Errorf("%q: %v", arg, err)
		}
	}
	for _, script := range []string{`C:\a"b.cmd`, `C:\x\`, `C:\%TEMP%\x.cmd`, "C:\\a\nb.cmd"} {
		var refused *BatchArgumentError
		if _, err := batchLine(testShell, script, nil); !errors.As(err, &refused) || refused.Index != -1 {
			t.Errorf("%q: %v", script, err)
		}
	}
	head := len(testPrefix) + len(` "`)
	if _, err := batchLine(testShell, `C:\Program Files\nodejs\npx.cmd`, []string{strings.Repeat("a", maxBatchLine-head)}); err != nil {
		t.Errorf("at the limit: %v", err)
	}
	if _, err := batchLine(testShell, `C:\Program Files\nodejs\npx.cmd`, []string{strings.Repeat("a", maxBatchLine-head+1)}); err == nil {
		t.Error("over the limit: accepted")
	}
}

func TestIsBatch(t *testing.T) {
	for path, want := range map[string]bool{`npx.cmd`: true, `X.BAT`: true, `node.exe`: false, `cmd`: false, `a.cmd.exe`: false} {
		if got := isBatch(path); got != want {
			t.Errorf("%s: %t", path, got)
		}
	}
}
