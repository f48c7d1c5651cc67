package transport

// This file says whom a remote connection trusts, and why it does not (ACC A15, SEC B10).

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"time"
)

// MaxCAs is how many bytes of certificates ParseCAs takes.
const MaxCAs = 1 << 20

// ParseCAs reads certificates of authorities in PEM. It refuses a file without any, and one that holds a private key.
func ParseCAs(file []byte) ([]*x509.Certificate, error) {
	if len(file) > MaxCAs {
		return nil, fmt.Errorf("more than %d bytes of certificates", MaxCAs)
	}
	var list []*x509.Certificate
	for block, rest := pem.Decode(file); block != nil; block, rest = pem.Decode(rest) {
		if block.Type != "CERTIFICATE" {
			return nil, fmt.Errorf("a PEM block is no certificate but %q", block.Type)
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("certificate %d: %w", len(list)+1, err)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		return nil, errors.New("no certificate in PEM form")
	}
	return list, nil
}

// tlsConfig trusts the system's authorities and these.
func tlsConfig(extra []*x509.Certificate) (*tls.Config, error) {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if len(extra) == 0 {
		return config, nil
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		return nil, fmt.Errorf("the system's certificates: %w", err)
	}
	for _, c := range extra {
		pool.AddCert(c)
	}
	config.RootCAs = pool
	return config, nil
}

// A CertificateReason is why a certificate does not prove a host.
type CertificateReason string

// The reasons.
const (
	UnknownAuthority CertificateReason = "unknown-authority"
	Expired          CertificateReason = "expired"
	NotYetValid      CertificateReason = "not-yet-valid"
	WrongHost        CertificateReason = "wrong-host"
	InvalidOtherwise CertificateReason = "invalid"
)

// A CertificateError is a certificate that does not prove its host. There is no way on but to trust its authority.
// Its names are the server's words: untrusted.
type CertificateError struct {
	Host      string // that was to be reached, "" = not known
	Subject   string
	Issuer    string
	Names     []string // hosts that it is for
	NotBefore time.Time
	NotAfter  time.Time
	Reason    CertificateReason
	Err       error
}

func (e *CertificateError) Error() string {
	return fmt.Sprintf("the certificate of %q, issued by %q, does not prove the host %s (%s): %v", e.Subject, e.Issuer, e.Host, e.Reason, e.Err)
}

// Unwrap returns what crypto/tls said.
func (e *CertificateError) Unwrap() error { return e.Err }

// certificateError returns err as a *CertificateError if it is about one.
func certificateError(host string, err error) error {
	var failed *tls.CertificateVerificationError
	if !errors.As(err, &failed) || len(failed.UnverifiedCertificates) == 0 {
		return err
	}
	c := failed.UnverifiedCertificates[0]
	e := &CertificateError{Host: host, Reason: InvalidOtherwise, Err: failed.Err}
	var (
		unknown x509.UnknownAuthorityError
		invalid x509.CertificateInvalidError
		other   x509.HostnameError
	)
	switch {
	case errors.As(failed.Err, &other):
		e.Reason, e.Host = WrongHost, other.Host
	case errors.As(failed.Err, &invalid) && invalid.Reason == x509.Expired:
		if invalid.Cert != nil {
			c = invalid.Cert // it may be one further up
		}
		e.Reason = Expired
		if time.Now().Before(c.NotBefore) { // by the clock that has judged it
			e.Reason = NotYetValid
		}
	case errors.As(failed.Err, &unknown):
		e.Reason = UnknownAuthority
	}
	e.Subject, e.Issuer, e.NotBefore, e.NotAfter = c.Subject.String(), c.Issuer.String(), c.NotBefore, c.NotAfter
	e.Names = append(e.Names, c.DNSNames...)
	for _, ip := range c.IPAddresses {
		e.Names = append(e.Names, ip.String())
	}
	return e
}
