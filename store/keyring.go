package store

// This file keeps secrets in the keyring of the operating system: Secret Service, Keychain or Credential Manager.

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/zalando/go-keyring"

	"gatehouse/mcphost"
)

var (
	_ mcphost.Secrets = (*Keyring)(nil)
	_ mcphost.Secrets = (*Memory)(nil)
)

// Errors of secrets that callers branch on. No error holds a secret's value.
var (
	ErrNoSecret      = errors.New("it is not there: please enter it again")
	ErrSecretTooBig  = errors.New("it is too long for the keyring of this system")
	ErrSecretRefused = errors.New("the keyring did not keep it")
	ErrKeyringSilent = errors.New("the keyring did not answer in time; it may be waiting for its password")
	ErrNoKeyring     = errors.New("this session has no keyring that can be used")
)

const (
	keyringService = "gatehouse"
	keyringTimeout = 5 * time.Second
)

// SecretsOptions are the options of [OpenSecrets]. The zero value is ready to use.
type SecretsOptions struct {
	Timeout time.Duration // of one keyring operation, default 5 s
	Logger  *slog.Logger  // default: discard
	backend keyringBackend
}

// keyringBackend is what we use of go-keyring.
type keyringBackend interface {
	Probe() error
	Get(service, user string) (string, error)
	Set(service, user, password string) error
	Delete(service, user string) error
}

// SecretsState says where secrets are kept, for the user to know.
type SecretsState struct {
	Where  string // SecretsKeyring or SecretsSession
	Reason string // why not in the keyring, or what is wrong with it; "" = all is well
}

// The values of SecretsState.Where.
const (
	SecretsKeyring = "keyring"
	SecretsSession = "session" // in memory, until the program ends
)

// OpenSecrets finds out whether the keyring works and returns it, or memory for this session with the reason why.
// A locked keyring is a working one: the system asks for its password when a secret is needed, and each operation says so
// until it has it. OpenSecrets may take as long as the timeout.
func OpenSecrets(ctx context.Context, o *SecretsOptions) (mcphost.Secrets, SecretsState) {
	k := NewKeyring(o)
	err := k.Probe(ctx)
	switch {
	case err == nil:
		return k, SecretsState{Where: SecretsKeyring}
	case errors.Is(err, ErrKeyringSilent):
		return k, SecretsState{Where: SecretsKeyring, Reason: err.Error()}
	}
	k.log.Warn("secrets are kept for this session only", "err", err)
	return new(Memory), SecretsState{Where: SecretsSession, Reason: err.Error()}
}

// A Keyring implements [mcphost.Secrets] with the keyring of the operating system, under the service "gatehouse".
// Its methods may be called from any goroutine; the keyring sees one operation at a time.
type Keyring struct {
	backend keyringBackend
	timeout time.Duration
	log     *slog.Logger
	turn    chan struct{} // holds a token while the keyring is busy
}

// NewKeyring returns the keyring without asking it anything.
func NewKeyring(o *SecretsOptions) *Keyring {
	if o == nil {
		o = &SecretsOptions{}
	}
	k := &Keyring{backend: o.backend, timeout: o.Timeout, log: o.Logger, turn: make(chan struct{}, 1)}
	if k.backend == nil {
		k.backend = systemKeyring{}
	}
	if k.timeout <= 0 {
		k.timeout = keyringTimeout
	}
	if k.log == nil {
		k.log = slog.New(slog.DiscardHandler)
	}
	return k
}

// Probe finds out whether there is a keyring. It unlocks nothing and brings up no prompt. Its errors are, as a rule,
// [ErrNoKeyring] or [ErrKeyringSilent].
func (k *Keyring) Probe(ctx context.Context) error { return k.do(ctx, k.backend.Probe) }

