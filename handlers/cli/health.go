package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"
)

// healthTimeout is the time limit of the request. The request reads one item, so even a
// busy server answers within this time.
const healthTimeout = 5 * time.Second

// checkHealth checks that the server at -addr responds and can read its table. It is meant
// for health checks of containers that have no HTTP client.
func checkHealth(ctx context.Context, c *call) error {
	host, port, err := splitAddress("-addr", c.addr)
	if err != nil {
		return err
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
		return noAnswer(c.addr, err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, 1<<10))
	if err != nil {
		return noAnswer(c.addr, err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server at %s is not ready (%s): see its log", c.addr, response.Status)
	}
	_, err = fmt.Fprintln(c.stdout, strings.TrimSpace(string(answer)))
	return err
}

// noAnswer returns the error for a failed request to the server at an address.
func noAnswer(address string, cause error) error {
	var unknown *net.DNSError
	switch {
	case errors.Is(cause, context.Canceled):
		return cause
	case errors.Is(cause, syscall.ECONNREFUSED):
		return fmt.Errorf("no server listens on %s: start one with 'stockroom serve', or choose another address with -addr", address)
	case errors.As(cause, &unknown):
		return fmt.Errorf("the host in %s is unknown: choose another address with -addr", address)
	case errors.Is(cause, context.DeadlineExceeded):
		return fmt.Errorf("the server at %s did not answer within %s: see its log", address, healthTimeout)
	}
	if network := (*net.OpError)(nil); errors.As(cause, &network) {
		return fmt.Errorf("cannot reach %s: %w", address, network)
	}
	return fmt.Errorf("the program at %s does not answer like a Stockroom server: choose another address with -addr", address)
}
