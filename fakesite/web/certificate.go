package web

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"math/big"
	"net"
	"time"
)

// Domain is the name that a browser with ChromiumFlags finds the site under when it serves TLS.
const Domain = "chatgpt.com"

// selfSigned makes a certificate for Domain and the pin by which one browser is told to trust it.
func selfSigned(now time.Time) (tls.Certificate, string, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, "", err
	}
	template := x509.Certificate{
		SerialNumber: big.NewInt(now.UnixNano()), Subject: pkix.Name{CommonName: Domain},
		DNSNames: []string{Domain}, NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(0, 0, 30),
		KeyUsage: x509.KeyUsageDigitalSignature, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, key.Public(), key)
	if err != nil {
		return tls.Certificate{}, "", err
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		return tls.Certificate{}, "", err
	}
	sum := sha256.Sum256(parsed.RawSubjectPublicKeyInfo)
	pin := base64.StdEncoding.EncodeToString(sum[:])
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pin, nil
}

// ChromiumFlags are the command-line flags that let a browser find this site, and nothing else:
// every other name fails to resolve, so no test can leave the machine. With TLS the browser also
// needs a --user-data-dir of its own, or the pin is ignored.
func (s *Server) ChromiumFlags() []string {
	return s.ChromiumFlagsAt(s.Addr().String())
}

// ChromiumFlagsAt are ChromiumFlags for a browser that reaches this server under another
// "host:port", such as one in a container.
func (s *Server) ChromiumFlagsAt(address string) []string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = address
	}
	if !s.tls {
		return []string{"--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE " + host}
	}
	return []string{
		"--host-resolver-rules=MAP " + Domain + " " + address + ", MAP * ~NOTFOUND , EXCLUDE " + host,
		"--ignore-certificate-errors-spki-list=" + s.pin,
	}
}
