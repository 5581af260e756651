package storetest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// newToken creates an access token that is valid for 30 days.
func newToken(t *testing.T, s *store.Store, owner *store.User, n store.NewAccessToken) string {
	t.Helper()
	if n.Name == "" {
		n.Name = "Reports"
	}
	n.Days = 30
	text, err := s.As(owner).CreateAccessToken(t.Context(), n, s.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// tokenUse uses a token and describes the result: the role and scope, the kind of the
// error, or that the network must wait.
func tokenUse(t *testing.T, s *store.Store, text string) string {
	t.Helper()
	use, wait, err := s.UseAccessToken(t.Context(), text, "10.0.0.1")
	switch {
	case wait > 0:
		return "wait"
	case err != nil:
		return fmt.Sprint(store.KindOf(err))
	}
	return strings.TrimSuffix(string(use.User.Role)+" "+use.User.Scope(), " ")
}

func expectUse(t *testing.T, s *store.Store, what, text, want string) {
	t.Helper()
	if got := tokenUse(t, s, text); got != want {
		t.Errorf("%s: got %s, want %s", what, got, want)
	}
}

var (
	notFound  = fmt.Sprint(store.NotFound)
	forbidden = fmt.Sprint(store.Forbidden)
)

// TestAccessToken_EndsWithItsOwner uses the tokens of a user before and after changes of
// the user and of the settings, and after they expire. Each change must apply to the next
// use.
func TestAccessToken_EndsWithItsOwner(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		ctx := t.Context()
		loadPlaces(t, s)
		boss := admins(t, s, 2)[0]
		mia := addUser(t, s, store.User{Name: "mia", Role: store.Admin})
		text := newToken(t, s, mia, store.NewAccessToken{Role: store.Admin})
		narrow := newToken(t, s, mia, store.NewAccessToken{Name: "Store", Role: store.Manager, Stores: []string{"7"}})
		expectUse(t, s, "new token", text, "admin")
		expectUse(t, s, "token with a scope", narrow, "manager store#7")
		change := func(role store.Role, warehouses, stores []string) {
			t.Helper()
			if err := boss.ChangeRole(ctx, "mia", version(t, boss, "mia"), role, warehouses, stores, s.NewToken()); err != nil {
				t.Fatal(err)
			}
		}
		change(store.Manager, []string{"w1"}, nil)
		expectUse(t, s, "owner is now a manager", text, "manager w#w1")
		expectUse(t, s, "owner no longer has the store", narrow, "manager")
		change(store.Support, nil, nil)
		expectUse(t, s, "owner is now in support", text, "support")
		expectUse(t, s, "nothing in common", narrow, forbidden)
		change(store.Viewer, nil, nil)
		expectUse(t, s, "owner is now a viewer", text, "viewer")
		lock := func(locked bool) {
			t.Helper()
			if err := boss.SetLocked(ctx, "mia", version(t, boss, "mia"), locked, s.NewToken()); err != nil {
				t.Fatal(err)
			}
		}
		lock(true)
		expectUse(t, s, "owner is locked", text, notFound)
		lock(false)
		expectUse(t, s, "owner is unlocked", text, "viewer")
		if _, err := boss.ResetPassword(ctx, "mia", version(t, boss, "mia")); err != nil {
			t.Fatal(err)
		}
		expectUse(t, s, "owner must choose a password", text, forbidden)
		other := newToken(t, s, addUser(t, s, store.User{Name: "kim", Role: store.Support}), store.NewAccessToken{Role: store.Viewer})
		settings, err := boss.CurrentSettings(ctx)
		if err != nil {
			t.Fatal(err)
		}
		settings.SecondFactor = store.FactorEveryone
		if err := boss.ChangeSettings(ctx, settings, s.NewToken()); err != nil {
			t.Fatal(err)
		}
		expectUse(t, s, "owner has no second factor", other, forbidden)
		clock.Advance(30*24*time.Hour - time.Second)
		expectUse(t, s, "before it expires", other, forbidden)
		clock.Advance(time.Second)
		expectUse(t, s, "expired", other, notFound)
	})
}