// Secret implements [mcphost.Secrets]. [ErrNoSecret] means that nothing is kept under ref.
func (k *Keyring) Secret(ctx context.Context, ref string) (string, error) {
	got := make(chan string, 1) // not a variable: an operation that is late may still write
	err := k.do(ctx, func() error {
		value, err := k.backend.Get(keyringService, ref)
		got <- value
		return err
	})
	if err != nil {
		return "", secretFailure("read", ref, err)
	}
	return <-got, nil
}

// PutSecret implements [mcphost.Secrets]. It reads the value back: a dismissed prompt looks like success otherwise.
func (k *Keyring) PutSecret(ctx context.Context, ref, value string) error {
	err := checkSecret(ref, value)
	if err == nil {
		err = k.do(ctx, func() error {
			if err := k.backend.Set(keyringService, ref, value); err != nil {
				return err
			}
			if back, err := k.backend.Get(keyringService, ref); err != nil || back != value {
				return ErrSecretRefused
			}
			return nil
		})
	}
	if err != nil {
		return secretFailure("keep", ref, withoutValue(err, value))
	}
	return nil
}

// DeleteSecret implements [mcphost.Secrets]. Deleting what is not there is no error.
func (k *Keyring) DeleteSecret(ctx context.Context, ref string) error {
	err := k.do(ctx, func() error { return k.backend.Delete(keyringService, ref) })
	if err != nil && !errors.Is(err, ErrNoSecret) {
		return secretFailure("delete", ref, err)
	}
	return nil
}

// do runs f, which cannot be interrupted, for at most the timeout. What is late keeps the turn until it ends, so that
// there is never more than one goroutine left behind, whose owner is the keyring's prompt.
func (k *Keyring) do(ctx context.Context, f func() error) error {
	limit := time.NewTimer(k.timeout)
	defer limit.Stop()
	select {
	case k.turn <- struct{}{}:
	case <-limit.C:
		return ErrKeyringSilent
	case <-ctx.Done():
		return ctx.Err()
	}
	done := make(chan error, 1)
	go func() {
		defer func() { <-k.turn }()
		done <- guarded(f)
	}()
	select {
	case err := <-done:
		return err
	case <-limit.C:
		return ErrKeyringSilent
	case <-ctx.Done():
		return ctx.Err()
	}
}

// guarded runs f and maps its error. go-keyring trusts the types of what arrives over D-Bus and panics on others.
func guarded(f func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("the keyring answered in a way that is not understood")
		}
	}()
	err = f()
	switch {
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNoSecret
	case errors.Is(err, keyring.ErrSetDataTooBig):
		return ErrSecretTooBig
	case errors.Is(err, keyring.ErrUnsupportedPlatform):
		return ErrNoKeyring
	}
	return err
}

// checkSecret refuses what not every keyring gives back unchanged.
func checkSecret(ref, value string) error {
	switch {
	case ref == "":
		return errors.New("a secret needs a name")
	case value == "":
		return errors.New("a secret must not be empty")
	case !utf8.ValidString(value) || strings.ContainsRune(value, 0):
		return errors.New("a secret must be text")
	}
	return nil
}

// withoutValue keeps a secret out of an error that quotes it.
func withoutValue(err error, value string) error {
	if value != "" && strings.Contains(err.Error(), value) {
		return ErrSecretRefused
	}
	return err
}

func secretFailure(doing, ref string, err error) error {
	return fmt.Errorf("%s the secret %q: %w", doing, ref, err)
}

// systemKeyring is go-keyring's, if there is one.
type systemKeyring struct{}

func (systemKeyring) Get(service, user string) (string, error) {
	if err := keyringReachable(); err != nil {
		return "", err
	}
	return keyring.Get(service, user)
}

func (systemKeyring) Set(service, user, password string) error {
	if err := keyringReachable(); err != nil {
		return err
	}
	return keyring.Set(service, user, password)
}

func (systemKeyring) Delete(service, user string) error {
	if err := keyringReachable(); err != nil {
		return err
	}
	return keyring.Delete(service, user)
}
