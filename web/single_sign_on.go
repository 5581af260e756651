package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"

	"stockroom/store"
)

// SingleSignOn configures how users sign in with an identity provider and OpenID Connect.
// See https://openid.net/specs/openid-connect-core-1_0.html
type SingleSignOn struct {
	Issuer       string // URL of the provider
	ClientID     string
	ClientSecret string   // "" for a public client
	Name         string   // name of the provider on the sign-in button
	Scopes       []string // scopes to request in addition to openid

	GroupsClaim  string // claim with the groups of a person
	Roles        []GroupRole
	SecondFactor []string // values of the claims acr and amr that show that the provider checked a second factor

	// EmergencyUser is the only user who can sign in without the provider. If it is "",
	// all users can.
	EmergencyUser string

	Now func() time.Time // clock for the start of sign-ins and the expiry of tokens; nil means time.Now
}

// GroupRole is the role of the people in a group. For a person in several groups, the
// first GroupRole in the configuration applies.
type GroupRole struct {
	Group string
	Role  store.Role
}

// RoleOf returns the role of a person in these groups, or "" if none has a role. If
// several have one, the first of them in Roles determines the role.
func (s *SingleSignOn) RoleOf(groups []string) store.Role {
	for _, r := range s.Roles {
		if slices.Contains(groups, r.Group) {
			return r.Role
		}
	}
	return ""
}

// CallbackPath is the path to which the provider redirects after it has authenticated a
// user.
const CallbackPath = "/login/sso/callback"

// Limits of requests to the provider.
const (
	providerTimeout = 5 * time.Second
	providerPause   = 5 * time.Second // wait after a failed request for the provider's metadata
	maxAnswer       = 1 << 20         // maximum length of a response, in bytes
)

// provider sends requests to the identity provider. It requests the provider's metadata
// only when they are first needed, so that the server starts even if it cannot reach the
// provider.
type provider struct {
	config SingleSignOn
	client *http.Client

	discovery singleflight.Group
	mutex     sync.Mutex
	found     *discovered
	failed    error     // error of the last request for the metadata
	retry     time.Time // earliest time of the next request after a failure
}

// discovered is the metadata of a provider.
type discovered struct {
	*oidc.Provider
	endSession string // URL for signing out at the provider; "" if the provider has none
	style      oauth2.AuthStyle
}

func newProvider(config *SingleSignOn) *provider {
	if config == nil {
		return nil
	}
	p := &provider{config: *config}
	if p.config.Now == nil {
		p.config.Now = time.Now
	}
	p.client = &http.Client{
		Timeout:   providerTimeout,
		Transport: boundedTransport{http.DefaultTransport.(*http.Transport).Clone()},
		// Do not follow redirects. They could lead to a server inside the network.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return p
}

// boundedTransport limits the length of responses.
type boundedTransport struct{ http.RoundTripper }

func (b boundedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := b.RoundTripper.RoundTrip(r)
	if err == nil {
		response.Body = struct {
			io.Reader
			io.Closer
		}{io.LimitReader(response.Body, maxAnswer), response.Body}
	}
	return response, err
}

// discover returns the provider's metadata, and requests it if necessary.
func (p *provider) discover(ctx context.Context) (*discovered, error) {
	p.mutex.Lock()
	found, failed, retry := p.found, p.failed, p.retry
	p.mutex.Unlock()
	if found != nil {
		return found, nil
	}
	if failed != nil && time.Now().Before(retry) {
		return nil, failed
	}
	result := p.discovery.DoChan("", func() (any, error) {
		found, err := p.requestMetadata(context.WithoutCancel(ctx))
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.found, p.failed, p.retry = found, err, time.Now().Add(providerPause)
		return found, err
	})
	select {
	case r := <-result:
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.(*discovered), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *provider) requestMetadata(ctx context.Context) (*discovered, error) {
	ctx, cancel := context.WithTimeout(oidc.ClientContext(ctx, p.client), providerTimeout)
	defer cancel()
	found, err := oidc.NewProvider(ctx, p.config.Issuer)
	if err != nil {
		return nil, fmt.Errorf("reading the provider's metadata: %w", err)
	}
	var metadata struct {
		EndSession string   `json:"end_session_endpoint"`
		Keys       string   `json:"jwks_uri"`
		Methods    []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := found.Claims(&metadata); err != nil {
		return nil, fmt.Errorf("reading the provider's metadata: %w", err)
	}
	d := &discovered{Provider: found, endSession: metadata.EndSession, style: oauth2.AuthStyleInHeader}
	if len(metadata.Methods) > 0 && !slices.Contains(metadata.Methods, "client_secret_basic") || p.config.ClientSecret == "" {
		d.style = oauth2.AuthStyleInParams
	}
	for _, endpoint := range []string{found.Endpoint().AuthURL, found.Endpoint().TokenURL, found.UserInfoEndpoint(), d.endSession, metadata.Keys} {
		if endpoint != "" && !SafeProviderURL(endpoint) {
			return nil, errors.New("the provider's metadata contains an address that is not encrypted")
		}
	}
	return d, nil
}

// oauth returns the settings of the OAuth library.
func (t *Tools) oauth(d *discovered) *oauth2.Config {
	endpoint := d.Endpoint()
	endpoint.AuthStyle = d.style
	return &oauth2.Config{
		ClientID: t.provider.config.ClientID, ClientSecret: t.provider.config.ClientSecret, Endpoint: endpoint,
		RedirectURL: t.PublicOrigin() + CallbackPath,
		Scopes:      append([]string{oidc.ScopeOpenID}, t.provider.config.Scopes...),
	}
}

// ProviderSignOut returns the URL at which users sign out of the provider, or "" if the
// provider has none or cannot be reached.
func (t *Tools) ProviderSignOut(ctx context.Context) string {
	if t.provider == nil {
		return ""
	}
	found, err := t.provider.discover(ctx)
	if err != nil || found.endSession == "" {
		return ""
	}
	return withQuery(found.endSession, "client_id", t.provider.config.ClientID)
}