// TestAccessToken_RolesReadNoMoreThanOwner checks that a token has no read permission that
// the role of its owner lacks. It ignores WatchPlaces, a permission only for the page
// Today, which tokens cannot open.
func TestAccessToken_RolesReadNoMoreThanOwner(t *testing.T) {
	reading := []store.Permission{store.Browse, store.ReadStaff, store.RankStaff, store.ReadHistory, store.ChangeStock, store.Administer}
	for _, role := range store.Roles {
		owner := &store.User{Role: role}
		if !slices.Contains(owner.TokenRoles(), role) {
			t.Errorf("%s: got no tokens with the same role, want at least one", role)
		}
		for _, narrower := range owner.TokenRoles() {
			token := &store.User{Role: narrower}
			for _, p := range reading {
				if token.May(p) && !owner.May(p) {
					t.Errorf("a token with the role %s: got the permission %s, want none that the owner's role %s lacks", narrower, p, role)
				}
			}
			if token.InChargeOfAll() && !owner.InChargeOfAll() {
				t.Errorf("a token with the role %s: got access to all places, want only those of the owner's role %s", narrower, role)
			}
		}
	}
}

// TestAccessToken_Create checks that invalid tokens and too many tokens are rejected, that
// a form submitted twice creates only one token, and that the table does not contain the
// secret.
func TestAccessToken_Create(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		ctx := t.Context()
		loadPlaces(t, s)
		manager := addUser(t, s, store.User{Name: "mia", Role: store.Manager, Stores: []string{"7"}})
		support := addUser(t, s, store.User{Name: "kim", Role: store.Support})
		for what, tt := range map[string]struct {
			owner *store.User
			token store.NewAccessToken
			field string
		}{
			"no name":           {support, store.NewAccessToken{Role: store.Viewer, Days: 1}, "name"},
			"a long name":       {support, store.NewAccessToken{Name: strings.Repeat("x", 61), Role: store.Viewer, Days: 1}, "name"},
			"a wider role":      {support, store.NewAccessToken{Name: "x", Role: store.Admin, Days: 1}, "role"},
			"no role":           {support, store.NewAccessToken{Name: "x", Days: 1}, "role"},
			"all places":        {manager, store.NewAccessToken{Name: "x", Role: store.Viewer, Days: 1}, "role"},
			"a place of others": {manager, store.NewAccessToken{Name: "x", Role: store.Manager, Warehouses: []string{"w1"}, Days: 1}, "scope"},
			"no place":          {manager, store.NewAccessToken{Name: "x", Role: store.Manager, Days: 1}, "scope"},
			"no days":           {support, store.NewAccessToken{Name: "x", Role: store.Viewer}, "days"},
			"too many days":     {support, store.NewAccessToken{Name: "x", Role: store.Viewer, Days: 366}, "days"},
		} {
			_, err := s.As(tt.owner).CreateAccessToken(ctx, tt.token, s.NewToken())
			if rejected, ok := err.(*store.Error); !ok || rejected.Kind != store.Invalid || rejected.Field != tt.field {
				t.Errorf("%s: got %v, want Invalid for the field %s", what, err, tt.field)
			}
		}
		form, request := s.NewToken(), store.NewAccessToken{Name: "Nightly", Role: store.Viewer, Days: 365}
		text, err := s.As(support).CreateAccessToken(ctx, request, form)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.As(support).CreateAccessToken(ctx, request, form); store.KindOf(err) != store.Conflict {
			t.Errorf("same form again: got %v, want Conflict", err)
		}
		if _, err := s.As(support).CreateAccessToken(ctx, request, s.NewToken()); store.KindOf(err) != store.Invalid {
			t.Errorf("same name again: got %v, want Invalid", err)
		}
		for i := 1; i < store.MaxAccessTokens; i++ {
			request.Name, form = fmt.Sprint("Token ", i), s.NewToken()
			if _, err := s.As(support).CreateAccessToken(ctx, request, form); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.As(support).CreateAccessToken(ctx, request, form); store.KindOf(err) != store.Conflict {
			t.Errorf("form of the last token again: got %v, want Conflict", err)
		}
		request.Name = "One more"
		if _, err := s.As(support).CreateAccessToken(ctx, request, s.NewToken()); store.KindOf(err) != store.Invalid {
			t.Errorf("token %d: got %v, want Invalid", store.MaxAccessTokens+1, err)
		}
		expectUse(t, s, "the first token", text, "viewer")
		expectNowhere(t, s, text)
	})
}

