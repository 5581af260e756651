package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/handlers"
	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/embedded"
	"stockroom/store/embedded/wire"
	"stockroom/store/imports"
	"stockroom/store/jobs"
	"stockroom/web"
)

// minSessionKey is the minimum length of a session key, in bytes. It is the output
// length of HMAC-SHA-256, which signs the cookies. See RFC 2104, section 3.
const minSessionKey = 32

// maxRequestTimeout is the maximum of -request-timeout. It is shorter than the write
// timeout of the server, so that there is time to send the response.
const maxRequestTimeout = 20 * time.Second

// serve runs the back office until ctx is cancelled or a server fails. It then waits for
// the requests in progress and closes the servers, the imports, the jobs and the store, in
// this order.
func serve(ctx context.Context, c *call) (err error) {
	keys, err := c.parseSessionKeys()
	if err != nil {
		return err
	}
	if c.requestTimeout <= 0 || c.requestTimeout > maxRequestTimeout {
		return usagef("invalid -request-timeout %s: enter a time up to %s", c.requestTimeout, maxRequestTimeout)
	}
	if err := c.checkPayments(); err != nil {
		return err
	}
	if err := c.checkReadUnits(); err != nil {
		return err
	}
	proxies, err := c.parseTrustedProxies()
	if err != nil {
		return err
	}
	public, err := c.parsePublicURL()
	if err != nil {
		return err
	}
	signOn, err := c.singleSignOn(public)
	if err != nil {
		return err
	}
	if err := c.checkSecurityContact(); err != nil {
		return err
	}
	if err := c.checkDynamoDBAddr(); err != nil {
		return err
	}
	c.warnAboutSecretFlag()
	// Listen first, so that nothing is created or printed if the port is in use.
	listener, err := listen("-addr", c.addr)
	if err != nil {
		return err
	}
	defer closeJoin(listener, &err)
	counted, err := c.listenForMetrics()
	if err != nil {
		return err
	}
	defer closeJoin(counted, &err)
	b, err := c.openForServing(ctx)
	if err != nil {
		return err
	}
	defer closeJoin(b, &err)
	counted.countTable(b)
	s, err := c.openStore(ctx, b, true)
	if err != nil {
		return err
	}
	counted.countCosts(s)
	if err := c.useAuditKeys(s, true); err != nil {
		return err
	}
	switch id, err := s.UnknownSealKey(ctx); {
	case err != nil:
		c.log.Warn("cannot read the newest seal of the history", "error", err)
	case id != "" && c.dynamodb:
		c.log.Warn("the history is sealed with another key: add the key to "+auditKeyVariable, "key", id)
	case id != "":
		c.log.Warn("the history is sealed with another key: stop the server and copy the audit-key of the former data folder, or add the key to "+auditKeyVariable, "key", id)
	}
	runner, err := c.newJobRunner(s)
	if err != nil {
		return err
	}
	defer closeJoin(runner, &err)
	counted.countJobs(runner)
	importer := imports.New(imports.Config{Store: s, Folder: filepath.Join(c.data, "uploads"), Log: c.log})
	defer closeJoin(importer, &err)
	running := newServers(c.log)
	defer closeJoin(running, &err)
	return c.serveSite(ctx, running, site{
		listener: listener,
		backend:  b,
		store:    s,
		runner:   runner,
		importer: importer,
		keys:     keys,
		proxies:  proxies,
		public:   public,
		signOn:   signOn,
		metrics:  counted,
	})
}

// site contains what serveSite needs, apart from the settings of the command.
type site struct {
	listener net.Listener
	backend  *backend
	store    *store.Store
	runner   *jobs.Runner
	importer *imports.Runner
	keys     [][]byte       // from -session-key; empty if the keys are in the table
	proxies  []netip.Prefix // from -trusted-proxies
	public   *url.URL       // from -public-url; may be nil
	signOn   *web.SingleSignOn
	metrics  *metricsServer
}

