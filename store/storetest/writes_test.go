package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/embedded"
	"stockroom/store/storetest"
)

const password = "correct horse battery"

func TestLoad_SecondTimeChangesNothing(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		shop := storetest.NewShop()
		dryRun, err := s.Load(t.Context(), shop.Entities(), store.LoadOptions{DryRun: true})
		if err != nil {
			t.Fatal(err)
		}
		if has, err := s.HasBusiness(t.Context()); err != nil || has {
			t.Fatalf("after a dry run HasBusiness = %v, %v, want false", has, err)
		}
		shop.Load(t, s)
		if has, err := s.HasBusiness(t.Context()); err != nil || !has {
			t.Fatalf("HasBusiness = %v, %v, want true", has, err)
		}
		if dryRun.Added["order"] != len(shop.Orders) {
			t.Errorf("dry run reports %d orders, want %d", dryRun.Added["order"], len(shop.Orders))
		}
		again, err := s.Load(t.Context(), shop.Entities(), store.LoadOptions{TotalsIncluded: true})
		if err != nil || len(again.Added) > 0 || len(again.Rejected) > 0 || again.Unchanged != len(shop.Entities()) {
			t.Errorf("second Load: %v, added %v, rejected %v, %d unchanged; want all unchanged", err, again.Added, again.Rejected, again.Unchanged)
		}
	})
}

func TestLoad_KeepsExistingItems(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		shop := storetest.NewShop()
		shop.Load(t, s)
		other := shop.Customers[3]
		other.Email = "else@example.com"
		fresh := store.Customer{ID: "new", Name: "New"}
		twin := fresh
		twin.Name = "Twin"
		loaded, err := s.Load(t.Context(), []store.Entity{&other, &fresh, &fresh, &twin, &store.Order{ID: "keyless"}}, store.LoadOptions{})
		if err != nil || loaded.Added["customer"] != 1 || len(loaded.Rejected) != 3 {
			t.Fatalf("Load: %v, added %v, rejected %v; want 1 customer added, 3 rejected", err, loaded.Added, loaded.Rejected)
		}
		for i, want := range []struct {
			index int
			words string
		}{{0, "Email"}, {3, "appears twice"}, {4, "customerID"}} {
			if got := loaded.Rejected[i]; got.Index != want.index || !strings.Contains(got.Reason, want.words) {
				t.Errorf("rejected %d: got %+v, want row %d for %s", i, got, want.index, want.words)
			}
		}
		if kept, err := s.As(admin).Customer(t.Context(), other.ID); err != nil || kept.Email != shop.Customers[3].Email {
			t.Errorf("got %+v, %v, want the customer unchanged", kept, err)
		}
	})
}

// TestLoad_RecordsRowsBeforeError checks that the result contains the rows that a load
// inserted before an error.
func TestLoad_RecordsRowsBeforeError(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	s := storetest.OpenTable(t, db, storetest.TableName, clock)
	customers := []store.Entity{&store.Customer{ID: "c1", Name: "One"}, &store.Customer{ID: "c2", Name: "Two"}, &store.Customer{ID: "c3", Name: "Three"}}
	if err := loadAll(t.Context(), s, customers[:1]); err != nil {
		t.Fatal(err)
	}
	stopped := store.New(partialDB{db}, storetest.TableName, clock.Now)
	got, err := stopped.Load(t.Context(), customers, store.LoadOptions{})
	want := []store.Outcome{store.NotReached, store.OutcomeAdded, store.NotReached} // the first row exists, but is not compared
	if !errors.Is(err, context.Canceled) || got.Added["customer"] != 1 || !slices.Equal(got.Outcomes, want) {
		t.Errorf("got %v, added %v, outcomes %v; want cancelled, one customer, %v", err, got.Added, got.Outcomes, want)
	}
	got, err = s.Load(t.Context(), customers, store.LoadOptions{})
	if err != nil || got.Added["customer"] != 1 || got.Unchanged != 2 {
		t.Errorf("second load: got %v, added %v, %d unchanged; want one customer, 2 unchanged", err, got.Added, got.Unchanged)
	}
}

// partialDB is a table in which each load stops after its first two groups.
type partialDB struct{ *embedded.DB }

func (d partialDB) StartLoad(table string) embedded.Load {
	return &partialLoad{Load: d.DB.StartLoad(table)}
}

type partialLoad struct {
	embedded.Load
	groups int
}

func (l *partialLoad) Add(group ...store.Item) error {
	if l.groups++; l.groups > 2 {
		return nil
	}
	return l.Load.Add(group...)
}