// expectNowhere checks that no item of the table contains the secret of a token.
func expectNowhere(t *testing.T, s *store.Store, text string) {
	t.Helper()
	id, secret, _ := strings.Cut(strings.TrimPrefix(text, store.AccessTokenPrefix), "_")
	var found atomic.Bool // concurrent, because Store.Everything reads several parts of the table at once
	err := s.Everything(t.Context(), func(items []store.Item) error {
		for _, item := range items {
			all, err := json.Marshal(item)
			if err != nil {
				return err
			}
			if strings.Contains(string(all), id) {
				found.Store(true)
			}
			if strings.Contains(string(all), secret) {
				t.Errorf("got the secret of a token in an item, want none: %s", all)
			}
		}
		return nil
	})
	if err != nil || !found.Load() {
		t.Errorf("got an item of the token %v, %v, want one", found.Load(), err)
	}
}

// TestAccessToken_Revoke checks that the owner of a token and admins can revoke the token,
// and that other users cannot.
func TestAccessToken_Revoke(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		ctx := t.Context()
		boss := admins(t, s, 1)[0]
		kim := addUser(t, s, store.User{Name: "kim", Role: store.Support})
		ole := addUser(t, s, store.User{Name: "ole", Role: store.Support})
		one := newToken(t, s, kim, store.NewAccessToken{Name: "One", Role: store.Viewer})
		two := newToken(t, s, kim, store.NewAccessToken{Name: "Two", Role: store.Viewer})
		all, err := s.As(kim).AccessTokens(ctx)
		if err != nil || len(all) != 2 || all[0].Name != "Two" || all[1].Name != "One" || all[1].Hash == "" || strings.Contains(one, all[1].Hash) {
			t.Fatalf("got tokens %+v, %v, want Two and One", all, err)
		}
		for what, err := range map[string]error{
			"a token of another user": s.As(ole).RevokeAccessToken(ctx, all[1].ID, s.NewToken()),
			"an unknown token":        s.As(kim).RevokeAccessToken(ctx, "none", s.NewToken()),
			"as another owner":        boss.RevokeAccessTokenOf(ctx, "ole", all[1].ID, s.NewToken()),
		} {
			if store.KindOf(err) != store.NotFound {
				t.Errorf("%s: got %v, want NotFound", what, err)
			}
		}
		expectUse(t, s, "before it is revoked", one, "viewer")
		form := s.NewToken()
		for range 2 {
			if err := s.As(kim).RevokeAccessToken(ctx, all[1].ID, form); err != nil {
				t.Errorf("revoke, submitted twice: got %v, want success", err)
			}
		}
		expectUse(t, s, "revoked by the owner", one, notFound)
		if err := boss.RevokeAccessTokenOf(ctx, "kim", all[0].ID, s.NewToken()); err != nil {
			t.Fatal(err)
		}
		expectUse(t, s, "revoked by an admin", two, notFound)
		events, err := boss.Events(ctx, store.EventFilter{About: kim.Partition()}, store.Page{Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range events.Rows {
			if strings.Contains(string(e.What), "token") {
				got = append(got, e.By+": "+e.Sentence())
			}
		}
		want := []string{"admin0: Access token revoked: Two", "kim: Access token revoked: One", "kim: Access token created: Two", "kim: Access token created: One"}
		if !slices.Equal(got, want) {
			t.Errorf("got events %q, want %q", got, want)
		}
	})
}

// TestAccessToken_RecordsUse uses a token five times within an hour, and once more an hour
// after the first use. The time of use must be written at most once an hour. Invalid tokens
// must not work.
func TestAccessToken_RecordsUse(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		kim := addUser(t, s, store.User{Name: "kim", Role: store.Support})
		text := newToken(t, s, kim, store.NewAccessToken{Role: store.Viewer})
		last := func() (time.Time, int) {
			t.Helper()
			all, err := s.As(kim).AccessTokens(t.Context())
			if err != nil || len(all) != 1 {
				t.Fatalf("got %d tokens, %v, want 1", len(all), err)
			}
			return all[0].Used, all[0].Version
		}
		if used, version := last(); !used.IsZero() || version != 1 {
			t.Errorf("new token: got used %v, version %d, want unused", used, version)
		}
		first := clock.Now()
		for range 5 {
			expectUse(t, s, "use", text, "viewer")
			clock.Advance(10 * time.Minute)
		}
		if used, version := last(); !used.Equal(first) || version != 2 {
			t.Errorf("after five uses in an hour: got used %v, version %d, want %v and 2", used, version, first)
		}
		clock.Advance(10 * time.Minute)
		expectUse(t, s, "an hour later", text, "viewer")
		if used, version := last(); !used.Equal(first.Add(time.Hour)) || version != 3 {
			t.Errorf("an hour later: got used %v, version %d, want %v and 3", used, version, first.Add(time.Hour))
		}
		wrong := []byte(text)
		wrong[len(wrong)-1] ^= 1
		for _, other := range []string{string(wrong), text[:len(text)-1], text + "0", strings.ToUpper(text), strings.TrimPrefix(text, store.AccessTokenPrefix), "", "stockroom_", "stockroom_x_y"} {
			expectUse(t, s, other, other, notFound)
		}
	})
}

