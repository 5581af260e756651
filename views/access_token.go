package views

import (
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// AccessTokens lists the access tokens of the signed-in user. The form that creates a token
// posts name, role and days to /account/tokens. For a token with the role manager, it also
// posts places, the IDs of warehouses and stores.
type AccessTokens struct {
	Page
	Rows             []store.AccessToken
	Places           map[string]store.Choice // warehouses and stores of the tokens; see Users.Places
	Roles            []store.Role            // roles that a token of the user may have
	Name, Role, Days ui.Input
	Scope            Scope
	AnyPlace         bool   // the user may choose from all warehouses and stores
	Problem          string // an error that belongs to no field
	Token            string // form token
}

// NewAccessToken is the page with a new access token. The token is shown only on this page.
type NewAccessToken struct {
	Page
	Name   string
	Secret string
	Origin string // origin of this site, for the example command
}

// tokenDays are the choices for the days until a token expires.
var tokenDays = []int{7, 30, store.DefaultTokenDays, 180, store.MaxTokenDays}

func (p AccessTokens) fields() []ui.Field {
	fields := []ui.Field{
		{Name: "name", Label: "Name", Required: true, Hint: "For example, the name of the program.", Input: p.Name},
		{Name: "role", Label: "Role", Input: p.Role},
		{Name: "days", Label: "Days until it expires", Input: p.Days},
	}
	if p.AnyPlace {
		fields = append(fields, p.Scope.field())
	}
	return fields
}

func (p AccessTokens) roleOptions() []ui.Option {
	options := make([]ui.Option, len(p.Roles))
	for i, role := range p.Roles {
		options[i] = ui.Option{Value: string(role), Text: capital(string(role))}
	}
	return options
}

func (p AccessTokens) dayOptions() []ui.Option {
	options := make([]ui.Option, len(tokenDays))
	for i, days := range tokenDays {
		options[i] = ui.Option{Value: strconv.Itoa(days), Text: count(days, "day", "days")}
	}
	return options
}

func tokenUse(p *Page, t *store.AccessToken) string {
	used := "Never used"
	if !t.Used.IsZero() {
		used = "Last used " + p.time(t.Used)
	}
	if t.HasExpired(p.Now) {
		return used + ", expired " + p.time(t.Expires)
	}
	return used + ", expires " + p.time(t.Expires)
}

// tokenRole returns the role of a token, and the names of its warehouses and stores.
func tokenRole(t *store.AccessToken, places map[string]store.Choice) string {
	return joinNonEmpty(" of ", capital(string(t.Role)), scopeText(places, t.ScopeParts()))
}

// curlExample returns a command that reads the open orders with an access token. The
// token is in the variable TOKEN, so that the shell's history does not contain it.
func curlExample(origin string) string {
	return `curl -H "Authorization: Bearer $TOKEN" "` + origin + `/orders.json?status=OPEN"`
}