func (l *partialLoad) Commit(ctx context.Context) (taken []int, done int, err error) {
	taken, done, err = l.Load.Commit(ctx)
	return taken, done, errors.Join(err, context.Canceled)
}

func addUser(t *testing.T, s *store.Store, u store.User) *store.User {
	t.Helper()
	if err := s.AddUser(t.Context(), u, password, "test"); err != nil {
		t.Fatal(err)
	}
	user, err := s.Authenticate(t.Context(), u.Name, password)
	if err != nil {
		t.Fatal(err)
	}
	return user
}

func logIn(t *testing.T, s *store.Store, u *store.User, id string) {
	t.Helper()
	if _, err := s.StartSession(t.Context(), u, store.NoFactor, id, "test"); err != nil {
		t.Fatal(err)
	}
}

func TestUsers_SignIn(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		ctx := t.Context()
		loadPlaces(t, s)
		addUser(t, s, store.User{Name: "Kim", Role: store.Manager, Warehouses: []string{"w1"}})
		if err := s.AddUser(ctx, store.User{Name: "KIM", Role: store.Viewer}, password, "test"); store.KindOf(err) != store.Conflict {
			t.Errorf("second user kim: got %v, want Conflict", err)
		}
		for _, tt := range []struct {
			user     store.User
			password string
			field    string
		}{
			{store.User{Name: "a#b", Role: store.Viewer}, password, "name"},
			{store.User{Name: "", Role: store.Viewer}, password, "name"},
			{store.User{Name: "a", Role: "owner"}, password, "role"},
			{store.User{Name: "a", Role: store.Viewer, Warehouses: []string{"w1"}}, password, "scope"},
			{store.User{Name: "a", Role: store.Manager, Stores: []string{"#"}}, password, "scope"},
			{store.User{Name: "a", Role: store.Manager, Warehouses: []string{"w1", "none"}}, password, "scope"},
			{store.User{Name: "a", Role: store.Manager, Warehouses: []string{"w1"}, Stores: []string{"none"}}, password, "scope"},
			{store.User{Name: "a", Role: store.Viewer}, "short", "password"},
			{store.User{Name: "a", Role: store.Viewer}, strings.Repeat("å", 129), "password"},
		} {
			var e *store.Error
			err := s.AddUser(ctx, tt.user, tt.password, "test")
			if !errors.As(err, &e) || e.Kind != store.Invalid || e.Field != tt.field {
				t.Errorf("%+v: got %v, want an error at %s", tt.user, err, tt.field)
			}
		}
		for name, given := range map[string]string{"kim": "wrong", "nobody": password, "": password, "kim\x00": password, "#": password} {
			if _, err := s.Authenticate(ctx, name, given); store.KindOf(err) != store.Forbidden || err.Error() != "The name or the password is wrong." {
				t.Errorf("%q with %q: got %v, want Forbidden", name, given, err)
			}
		}
		if err := s.ChangePassword(ctx, "kim", "wrong", "another password"); store.KindOf(err) != store.Invalid {
			t.Errorf("wrong old password: got %v, want Invalid", err)
		}
		if err := s.ChangePassword(ctx, "kim", password, "another password"); err != nil {
			t.Error(err)
		}
		if _, err := s.Authenticate(ctx, "kim", password); store.KindOf(err) != store.Forbidden {
			t.Errorf("old password: got %v, want Forbidden", err)
		}
		if err := s.LockUser(ctx, "kim", "test"); err != nil {
			t.Error(err)
		}
		if _, err := s.Authenticate(ctx, "kim", "another password"); store.KindOf(err) != store.Forbidden {
			t.Errorf("locked user: got %v, want Forbidden", err)
		}
		if err := s.LockUser(ctx, "nobody", "test"); store.KindOf(err) != store.NotFound {
			t.Errorf("locking an unknown user: got %v, want NotFound", err)
		}
		users, err := s.Users(ctx)
		if err != nil || len(users) != 1 || users[0].Name != "kim" || !users[0].Disabled || users[0].Warehouses[0] != "w1" {
			t.Errorf("got users %+v, %v, want kim, locked, with warehouse w1", users, err)
		}
	})
}