// TestAccessToken_LimitsFailures sends many invalid tokens from one network. The store must
// make this network wait before it sends more invalid tokens. Valid tokens, other networks
// and sign-ins must not be affected.
func TestAccessToken_LimitsFailures(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		ctx := t.Context()
		boss := admins(t, s, 1)[0]
		kim := addUser(t, s, store.User{Name: "kim", Role: store.Support})
		text := newToken(t, s, kim, store.NewAccessToken{Role: store.Viewer})
		counts := map[string]int{}
		for range 60 {
			counts[tokenUse(t, s, "stockroom_wrong")]++
		}
		if counts["wait"] == 0 || counts[notFound] < 50 {
			t.Errorf("60 invalid tokens: got %v, want at least 50 %s and then a wait", counts, notFound)
		}
		expectUse(t, s, "a valid token from the same network", text, "viewer")
		if _, wait, err := s.UseAccessToken(ctx, "wrong", "10.0.0.2"); wait != 0 || store.KindOf(err) != store.NotFound {
			t.Errorf("another network: got wait %v, %v, want no wait and NotFound", wait, err)
		}
		if wait, err := s.AttemptSignIn(ctx, store.SignInAttempt{Name: "kim", Network: "10.0.0.1"}); err != nil || wait.Now != 0 {
			t.Errorf("sign-in from the same network: got wait %v, %v, want none", wait.Now, err)
		}
		clock.Advance(time.Minute)
		expectUse(t, s, "a minute later", "stockroom_wrong", notFound)
		events, err := boss.Events(ctx, store.EventFilter{By: store.UnknownUser}, store.Page{Limit: 20})
		if err != nil || len(events.Rows) == 0 || len(events.Rows) > 4 || events.Rows[len(events.Rows)-1].What != store.EventAccessTokenRefused {
			t.Errorf("got events %+v, %v, want a few events that count the refused tokens", events.Rows, err)
		}
	})
}

// TestSignInFromProvider_EndsAccess signs in a user who is in no group any more. This must
// revoke the user's access tokens, and change the version of the user, which ends sessions
// that the index does not contain yet.
func TestSignInFromProvider_EndsAccess(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		ctx, person := t.Context(), store.ProviderUser{Issuer: "https://id.example", Subject: "1", Names: []string{"kim"}, Role: store.Support}
		kim, err := s.SignInFromProvider(ctx, person)
		if err != nil {
			t.Fatal(err)
		}
		token, err := s.As(kim).CreateAccessToken(ctx, store.NewAccessToken{Name: "Report", Role: store.Viewer, Days: 30}, s.NewToken())
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.UseAccessToken(ctx, token, "10.0.0.1"); err != nil {
			t.Fatal(err)
		}
		person.Role = ""
		for range 2 {
			after, err := s.SignInFromProvider(ctx, person)
			if store.KindOf(err) != store.Forbidden || after == nil || after.Version == kim.Version {
				t.Fatalf("without groups: got %+v, %v, want Forbidden and another version", after, err)
			}
			kim = after
		}
		if _, _, err := s.UseAccessToken(ctx, token, "10.0.0.1"); store.KindOf(err) != store.NotFound {
			t.Errorf("the access token: got %v, want NotFound", err)
		}
		events, err := s.As(admin).Events(ctx, store.EventFilter{About: kim.Partition()}, store.Page{})
		revoked := slices.ContainsFunc(events.Rows, func(e store.Event) bool {
			return e.What == store.EventAccessTokenRevoked && e.Subject == "Report" && e.Why == "Not in a group with access"
		})
		if err != nil || !revoked {
			t.Errorf("got events %+v, %v, want one for the token", events.Rows, err)
		}
	})
}
