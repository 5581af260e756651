package cli

import (
	"context"
	"net/url"
	"os"
	"slices"
	"strings"

	"stockroom/store"
	"stockroom/web"
)

// ssoSecret is the environment variable with the client secret of single sign-on.
const ssoSecret = "STOCKROOM_SSO_CLIENT_SECRET"

var ssoFlags = []string{"sso-issuer", "sso-client-id", "sso-secret-file", "sso-name", "sso-scopes", "sso-groups-claim", "sso-roles", "sso-second-factor", "sso-only"}

// ssoSettings are the values of ssoFlags.
type ssoSettings struct {
	issuer, clientID, secretFile, name string
	scopes, groupsClaim, roles, factor string
	emergencyUser                      string
}

func (l *commandLine) declareSSO(s *ssoSettings) {
	f := l.flags
	f.StringVar(&s.issuer, "sso-issuer", "", "`URL` of the identity provider for single sign-on with OpenID Connect; requires -public-url, -sso-client-id and -sso-roles")
	f.StringVar(&s.clientID, "sso-client-id", "", "`ID` of this site at the identity provider")
	f.StringVar(&s.secretFile, "sso-secret-file", "", "`file` whose first line is the client secret (default: the variable "+ssoSecret+")")
	f.StringVar(&s.name, "sso-name", "single sign-on", "`name` of the identity provider on the sign-in button")
	f.StringVar(&s.scopes, "sso-scopes", "profile,email", "comma-separated `scopes` to request from the identity provider in addition to openid")
	f.StringVar(&s.groupsClaim, "sso-groups-claim", "groups", "`claim` that lists the groups of a person")
	f.StringVar(&s.roles, "sso-roles", "", "comma-separated `list` of groups and their roles, such as stock-admins=admin,sales=support; if a person is in several groups, the first one in this list applies")
	f.StringVar(&s.factor, "sso-second-factor", "", "comma-separated `values` of the claims amr and acr that mean that the identity provider checked a second factor, such as mfa (default: none, so that this site asks for its own)")
	f.StringVar(&s.emergencyUser, "sso-only", "", "turn off passwords and passkeys of this site, except for this `user`, who can sign in if the identity provider fails")
}

// singleSignOn returns the configuration of single sign-on, or nil without -sso-issuer. The
// argument public is the URL of -public-url.
func (c *call) singleSignOn(public *url.URL) (*web.SingleSignOn, error) {
	s := c.sso
	for flag, value := range map[string]string{"sso-client-id": s.clientID, "sso-roles": s.roles, "sso-secret-file": s.secretFile, "sso-only": s.emergencyUser} {
		if s.issuer == "" && value != "" {
			return nil, usagef("-%s needs -sso-issuer", flag)
		}
	}
	switch {
	case s.issuer == "":
		return nil, nil
	case !web.SafeProviderURL(s.issuer):
		return nil, usagef("invalid -sso-issuer %q: enter a URL that begins with https://", s.issuer)
	case public == nil:
		return nil, usagef("-sso-issuer needs -public-url, because the identity provider sends users back to that address")
	case s.clientID == "":
		return nil, usagef("-sso-issuer needs -sso-client-id")
	case s.groupsClaim == "" || s.name == "":
		return nil, usagef("-sso-groups-claim and -sso-name must not be empty")
	}
	roles, err := parseGroupRoles(s.roles)
	if err != nil {
		return nil, err
	}
	secret := c.env(ssoSecret)
	if s.secretFile != "" {
		if secret != "" {
			return nil, usagef("set the client secret in -sso-secret-file or in %s, not in both", ssoSecret)
		}
		if secret, err = firstLine(s.secretFile); err != nil {
			return nil, err
		}
	}
	return &web.SingleSignOn{
		Issuer:        s.issuer,
		ClientID:      s.clientID,
		ClientSecret:  secret,
		Name:          s.name,
		Scopes:        splitList(s.scopes),
		GroupsClaim:   s.groupsClaim,
		Roles:         roles,
		SecondFactor:  splitList(s.factor),
		EmergencyUser: strings.ToLower(strings.TrimSpace(s.emergencyUser)),
	}, nil
}

// warnAboutEmergencyUser logs a warning if the user of -sso-only is not an active admin,
// or cannot be read.
func (c *call) warnAboutEmergencyUser(ctx context.Context, s *store.Store, signOn *web.SingleSignOn) {
	if signOn == nil || signOn.EmergencyUser == "" {
		return
	}
	found, err := s.IsActiveAdmin(ctx, signOn.EmergencyUser)
	switch {
	case err != nil:
		c.log.Warn("the user of -sso-only could not be read", "user", signOn.EmergencyUser, "error", err)
	case !found:
		c.log.Warn("the user of -sso-only does not exist, is locked or is not an admin: nobody can sign in if the identity provider fails", "user", signOn.EmergencyUser)
	}
}

// parseGroupRoles parses the pairs group=role in -sso-roles. A name of a group may contain
// an equals sign.
func parseGroupRoles(text string) (roles []web.GroupRole, err error) {
	for _, pair := range splitList(text) {
		at := strings.LastIndexByte(pair, '=')
		if at < 1 || !slices.Contains(store.Roles, store.Role(pair[at+1:])) {
			return nil, usagef("invalid group %q in -sso-roles: enter group=role, where role is %s", pair, store.RoleChoices())
		}
		roles = append(roles, web.GroupRole{Group: pair[:at], Role: store.Role(pair[at+1:])})
	}
	if len(roles) == 0 {
		return nil, usagef("-sso-issuer needs -sso-roles, such as stock-admins=admin,sales=support")
	}
	return roles, nil
}

// splitList returns the entries of a comma-separated list.
func splitList(text string) (entries []string) {
	for entry := range strings.SplitSeq(text, ",") {
		if entry = strings.TrimSpace(entry); entry != "" {
			entries = append(entries, entry)
		}
	}
	return entries
}

func firstLine(path string) (string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", readError(path, err)
	}
	line, _, _ := strings.Cut(string(text), "\n")
	if line = strings.TrimSpace(line); line == "" {
		return "", usagef("the first line of %s is empty", path)
	}
	return line, nil
}
