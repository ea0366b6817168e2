package chrome

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"syscall"
)

const (
	versionPath = "/json/version"
	maxVersion  = 64 << 10
)

// resolve asks the endpoint for the address of the browser that listens now. Only the path of the
// answer is used: the host stays the one that the caller gave, so neither a proxy is bypassed nor a
// foreign answer followed to another machine (F612).
func resolve(ctx context.Context, at *url.URL) (string, error) {
	body, err := getVersion(ctx, at.Host)
	if err != nil {
		return "", err
	}
	var version struct {
		URL string `json:"webSocketDebuggerUrl"`
	}
	if err := json.Unmarshal(body, &version); err != nil {
		return "", fmt.Errorf("http://%s%s is not the answer of a browser: %w",
			at.Host, versionPath, err)
	}
	ws, err := url.Parse(version.URL)
	if err != nil || !strings.HasPrefix(ws.Path, "/") {
		return "", fmt.Errorf("http://%s%s names no usable webSocketDebuggerUrl: %q",
			at.Host, versionPath, version.URL)
	}
	ws.Scheme, ws.Host, ws.User = "ws", at.Host, nil
	return ws.String(), nil
}

func getVersion(ctx context.Context, host string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host+versionPath, nil)
	if err != nil {
		return nil, err
	}
	client := http.Client{
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close() //nolint:errcheck // read to its limit or failed: nothing to add
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("http://%s%s: %s", host, versionPath, resp.Status)
	}
	return io.ReadAll(io.LimitReader(resp.Body, maxVersion))
}

func refused(err error) bool { return errors.Is(err, syscall.ECONNREFUSED) }

// hungUp says that the other side accepted the connection and ended it.
func hungUp(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}
