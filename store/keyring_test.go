package store

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"
)

// fakeKeyring is a keyring whose faults can be chosen.
type fakeKeyring struct {
	values  map[string]string
	fault   func(value string) error // of every operation
	lossy   bool                     // Set reports success and keeps nothing, like a dismissed prompt
	blocked chan struct{}            // if not nil, every operation waits for it
}

func (f *fakeKeyring) enter(value string) error {
	if f.blocked != nil {
		<-f.blocked
	}
	if f.fault != nil {
		return f.fault(value)
	}
	return nil
}

func (f *fakeKeyring) Probe() error { return f.enter("") }

func (f *fakeKeyring) Get(_, user string) (string, error) {
	if err := f.enter(""); err != nil {
		return "", err
	}
	value, ok := f.values[user]
	if !ok {
		return "", keyring.ErrNotFound
	}
	return value, nil
}

func (f *fakeKeyring) Set(_, user, password string) error {
	if err := f.enter(password); err != nil {
		return err
	}
	if !f.lossy {
		f.values[user] = password
	}
	return nil
}

func (f *fakeKeyring) Delete(_, user string) error {
	if err := f.enter(""); err != nil {
		return err
	}
	if _, ok := f.values[user]; !ok {
		return keyring.ErrNotFound
	}
	delete(f.values, user)
	return nil
}

const canary = "canary-value-4d1f"

func newFake(f *fakeKeyring) *Keyring {
	f.values = map[string]string{}
	return NewKeyring(&SecretsOptions{backend: f})
}

func TestSecrets(t *testing.T) {
	for name, s := range map[string]interface {
		Secret(context.Context, string) (string, error)
		PutSecret(context.Context, string, string) error
		DeleteSecret(context.Context, string) error
	}{
		"keyring": newFake(&fakeKeyring{}),
		"memory":  new(Memory),
	} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			_, err := s.Secret(ctx, "ref")
			wantErr(t, err, ErrNoSecret)
			for _, value := range []string{"one", "two\nlines", strings.Repeat("é", 2000)} {
				check(t, s.PutSecret(ctx, "ref", value))
				got, err := s.Secret(ctx, "ref")
				check(t, err)
				if got != value {
					t.Errorf("got %q", got)
				}
			}
			check(t, s.DeleteSecret(ctx, "ref"))
			check(t, s.DeleteSecret(ctx, "ref"))
			_, err = s.Secret(ctx, "ref")
			wantErr(t, err, ErrNoSecret)
			for _, bad := range [][2]string{{"", "v"}, {"ref", ""}, {"ref", canary + "\xff"}, {"ref", canary + "\x00"}} {
				if err := s.PutSecret(ctx, bad[0], bad[1]); err == nil || strings.Contains(err.Error(), canary) {
					t.Errorf("%q: error %v", bad, err)
				}
			}
		})
	}
}

func TestKeyringFaults(t *testing.T) {
	for name, c := range map[string]struct {
		fake fakeKeyring
		want error
	}{
		"too big":          {fakeKeyring{fault: func(string) error { return keyring.ErrSetDataTooBig }}, ErrSecretTooBig},
		"prompt dismissed": {fakeKeyring{lossy: true}, ErrSecretRefused},
		"value in error":   {fakeKeyring{fault: func(v string) error { return errors.New("cannot keep " + v) }}, ErrSecretRefused},
		"no keyring":       {fakeKeyring{fault: func(string) error { return keyring.ErrUnsupportedPlatform }}, ErrNoKeyring},
		"panic":            {fakeKeyring{fault: func(v string) error { panic(v) }}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			err := newFake(&c.fake).PutSecret(t.Context(), "ref", canary)
			if err == nil || strings.Contains(err.Error(), canary) {
				t.Fatalf("error %v", err)
			}
			if c.want != nil {
				wantErr(t, err, c.want)
			}
		})
	}
}