func TestSessions_End(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		ctx := t.Context()
		gone := func(id, why string) {
			t.Helper()
			if _, err := s.Session(ctx, id); store.KindOf(err) != store.NotFound {
				t.Errorf("%s: session %s: got %v, want NotFound", why, id, err)
			}
		}
		kim := addUser(t, s, store.User{Name: "kim", Role: store.Support})
		logIn(t, s, kim, "one")
		logIn(t, s, kim, "two")
		session, err := s.Session(ctx, "one")
		if err != nil || session.User.Role != store.Support || session.Hash == "one" {
			t.Fatalf("got session %+v, %v, want a new session with the role support", session, err)
		}
		gone(session.Hash, "a hash from the table is not a session ID")
		if open, err := s.SessionsOf(ctx, "kim"); err != nil || len(open) != 2 {
			t.Errorf("got %d sessions, %v; want 2", len(open), err)
		}

		clock.Advance(29 * time.Minute)
		if _, err := s.Session(ctx, "one"); err != nil {
			t.Errorf("after 29 idle minutes: got %v, want no error", err)
		}
		clock.Advance(time.Minute)
		gone("two", "30 minutes idle")
		for range 25 {
			clock.Advance(29 * time.Minute)
			_, err = s.Session(ctx, "one")
		}
		gone("one", "12 hours old")
		if err == nil {
			t.Error("got a session in use after 12 hours, want it ended")
		}

		logIn(t, s, kim, "three")
		if err := s.EndSession(ctx, "three"); err != nil {
			t.Error(err)
		}
		if err := s.EndSession(ctx, "three"); err != nil {
			t.Errorf("ending it again: got %v, want no error", err)
		}
		gone("three", "signed out")

		logIn(t, s, kim, "four")
		if err := s.SetPassword(ctx, "kim", "another password", false, "test"); err != nil {
			t.Error(err)
		}
		gone("four", "the password was changed")
		if _, err := s.StartSession(ctx, kim, store.NoFactor, "five", ""); store.KindOf(err) != store.Conflict {
			t.Errorf("sign-in that began before the password change: got %v, want Conflict", err)
		}
		gone("five", "it was never started")

		other := addUser(t, s, store.User{Name: "other", Role: store.Viewer})
		logIn(t, s, other, "six")
		six, err := s.Session(ctx, "six")
		if err != nil {
			t.Fatal(err)
		}
		if err := s.EndOwnSession(ctx, "kim", six.Hash); store.KindOf(err) != store.NotFound {
			t.Errorf("ending another user's session: got %v, want NotFound", err)
		}
		if err := s.EndOwnSession(ctx, "other", six.Hash); err != nil {
			t.Error(err)
		}
		gone("six", "ended from the list")
	})
}

// TestSessions_EndWhileInUse ends sessions that were read a moment ago. They must not be
// found any more, although a store with the embedded engine keeps such sessions in
// memory.
func TestSessions_EndWhileInUse(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		ctx := t.Context()
		for name, end := range map[string]func(*store.Session) error{
			"sign-out": func(*store.Session) error { return s.EndSession(ctx, "sign-out") },
			"list":     func(session *store.Session) error { return s.EndOwnSession(ctx, "list", session.Hash) },
			"lock":     func(*store.Session) error { return s.LockUser(ctx, "lock", "test") },
			"password": func(*store.Session) error { return s.SetPassword(ctx, "password", "another password", false, "test") },
			"confirm": func(session *store.Session) error {
				_, err := s.ConfirmSession(ctx, session.Hash, "confirm again", store.NoFactor)
				return err
			},
			"expiry": func(session *store.Session) error {
				for clock.Now().Add(20 * time.Minute).Before(session.Expires) {
					clock.Advance(20 * time.Minute)
					if _, err := s.Session(ctx, "expiry"); err != nil {
						return err
					}
				}
				clock.Advance(session.Expires.Sub(clock.Now()) - time.Second)
				if _, err := s.Session(ctx, "expiry"); err != nil {
					return err
				}
				clock.Advance(time.Second)
				return nil
			},
		} {
			logIn(t, s, addUser(t, s, store.User{Name: name, Role: store.Viewer}), name)
			var session *store.Session
			for range 2 {
				var err error
				if session, err = s.Session(ctx, name); err != nil {
					t.Fatal(err)
				}
			}
			if err := end(session); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if _, err := s.Session(ctx, name); store.KindOf(err) != store.NotFound {
				t.Errorf("after %s: got %v, want NotFound", name, err)
			}
		}
	})
}

