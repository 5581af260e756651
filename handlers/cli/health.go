package cli

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// healthTimeout is the time limit of the request. The request reads one item, so even a
// busy server answers within this time.
const healthTimeout = 5 * time.Second

// checkHealth checks that the server at -addr responds and can read its table. It is meant
// for health checks of containers that have no HTTP client.
func checkHealth(ctx context.Context, c *call) error {
	host, port, err := net.SplitHostPort(c.addr)
	if err != nil {
		return usagef("invalid -addr %q: enter an address with a port, such as 127.0.0.1:8080", c.addr)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1" // a server on all interfaces also listens on loopback
	}
	ctx, cancel := context.WithTimeout(ctx, healthTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+"/readyz", http.NoBody)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, 1<<10))
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server at %s is not ready: %s", c.addr, response.Status)
	}
	_, err = fmt.Fprintln(c.stdout, strings.TrimSpace(string(answer)))
	return err
}
