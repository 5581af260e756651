package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/storetest"
)

// admins adds n admins. For each one, it returns the store with the permissions of
// this admin.
func admins(t *testing.T, s *store.Store, n int) []store.Access {
	t.Helper()
	all := make([]store.Access, n)
	for i := range n {
		all[i] = s.As(addUser(t, s, store.User{Name: fmt.Sprintf("admin%d", i), Role: store.Admin}))
	}
	return all
}

func loadPlaces(t *testing.T, s *store.Store) {
	t.Helper()
	loaded, err := s.Load(t.Context(), []store.Entity{&store.Warehouse{ID: "w1", Version: 1}, &store.RentalStore{ID: "7", Version: 1}}, store.LoadOptions{})
	if err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
}

func version(t *testing.T, a store.Access, name string) int {
	t.Helper()
	user, err := a.User(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return user.Version
}

func TestUsers_ManagedByAdminsOnly(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		ctx := t.Context()
		admins(t, s, 1)
		for _, role := range []store.Role{store.Viewer, store.Auditor, store.Support, store.Manager} {
			a := s.As(addUser(t, s, store.User{Name: string(role), Role: role}))
			_, listed := a.Users(ctx)
			_, read := a.User(ctx, "admin0")
			_, opened := a.AddUser(ctx, store.User{Name: "new", Role: store.Viewer})
			_, reset := a.ResetPassword(ctx, "admin0", 1)
			_, history := a.Events(ctx, store.EventFilter{}, store.Page{})
			if readable := store.KindOf(history) != store.Forbidden; readable != (role == store.Auditor) {
				t.Errorf("%s: history: got error %v, want the history only for auditors", role, history)
			}
			_, settings := a.CurrentSettings(ctx)
			for what, err := range map[string]error{
				"list": listed, "read": read, "open": opened, "reset": reset, "settings": settings,
				"raise themselves": a.ChangeRole(ctx, string(role), 1, store.Admin, nil, nil, ""),
				"lock":             a.SetLocked(ctx, "admin0", 1, true, ""),
				"save settings":    a.ChangeSettings(ctx, store.Settings{}, ""),
			} {
				if store.KindOf(err) != store.Forbidden {
					t.Errorf("%s: %s: got %v, want Forbidden", role, what, err)
				}
			}
		}
	})
}

func TestUsers_ChangedByAnotherAdmin(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		ctx := t.Context()
		loadPlaces(t, s)
		a := admins(t, s, 1)[0]
		password, err := a.AddUser(ctx, store.User{Name: "Mia", Role: store.Viewer})
		if err != nil {
			t.Fatal(err)
		}
		mia, err := s.Authenticate(ctx, "mia", password)
		if err != nil || !mia.MustChange {
			t.Fatalf("sign-in with the one-time password: got %+v, %v, want a user who must choose a password", mia, err)
		}
		logIn(t, s, mia, "session of mia") // uses the one-time password, which makes version 2
		if err := a.ChangeRole(ctx, "mia", 2, store.Manager, []string{"w1"}, []string{"7"}, "t2"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Session(ctx, "session of mia"); store.KindOf(err) != store.NotFound {
			t.Errorf("session of the former role: got %v, want NotFound", err)
		}
		if err := a.ChangeRole(ctx, "mia", 2, store.Manager, []string{"w1"}, []string{"7"}, "t2"); err != nil {
			t.Errorf("same form again: got %v, want success", err)
		}
		if err := a.ChangeRole(ctx, "mia", 1, store.Viewer, nil, nil, "t3"); store.KindOf(err) != store.Conflict {
			t.Errorf("form of an old version: got %v, want Conflict", err)
		}
		if _, err := a.ResetPassword(ctx, "mia", 1); store.KindOf(err) != store.Conflict {
			t.Errorf("password for an old version: got %v, want Conflict", err)
		}
		for _, name := range []string{"olé", "ole smith", "", "a#b"} {
			if _, err := a.AddUser(ctx, store.User{Name: name, Role: store.Viewer}); store.KindOf(err) != store.Invalid {
				t.Errorf("new user %q: got %v, want Invalid", name, err)
			}
		}
		if _, err := a.AddUser(ctx, store.User{Name: "ole", Role: store.Manager}); store.KindOf(err) != store.Invalid {
			t.Errorf("new manager without places: got %v, want Invalid", err)
		}
		if err := a.ChangeRole(ctx, "mia", 3, store.Manager, nil, nil, ""); store.KindOf(err) != store.Invalid {
			t.Errorf("manager without places: got %v, want Invalid", err)
		}
		for scope, stores := range map[string][]string{"w1": {"none"}, "none": {"7"}} {
			if err := a.ChangeRole(ctx, "mia", 3, store.Manager, []string{scope}, stores, ""); store.KindOf(err) != store.Invalid {
				t.Errorf("scope with an unknown place: got %v, want Invalid", err)
			}
			if _, err := a.AddUser(ctx, store.User{Name: "ole", Role: store.Manager, Warehouses: []string{scope}, Stores: stores}); store.KindOf(err) != store.Invalid {
				t.Errorf("new user with an unknown place: got %v, want Invalid", err)
			}
		}
		again, err := a.ResetPassword(ctx, "mia", 3)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Authenticate(ctx, "mia", password); store.KindOf(err) != store.Forbidden {
			t.Errorf("sign-in with the former password: got %v, want Forbidden", err)
		}
		if err := a.SetLocked(ctx, "mia", 4, true, "t4"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Authenticate(ctx, "mia", again); store.KindOf(err) != store.Forbidden {
			t.Errorf("sign-in of a locked user: got %v, want Forbidden", err)
		}
		if err := a.SetLocked(ctx, "mia", 5, false, "t5"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Authenticate(ctx, "mia", again); err != nil {
			t.Errorf("sign-in of an unlocked user: got %v, want no error", err)
		}
		for what, err := range map[string]error{
			"role": a.ChangeRole(ctx, "ADMIN0", 1, store.Viewer, nil, nil, ""), "lock": a.SetLocked(ctx, "admin0", 1, true, ""),
		} {
			if store.KindOf(err) != store.Invalid {
				t.Errorf("%s of one's own user: got %v, want Invalid", what, err)
			}
		}
		var got []string
		found, err := a.Events(ctx, store.EventFilter{About: mia.Partition()}, store.Page{})
		for _, e := range found.Rows {
			got = append(got, fmt.Sprintf("%s by %s: %s > %s", e.Sentence(), e.By, e.Before, e.After))
		}
		want := []string{
			"User unlocked by admin0: manager of w#w1,store#7, locked > manager of w#w1,store#7",
			"User locked by admin0: manager of w#w1,store#7 > manager of w#w1,store#7, locked",
			"One-time password created by admin0:  > ",
			"Role changed by admin0: viewer > manager of w#w1,store#7",
			"Signed in by mia:  > ",
			"User added by admin0:  > viewer",
		}
		if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("got history (error %v)\n%q\nwant\n%q", err, got, want)
		}
	})
}