// TestSessions_DoNotContinueAfterLock locks a user during a request of the user. The
// request must not add a passkey or start another session.
func TestSessions_DoNotContinueAfterLock(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	ctx := t.Context()
	kim := addUser(t, s, store.User{Name: "kim", Role: store.Support})
	logIn(t, s, kim, "one")
	session, err := s.Session(ctx, "one")
	if err != nil {
		t.Fatal(err)
	}
	changed, err := s.As(&session.User).ChangeOwnEmail(ctx, store.OwnEmail{Email: "kim@example.com", Version: session.UserVersion, Token: s.NewToken()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ContinueSession(ctx, changed, session, store.NoFactor, "two", ""); err != nil {
		t.Errorf("after the user's own change: got %v, want no error", err)
	}
	if err := s.LockUser(ctx, "kim", "test"); err != nil {
		t.Fatal(err)
	}
	locked, err := s.As(admin).User(ctx, "kim")
	if err != nil {
		t.Fatal(err)
	}
	session.UserVersion = locked.Version - 1 // as if the lock were the only change since the request began
	if _, err := s.ContinueSession(ctx, locked, session, store.NoFactor, "three", ""); store.KindOf(err) != store.Forbidden {
		t.Errorf("session after the lock: got %v, want Forbidden", err)
	}
	if _, _, err := s.AddPasskey(ctx, session, store.NewHandle(), store.Passkey{ID: "x", Name: "x"}); store.KindOf(err) != store.Forbidden {
		t.Errorf("passkey after the lock: got %v, want Forbidden", err)
	}
}

// TestSessions_ConcurrentTouches makes several requests of one session at the same time,
// when its attribute Seen is due to be written again. None may fail.
func TestSessions_ConcurrentTouches(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		logIn(t, s, addUser(t, s, store.User{Name: "kim", Role: store.Viewer}), "one")
		clock.Advance(2 * time.Minute)
		var all sync.WaitGroup
		for range 16 {
			all.Go(func() {
				if _, err := s.Session(t.Context(), "one"); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	})
}

func TestSessionKeys_CreatedOnce(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		made := make([]string, 8)
		var all sync.WaitGroup
		for i := range made {
			all.Go(func() {
				keys, err := s.SessionKeys(t.Context())
				if err != nil || len(keys) != 1 || len(keys[0]) != 32 {
					t.Errorf("got %d keys, %v, want one key of 32 bytes", len(keys), err)
					return
				}
				made[i] = fmt.Sprintf("%x", keys[0])
			})
		}
		all.Wait()
		for _, k := range made {
			if k != made[0] {
				t.Error("got different keys on two servers, want the same key")
			}
		}
	})
}

func TestSettings_Save(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		ctx := t.Context()
		settings, err := s.Settings(ctx)
		if err != nil || !reflect.DeepEqual(settings, store.DefaultSettings()) {
			t.Fatalf("before the first save: got %+v, %v, want the default settings", settings, err)
		}
		settings.Currency = "SEK"
		if err := s.SaveSettings(ctx, settings, "test"); err != nil {
			t.Fatal(err)
		}
		if err := s.SaveSettings(ctx, settings, "test"); store.KindOf(err) != store.Conflict {
			t.Errorf("old version: got %v, want Conflict", err)
		}
		saved, err := s.Settings(ctx)
		if err != nil || saved.Currency != "SEK" || saved.Version != 1 {
			t.Errorf("got settings %+v, %v, want SEK, version 1", saved, err)
		}
		for field, change := range map[string]func(*store.Settings){
			"currency": func(s *store.Settings) { s.Currency = "euro" },
			"timezone": func(s *store.Settings) { s.TimeZone = "Mars/Olympus" },
			"shards":   func(s *store.Settings) { s.Shards = 0 },
		} {
			wrong := saved
			change(&wrong)
			var e *store.Error
			if err := s.SaveSettings(ctx, wrong, "test"); !errors.As(err, &e) || e.Field != field {
				t.Errorf("%+v: got %v, want an error at %s", wrong, err, field)
			}
		}
	})
}

func TestTable_Create(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		if err := s.CreateTable(t.Context()); err != nil {
			t.Errorf("creating it again: got %v, want no error", err)
		}
		if lacks, building, err := s.CheckTable(t.Context()); err != nil || len(lacks)+len(building) > 0 {
			t.Errorf("got a new table that lacks %q, error %v, want a complete table", lacks, err)
		}
		if err := s.Ready(t.Context()); err != nil {
			t.Error(err)
		}
	})
	clock := storetest.NewClock()
	if err := store.New(storetest.Embedded(t, clock), "nowhere", clock.Now).Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("missing table: got %v, want an error that names the table", err)
	}
}
