package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime/debug"
	"strings"
	"syscall"

	"stockroom/handlers"
	"stockroom/store/embedded"
	"stockroom/store/embedded/wire"
)

// minSessionKey is how short a key that signs cookies may be, in bytes: as
// long as what HMAC-SHA-256 makes of it.
const minSessionKey = 32

// serve runs the back office until ctx ends. What was opened last is closed
// first: who is being answered gets the answer, then the store is closed.
func serve(ctx context.Context, c *call) (err error) {
	keys, err := parseSessionKeys(c.sessionKeys)
	if err != nil {
		return err
	}
	if err := c.checkDynamoDBAddr(); err != nil {
		return err
	}
	// The port comes first: without it nothing should be made or printed.
	listener, err := listen("-addr", c.addr)
	if err != nil {
		return err
	}
	defer release(listener, &err)
	b, err := c.openToServe(ctx)
	if err != nil {
		return err
	}
	defer release(b, &err)
	s, err := c.business(ctx, b, true)
	if err != nil {
		return err
	}
	runner, err := c.jobRunner(s)
	if err != nil {
		return err
	}
	defer release(runner, &err)
	running := newServers(c.log)
	defer release(running, &err)
	greeting := []string{"Stockroom is at " + urlOf(listener.Addr())}
	if b.engine != nil {
		said, err := c.serveTable(running, b.engine)
		if err != nil {
			return err
		}
		greeting = append(greeting, said...)
	}
	if c.demo {
		said, err := loadDemo(ctx, s)
		if err != nil {
			return err
		}
		greeting = append(greeting, said)
	}
	if len(keys) == 0 {
		if keys, err = s.SessionKeys(ctx); err != nil {
			return err
		}
	}
	site, err := handlers.New(handlers.Config{Store: s, Jobs: runner, Log: c.log, SessionKeys: keys, TLS: c.https})
	if err != nil {
		return err
	}
	// The account comes last: its password is printed once, so nothing may
	// fail in between.
	password, err := firstAdmin(ctx, s, !c.demo)
	if err != nil {
		return err
	}
	if password != "" {
		kind := "one-time password"
		if c.demo {
			kind = "password"
		}
		greeting = append(greeting, "Log in as "+adminName+" with the "+kind+" "+password)
	}
	defer debug.SetGCPercent(tuneCollector(c.env))
	runner.ScheduleInBackground()
	running.start(listener, site)
	fmt.Fprintln(c.stdout, strings.Join(greeting, "\n"))
	return running.wait(ctx)
}

// openToServe opens the backend for a server, which holds the data folder for
// as long as it runs.
func (c *call) openToServe(ctx context.Context) (*backend, error) {
	if c.dynamodb {
		return c.connect(ctx)
	}
	return c.hold()
}

// serveTable serves the embedded store over the DynamoDB API: to the commands
// beside this one on the socket, and on an address where that was asked for.
func (c *call) serveTable(running *servers, engine *embedded.DB) (said []string, err error) {
	socket, err := listenSocket(c.socketPath())
	if err != nil {
		return nil, err
	}
	api := wire.Handler(engine)
	running.start(socket, keep(engine, api))
	if c.dynamodbAddr == "" {
		return nil, nil
	}
	listener, err := listen("-dynamodb-addr", c.dynamodbAddr)
	if err != nil {
		return nil, err
	}
	running.start(listener, api)
	return []string{"The DynamoDB API is at " + urlOf(listener.Addr())}, nil
}

// checkDynamoDBAddr refuses to serve the table's API to other machines: it
// asks for no password.
func (c *call) checkDynamoDBAddr() error {
	if c.dynamodbAddr == "" {
		return nil
	}
	if c.dynamodb {
		return usagef("-dynamodb-addr serves the embedded store, which -dynamodb does without")
	}
	host, _, err := net.SplitHostPort(c.dynamodbAddr)
	if err != nil {
		return usagef("-dynamodb-addr is %q; it needs to be an address such as 127.0.0.1:8000", c.dynamodbAddr)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usagef("-dynamodb-addr is %q; it needs to be on loopback, such as 127.0.0.1:8000, because whoever reaches it may read and change everything", c.dynamodbAddr)
	}
	return nil
}

func parseSessionKeys(list string) ([][]byte, error) {
	if list == "" {
		return nil, nil
	}
	var keys [][]byte
	for text := range strings.SplitSeq(list, ",") {
		key := []byte(strings.TrimSpace(text))
		if len(key) < minSessionKey {
			return nil, usagef("key %d of -session-key has %d characters; it needs at least %d, as 'openssl rand -base64 32' makes them", len(keys)+1, len(key), minSessionKey)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

func listen(flag, address string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use by another program: stop that one, or name another address with %s", address, flag)
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %s: %w; name another address with %s", address, err, flag)
	}
	return listener, nil
}

// urlOf is an address as a browser takes it.
func urlOf(at net.Addr) string {
	if tcp, ok := at.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("http://localhost:%d", tcp.Port)
	}
	return "http://" + at.String()
}

// gcPercent lets the heap grow to five times what is in use before it is
// collected. A page leaves garbage and next to nothing that lives on: with
// some 10 MB in use, a few dozen megabytes buy an eighth more pages a second.
// The store's file is mapped, not part of the heap. GOGC counts before this,
// and a GOMEMLIMIT makes the collector start as early as it has to.
const gcPercent = 400

// tuneCollector sets the collector for serving and returns what was set
// before. What starting took is given back first: with so little in use, it
// would be long before it was collected.
func tuneCollector(env func(string) string) int {
	debug.FreeOSMemory()
	before := debug.SetGCPercent(gcPercent)
	if env("GOGC") != "" {
		debug.SetGCPercent(before)
	}
	return before
}

// release closes what a server held and keeps the error.
func release(held io.Closer, err *error) {
	if closed := held.Close(); !errors.Is(closed, net.ErrClosed) {
		*err = errors.Join(*err, closed)
	}
}
