package transport

import "testing"

func TestStartStdioRefuses(t *testing.T) {
	t.Parallel()
	sup := supervisor(t)
	for name, c := range map[string]Command{
		"relative path":      {Path: "server"},
		"relative directory": {Path: self(), Dir: "x"},
		"NUL in argument":    {Path: self(), Args: []string{"a\x00b"}},
		"no variable":        {Path: self(), Env: []string{"x"}},
		"missing program":    {Path: "/nowhere/server"},
		"missing directory":  {Path: self(), Dir: "/nowhere"},
		"directory":          {Path: "/tmp"},
	} {
		s, err := StartStdio(t.Context(), c, &StdioOptions{Supervisor: sup})
		if err == nil {
			t.Errorf("%s: started", name)
			s.Close()
		}
	}
	if _, err := StartStdio(t.Context(), Command{Path: self()}, nil); err == nil {
		t.Error("started without a supervisor")
	}
	if got := runFiles(t, sup.dir); len(got) != 0 {
		t.Errorf("run files: %v", got)
	}
	if len(sup.trees) != 0 {
		t.Errorf("known trees: %v", sup.trees)
	}
}