// serveSite prepares the table, starts the HTTP servers, and prints their addresses and the
// password of the first admin. It returns when ctx is cancelled or a server fails.
func (c *call) serveSite(ctx context.Context, running *servers, o site) error {
	greeting := []string{"Stockroom is running at " + urlOf(o.listener.Addr())}
	if o.backend.engine != nil {
		line, err := c.serveDynamoDB(running, o.backend.engine)
		if err != nil {
			return err
		}
		greeting = append(greeting, line...)
	}
	if err := c.statePayments(ctx, o.store); err != nil {
		return err
	}
	if c.demo {
		line, err := loadDemo(ctx, o.store, demo.Full)
		if err != nil {
			return err
		}
		greeting = append(greeting, line)
	}
	if len(o.keys) == 0 {
		var err error
		if o.keys, err = o.store.SessionKeys(ctx); err != nil {
			return err
		}
	}
	handler, err := handlers.New(handlers.Config{
		Store:          o.store,
		Jobs:           o.runner,
		Imports:        o.importer,
		DataFile:       o.backend.dataFile(),
		Log:            c.log,
		SessionKeys:    o.keys,
		TLS:            c.https,
		TrustedProxies: o.proxies,
		PublicURL:      o.public,
		SingleSignOn:   o.signOn,
		RequestTimeout: c.requestTimeout,
		Metrics:        o.metrics.counted(),

		SecurityContact: c.securityContact,
	})
	if err != nil {
		return err
	}
	// Add the admin last. The password is printed only once, so no step that can fail
	// may come between adding the admin and printing the password.
	password, err := c.addFirstAdmin(ctx, o.store, o.signOn)
	if err != nil {
		return err
	}
	switch {
	case password != "" && c.demo:
		greeting = append(greeting, "Sign in as "+adminName+" with the password "+password)
	case password != "":
		greeting = append(greeting, "Sign in as "+adminName+" with the one-time password "+password)
	}
	c.warnAboutEmergencyUser(ctx, o.store, o.signOn)
	defer debug.SetGCPercent(tuneGC(c.env))
	o.runner.ScheduleInBackground()
	if o.backend.engine != nil {
		o.backend.engine.CheckInBackground(firstFileCheck, fileCheckEvery)
	}
	running.start(o.listener, handler)
	greeting = append(greeting, o.metrics.start(running)...)
	fmt.Fprintln(c.stdout, strings.Join(greeting, "\n"))
	return running.wait(ctx)
}

// openForServing opens the backend for a server. It returns an error if another process has
// opened the data folder.
func (c *call) openForServing(ctx context.Context) (*backend, error) {
	if c.dynamodb {
		return c.connectDynamoDB(ctx)
	}
	return c.openFolder()
}

// serveDynamoDB serves the DynamoDB API of the embedded store: on the socket for other
// commands, and on the address of -dynamodb-addr for other programs. It returns the lines
// with which the server prints this address.
func (c *call) serveDynamoDB(running *servers, engine *embedded.DB) (greeting []string, err error) {
	socket, err := listenSocket(c.socketPath())
	if err != nil {
		return nil, err
	}
	api := wire.Handler(engine)
	running.start(socket, maintenanceHandler(engine, api))
	if c.dynamodbAddr == "" {
		return nil, nil
	}
	listener, err := listen("-dynamodb-addr", c.dynamodbAddr)
	if err != nil {
		return nil, err
	}
	key, source, err := c.dynamodbKey()
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	isSecret := func(item map[string]types.AttributeValue) bool { return store.IsSecret(item) }
	running.start(listener, wire.VerifyingHandler(engine.Hiding(isSecret), key, wire.Secrets{Table: c.table, IsSecret: isSecret}))
	return []string{"The DynamoDB API is at " + urlOf(listener.Addr()) + ", with the access key in " + source}, nil
}

// checkDynamoDBAddr returns an error if -dynamodb-addr is combined with -dynamodb, or
// is not a loopback address, because the DynamoDB API of the embedded store is not
// encrypted.
func (c *call) checkDynamoDBAddr() error {
	if c.dynamodbAddr == "" {
		return nil
	}
	if c.dynamodb {
		return usagef("-dynamodb-addr serves the embedded store and cannot be combined with -dynamodb")
	}
	host, _, err := splitAddress("-dynamodb-addr", c.dynamodbAddr)
	if err != nil {
		return err
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return usagef("invalid -dynamodb-addr %q: it must be a loopback address such as 127.0.0.1:8000, because the API is not encrypted", c.dynamodbAddr)
	}
	return nil
}

// loopback is the default of -trusted-proxies: the networks of this machine.
const loopback = "127.0.0.0/8,::1/128"

// parseTrustedProxies returns the networks of -trusted-proxies. Without -https, it returns
// none, or an error if the flag is set. It rejects a network that contains all addresses,
// because every client could then avoid the limit on sign-in attempts by changing the
// address in X-Forwarded-For.
func (c *call) parseTrustedProxies() (networks []netip.Prefix, err error) {
	if !c.https {
		if c.trustedProxies != loopback {
			return nil, usagef("-trusted-proxies needs -https")
		}
		return nil, nil
	}
	for text := range strings.FieldsFuncSeq(c.trustedProxies, func(r rune) bool { return r == ',' || r == ' ' }) {
		network, err := netip.ParsePrefix(text)
		if ip, notIP := netip.ParseAddr(text); notIP == nil && ip.Zone() == "" {
			network, err = netip.PrefixFrom(ip, ip.BitLen()), nil
		}
		if err != nil || network.Bits() == 0 {
			return nil, usagef("invalid network %q in -trusted-proxies: enter the addresses of the proxies, such as 10.0.0.0/8", text)
		}
		networks = append(networks, network)
	}
	return networks, nil
}