func TestKeyringWaitsForItsPrompt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := &fakeKeyring{blocked: make(chan struct{})}
		k := newFake(fake)
		start := time.Now()
		wantErr(t, k.PutSecret(t.Context(), "ref", "v"), ErrKeyringSilent)
		_, err := k.Secret(t.Context(), "ref") // does not pile up behind the first
		wantErr(t, err, ErrKeyringSilent)
		if waited := time.Since(start); waited != 2*keyringTimeout {
			t.Errorf("waited %v", waited)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = k.Secret(gone, "ref")
		wantErr(t, err, context.Canceled)

		close(fake.blocked) // the user typed the password
		synctest.Wait()
		got, err := k.Secret(t.Context(), "ref")
		check(t, err)
		if got != "v" {
			t.Errorf("got %q", got)
		}
	})
}

func TestOpenSecrets(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := &fakeKeyring{blocked: make(chan struct{})}
		for name, c := range map[string]struct {
			fake   *fakeKeyring
			where  string
			reason error
		}{
			"works":  {&fakeKeyring{}, SecretsKeyring, nil},
			"absent": {&fakeKeyring{fault: func(string) error { return keyring.ErrUnsupportedPlatform }}, SecretsSession, ErrNoKeyring},
			"odd":    {&fakeKeyring{fault: func(string) error { return ErrSecretRefused }}, SecretsSession, ErrSecretRefused},
			"silent": {silent, SecretsKeyring, ErrKeyringSilent},
		} {
			secrets, state := OpenSecrets(t.Context(), &SecretsOptions{backend: c.fake})
			if _, memory := secrets.(*Memory); memory != (c.where == SecretsSession) || state.Where != c.where {
				t.Errorf("%s: %T, state %+v", name, secrets, state)
			}
			if (c.reason == nil) != (state.Reason == "") || c.reason != nil && !strings.Contains(state.Reason, c.reason.Error()) {
				t.Errorf("%s: reason %q", name, state.Reason)
			}
		}
		close(silent.blocked)
	})
}

// TestNoSessionBus: the D-Bus library would start a bus of its own and leave it behind.
func TestNoSessionBus(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	if keyringReachable() == nil {
		t.Skip("this system has a session bus at a fixed place, or needs none")
	}
	_, state := OpenSecrets(t.Context(), nil)
	if state.Where != SecretsSession || !strings.Contains(state.Reason, ErrNoKeyring.Error()) {
		t.Errorf("state %+v", state)
	}
	if got := os.Getenv("DBUS_SESSION_BUS_ADDRESS"); got != "" {
		t.Errorf("a bus was started at %s", got)
	}
}

// TestKeyringOfTheSystem writes to the real keyring, which must be one made for the test.
func TestKeyringOfTheSystem(t *testing.T) {
	if os.Getenv("GATEHOUSE_TEST_KEYRING") != "1" {
		t.Skip("set GATEHOUSE_TEST_KEYRING=1 in a session with a keyring of its own, as make test does")
	}
	ctx := t.Context()
	secrets, state := OpenSecrets(ctx, nil)
	if state.Where != SecretsKeyring || state.Reason != "" {
		t.Fatalf("state %+v", state)
	}
	value := canary + strings.Repeat("ü", 3000)
	check(t, secrets.PutSecret(ctx, "test-ref", value))
	got, err := secrets.Secret(ctx, "test-ref")
	check(t, err)
	if got != value {
		t.Errorf("got %d bytes", len(got))
	}
	check(t, secrets.PutSecret(ctx, "test-ref", "second"))
	got, err = NewKeyring(nil).Secret(ctx, "test-ref") // as the next start of the program
	check(t, err)
	if got != "second" {
		t.Errorf("got %q", got)
	}
	check(t, secrets.DeleteSecret(ctx, "test-ref"))
	_, err = secrets.Secret(ctx, "test-ref")
	wantErr(t, err, ErrNoSecret)
}