// TestUsers_ConcurrentDemotionsKeepAnAdmin makes all admins demote or lock each other at
// once. At least one admin must remain.
func TestUsers_ConcurrentDemotionsKeepAnAdmin(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		ctx := t.Context()
		const n = 4
		all := admins(t, s, n)
		for round := range 3 {
			var acting sync.WaitGroup
			for i, a := range all {
				for j := range n {
					if i == j {
						continue
					}
					acting.Go(func() {
						name := fmt.Sprintf("admin%d", j)
						user, err := a.User(ctx, name)
						if err == nil && round%2 == 0 {
							err = a.ChangeRole(ctx, name, user.Version, store.Viewer, nil, nil, "")
						} else if err == nil {
							err = a.SetLocked(ctx, name, user.Version, true, "")
						}
						switch store.KindOf(err) {
						case store.Conflict, store.Forbidden, store.Invalid, store.Busy:
						default:
							if err != nil && !errors.Is(err, store.ErrUnchanged) {
								t.Error(err)
							}
						}
					})
				}
			}
			acting.Wait()
			users, err := s.Users(ctx)
			left := 0
			for _, u := range users {
				if u.Role == store.Admin && !u.Disabled {
					left++
				}
			}
			if err != nil || left == 0 {
				t.Fatalf("round %d: got %d admins, %v; want at least 1", round, left, err)
			}
		}
	})
}

func TestLockUser_KeepsTheLastAdmin(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		ctx := t.Context()
		all := admins(t, s, 2)
		if err := s.LockUser(ctx, "admin0", store.Program); err != nil {
			t.Fatal(err)
		}
		var refused *store.Error
		if err := s.LockUser(ctx, "admin1", store.Program); !errors.As(err, &refused) || refused.Kind != store.Invalid {
			t.Errorf("locking the last admin: got %v, want an error", err)
		}
		// A former admin cannot change users, even if the session still contains the role
		// admin.
		if err := all[0].SetLocked(ctx, "admin1", version(t, all[1], "admin1"), true, ""); store.KindOf(err) != store.Forbidden {
			t.Errorf("locked user locks another: got %v, want an error", err)
		}
	})
}