// parsePublicURL returns the URL of -public-url, or nil without this flag. The scheme
// must be https with -https, and http without it.
func (c *call) parsePublicURL() (*url.URL, error) {
	public, err := c.parseOrigin()
	switch {
	case err != nil || public == nil:
		return nil, err
	case c.https && public.Scheme != "https":
		return nil, usagef("invalid -public-url %q: with -https it must begin with https://", c.publicURL)
	case !c.https && public.Scheme != "http":
		return nil, usagef("invalid -public-url %q: without -https it must begin with http://", c.publicURL)
	}
	return public, nil
}

// parseOrigin parses -public-url as a scheme and a host. It returns nil without this
// flag.
func (c *call) parseOrigin() (*url.URL, error) {
	if c.publicURL == "" {
		return nil, nil
	}
	public, err := url.Parse(c.publicURL)
	if err != nil || public.Scheme != "http" && public.Scheme != "https" || public.Host == "" || public.User != nil || strings.Trim(public.Path, "/") != "" || public.RawQuery != "" || public.Fragment != "" {
		return nil, usagef("invalid -public-url %q: enter a scheme and a host, such as https://stock.example.com", c.publicURL)
	}
	return &url.URL{Scheme: public.Scheme, Host: public.Host}, nil
}

// checkSecurityContact accepts only mailto, https and tel URIs. RFC 9116 does not allow
// http URIs in security.txt.
func (c *call) checkSecurityContact() error {
	if c.securityContact == "" {
		return nil
	}
	contact, err := url.Parse(c.securityContact)
	if err != nil || !slices.Contains([]string{"mailto", "https", "tel"}, contact.Scheme) || strings.ContainsFunc(c.securityContact, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) {
		return usagef("invalid -security-contact %q: enter a URI such as mailto:security@example.com or https://example.com/security", c.securityContact)
	}
	return nil
}

// warnAboutSecretFlag logs a warning if the session keys are in the flag instead of the
// environment, because other users of the machine can see flags. The flag remains for
// scripts that were written for earlier versions.
func (c *call) warnAboutSecretFlag() {
	const flag = "session-key"
	if c.sessionKeys != "" && c.env(envName(flag)) != c.sessionKeys {
		c.log.Warn("-" + flag + " is deprecated, because other users of this machine can see its value: set " + envName(flag) + " instead")
	}
}

// parseSessionKeys returns the keys that sign cookies, from the environment variable or from
// the flag.
func (c *call) parseSessionKeys() (keys [][]byte, err error) {
	name := "-session-key"
	if c.env(envName("session-key")) == c.sessionKeys {
		name = envName("session-key")
	}
	texts, err := splitKeys(name, c.sessionKeys, minSessionKey)
	for _, text := range texts {
		keys = append(keys, []byte(text))
	}
	return keys, err
}

// splitAddress returns the host and the port of an address. If the address in the flag is
// invalid, it returns a usageError. The host can be empty.
func splitAddress(flag, address string) (host, port string, err error) {
	if host, port, err = net.SplitHostPort(address); err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return "", "", usagef("invalid %s %q: enter an address such as 127.0.0.1:8080", flag, address)
	}
	return host, port, nil
}

func listen(flag, address string) (net.Listener, error) {
	if _, _, err := splitAddress(flag, address); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", address)
	var unknown *net.DNSError
	var network *net.OpError
	switch {
	case err == nil:
		return listener, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use by another program: stop it, or choose another address with %s", address, flag)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("this user must not listen on %s: choose a port from 1024 with %s", address, flag)
	case errors.Is(err, syscall.EADDRNOTAVAIL), errors.As(err, &unknown):
		return nil, fmt.Errorf("%s is not an address of this machine: choose another address with %s", address, flag)
	case errors.As(err, &network):
		err = network.Err
	}
	return nil, fmt.Errorf("cannot listen on %s: %w; choose another address with %s", address, err, flag)
}

// urlOf returns the URL with which a browser on this machine reaches addr.
func urlOf(addr net.Addr) string {
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("http://localhost:%d", tcp.Port)
	}
	return "http://" + addr.String()
}

// gcPercent is the GOGC value of a server. A higher value than Go's default of 100 uses
// more memory and less CPU time: the heap of a server grows from about 10 MB to a few dozen
// megabytes, and the server renders an eighth more pages per second. The mapped file of the
// store is not part of the heap. The variable GOGC overrides this value, and GOMEMLIMIT
// still applies.
const gcPercent = 400

// tuneGC frees the memory that only the start needed. Unless GOGC is set, it also sets the
// percentage of the garbage collector to gcPercent. It returns the previous percentage.
func tuneGC(env func(string) string) int {
	debug.FreeOSMemory()
	previous := debug.SetGCPercent(gcPercent)
	if env("GOGC") != "" {
		debug.SetGCPercent(previous)
	}
	return previous
}