// TestUsers_UnchangedAreNotWritten locks a locked user, and assigns the present role. Neither
// must write the user or an event.
func TestUsers_UnchangedAreNotWritten(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	ctx := t.Context()
	a := admins(t, s, 1)[0]
	addUser(t, s, store.User{Name: "mia", Role: store.Viewer})
	if err := s.LockUser(ctx, "mia", store.Program); err != nil {
		t.Fatal(err)
	}
	before := version(t, a, "mia")
	for what, err := range map[string]error{
		"lock": s.LockUser(ctx, "Mia", store.Program),
		"role": s.ChangeRole(ctx, "mia", store.Viewer, nil, nil, store.Program),
	} {
		if !errors.Is(err, store.ErrUnchanged) {
			t.Errorf("%s: got %v, want ErrUnchanged", what, err)
		}
	}
	for what, err := range map[string]error{
		"lock by an admin": a.SetLocked(ctx, "mia", before, true, s.NewToken()),
		"role by an admin": a.ChangeRole(ctx, "mia", before, store.Viewer, []string{}, []string{}, s.NewToken()),
	} {
		if !errors.Is(err, store.ErrUnchanged) {
			t.Errorf("%s: got %v, want ErrUnchanged", what, err)
		}
	}
	if after := version(t, a, "mia"); after != before {
		t.Errorf("got version %d, want %d", after, before)
	}
	for range 2 { // the second one only clears the failed attempts to sign in, which the history must say
		if err := s.UnlockUser(ctx, "mia", "program"); err != nil && !errors.Is(err, store.ErrUnchanged) {
			t.Fatal(err)
		}
	}
	events, err := a.Events(ctx, store.EventFilter{About: "user#mia"}, store.Page{})
	if err != nil || !slices.ContainsFunc(events.Rows, func(e store.Event) bool { return e.What == store.EventUserAttemptsCleared }) {
		t.Errorf("got %+v, %v; want an event about the cleared attempts", events.Rows, err)
	}
}

// TestAuthenticate_Rehashes signs in with a hash that was made with weaker
// parameters. The sign-in must replace the hash.
func TestAuthenticate_Rehashes(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	today := store.New(db, "OnlineShop", clock.Now)
	if err := today.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	weak := store.New(db, "OnlineShop", clock.Now)
	weak.WeakenPasswords()
	added := addUser(t, weak, store.User{Name: "kim", Role: store.Viewer})
	for range 2 {
		user, err := today.Authenticate(t.Context(), "kim", password)
		if err != nil {
			t.Fatal(err)
		}
		if user.Hash == added.Hash || !strings.HasPrefix(user.Hash, "$argon2id$v=19$m=19456,t=2,p=1$") || user.Version != 2 {
			t.Errorf("got hash %s of version %d, want a new one of the current parameters at version 2", user.Hash, user.Version)
		}
	}
}

// TestChangePassword_ChangesUserOnce confirms and changes a password whose hash was made with
// weaker parameters. The confirmation must not change the user, because this would end the
// session. The new password must change the user only once, as ContinueSession requires.
func TestChangePassword_ChangesUserOnce(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	today, weak := store.New(db, "OnlineShop", clock.Now), store.New(db, "OnlineShop", clock.Now)
	weak.WeakenPasswords()
	if err := weak.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	addUser(t, weak, store.User{Name: "kim", Role: store.Viewer})
	expect := func(what string, err error, want int) {
		t.Helper()
		users, readErr := today.Users(t.Context())
		if err != nil || readErr != nil || len(users) != 1 || users[0].Version != want {
			t.Errorf("%s: got %+v, %v, %v, want version %d", what, users, err, readErr, want)
		}
	}
	expect("confirmation", today.ConfirmPassword(t.Context(), "kim", password), 1)
	expect("new password", today.ChangePassword(t.Context(), "kim", password, "another long one"), 2)
}

// TestAuthenticate_RehashesConcurrently makes several sign-ins at once. All must
// succeed, although only one of them replaces the hash.
func TestAuthenticate_RehashesConcurrently(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	weak := store.New(db, "OnlineShop", clock.Now)
	weak.WeakenPasswords()
	if err := weak.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	addUser(t, weak, store.User{Name: "kim", Role: store.Viewer})
	const signIns = 3
	held := &heldReads{DB: db}
	held.missing.Store(signIns)
	held.all.Add(signIns)
	today := store.New(held, "OnlineShop", clock.Now)
	errs := make(chan error, signIns)
	for range signIns {
		go func() {
			user, err := today.Authenticate(t.Context(), "kim", password)
			if err == nil && user.Version != 2 {
				err = fmt.Errorf("got version %d, want 2", user.Version)
			}
			errs <- err
		}()
	}
	for range signIns {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}

// heldReads is a table that holds back the results of the first GetItem requests until all
// of them have been made.
type heldReads struct {
	store.DB
	missing atomic.Int64
	all     sync.WaitGroup
}

func (h *heldReads) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	out, err := h.DB.GetItem(ctx, in, options...)
	if h.missing.Add(-1) >= 0 {
		h.all.Done()
		h.all.Wait()
	}
	return out, err
}
