package storetest_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

func setAddress(t *testing.T, s *store.Store, user *store.User) {
	t.Helper()
	if _, err := s.As(user).ChangeOwnEmail(t.Context(), store.OwnEmail{Email: "kim@example.com", Version: user.Version, Token: s.NewToken()}); err != nil {
		t.Fatal(err)
	}
}

// queuedEmails returns the emails that wait in the outbox.
func queuedEmails(t *testing.T, s *store.Store) []store.Email {
	t.Helper()
	due, err := s.EmailsDue(t.Context(), 100)
	if err != nil {
		t.Fatal(err)
	}
	return due
}

func TestQueuePasswordLink_OnlyForSomeUsers(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	admin := admins(t, s, 1)[0]
	for _, name := range []string{"kim", "noaddress", "locked"} {
		if err := s.AddUser(t.Context(), store.User{Name: name, Role: store.Viewer}, "correct horse battery", "test"); err != nil {
			t.Fatal(err)
		}
	}
	external, err := s.SignInFromProvider(t.Context(), store.ProviderUser{Issuer: "https://id.example", Subject: "1", Names: []string{"external"}, Role: store.Viewer})
	if err != nil {
		t.Fatal(err)
	}
	setAddress(t, s, external)
	for _, name := range []string{"kim", "locked"} {
		user, err := admin.User(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		setAddress(t, s, user)
	}
	if err := s.LockUser(t.Context(), "locked", "test"); err != nil {
		t.Fatal(err)
	}
	everybody := func(*store.User) bool { return true }
	for _, name := range []string{"", " ", "nobody", "noaddress", "locked", "external", "a#b", strings.Repeat("x", 5000)} {
		if queued, err := s.QueuePasswordLink(t.Context(), name, everybody); queued || err != nil {
			t.Errorf("%.20q: got queued %v, error %v, want no email", name, queued, err)
		}
	}
	if queued, err := s.QueuePasswordLink(t.Context(), "kim", func(*store.User) bool { return false }); queued || err != nil {
		t.Errorf("user who may not use a password: got queued %v, error %v, want no email", queued, err)
	}
	if got := queuedEmails(t, s); len(got) != 0 {
		t.Errorf("got emails %+v, want none", got)
	}
	if queued, err := s.QueuePasswordLink(t.Context(), " KIM ", everybody); !queued || err != nil {
		t.Errorf("got queued %v, error %v, want an email", queued, err)
	}
	if got := queuedEmails(t, s); len(got) != 1 || got[0].To != "kim@example.com" || got[0].PasswordLink == "" {
		t.Errorf("got emails %+v, want one to kim", got)
	}
}

// TestUsePasswordLink_Once uses a link in several tabs at the same time. Only one of them
// may change the password.
func TestUsePasswordLink_Once(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	admin := admins(t, s, 1)[0]
	if err := s.AddUser(t.Context(), store.User{Name: "kim", Role: store.Viewer}, "correct horse battery", "test"); err != nil {
		t.Fatal(err)
	}
	user, err := admin.User(t.Context(), "kim")
	if err != nil {
		t.Fatal(err)
	}
	setAddress(t, s, user)
	if _, err := s.QueuePasswordLink(t.Context(), "kim", func(*store.User) bool { return true }); err != nil {
		t.Fatal(err)
	}
	link := queuedEmails(t, s)[0].PasswordLink
	if _, err := s.OpenPasswordLink(t.Context(), link, ""); store.KindOf(err) != store.NotFound {
		t.Errorf("before the email is sent: got error %v, want NotFound", err)
	}
	earlier, err := s.NewPasswordCode(t.Context(), link)
	if err != nil {
		t.Fatal(err)
	}
	code, err := s.NewPasswordCode(t.Context(), link)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.UsePasswordLink(t.Context(), link, earlier, "another long one"); store.KindOf(err) != store.NotFound {
		t.Errorf("link of an earlier attempt: got error %v, want NotFound", err)
	}
	var changed atomic.Int32
	var tabs sync.WaitGroup
	for range 8 {
		tabs.Go(func() {
			if s.UsePasswordLink(t.Context(), link, code, "another long one") == nil {
				changed.Add(1)
			}
		})
	}
	tabs.Wait()
	if changed.Load() != 1 {
		t.Errorf("got %d changes of the password, want 1", changed.Load())
	}
	if _, err := s.Authenticate(t.Context(), "kim", "another long one"); err != nil {
		t.Errorf("new password: got error %v, want none", err)
	}
}

// withoutSessions is a table that fails all queries of sessions.
type withoutSessions struct{ store.DB }

func (w withoutSessions) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	for _, v := range in.ExpressionAttributeValues {
		if s, ok := v.(*types.AttributeValueMemberS); ok && strings.HasPrefix(s.Value, "sessions#") {
			return nil, errors.New("no list of sessions")
		}
	}
	return w.DB.Query(ctx, in, options...)
}

// TestUsePasswordLink_SessionsRemain changes a password while the sessions of the user
// cannot be listed. The change must succeed, and the sessions must end within a minute. A
// reset by an admin must also succeed and return the new password.
func TestUsePasswordLink_SessionsRemain(t *testing.T) {
	clock := storetest.NewClock()
	db := storetest.Embedded(t, clock)
	s := storetest.OpenTable(t, withoutSessions{db}, storetest.TableName, clock)
	admin := admins(t, s, 1)[0]
	if err := s.AddUser(t.Context(), store.User{Name: "kim", Role: store.Viewer, Email: "kim@example.com"}, "correct horse battery", "test"); err != nil {
		t.Fatal(err)
	}
	user, err := admin.User(t.Context(), "kim")
	if err != nil {
		t.Fatal(err)
	}
	setAddress(t, s, user)
	if user, err = s.Authenticate(t.Context(), "kim", "correct horse battery"); err != nil {
		t.Fatal(err)
	}
	const id = "a session ID of this test"
	if _, err := s.StartSession(t.Context(), user, store.NoFactor, id, "test"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.QueuePasswordLink(t.Context(), "kim", func(*store.User) bool { return true }); err != nil {
		t.Fatal(err)
	}
	link := queuedEmails(t, s)[0].PasswordLink
	code, err := s.NewPasswordCode(t.Context(), link)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.UsePasswordLink(t.Context(), link, code, "another long one"); err != nil {
		t.Errorf("got error %v after the password was changed, want none", err)
	}
	if user, err = s.Authenticate(t.Context(), "kim", "another long one"); err != nil {
		t.Errorf("new password: got error %v, want none", err)
	}
	clock.Advance(time.Minute)
	if _, err := s.Session(t.Context(), id); store.KindOf(err) != store.NotFound {
		t.Errorf("session after a minute: got error %v, want NotFound", err)
	}
	if password, err := admin.ResetPassword(t.Context(), "kim", user.Version); err != nil || password == "" {
		t.Errorf("reset: got password %q, error %v, want a password", password, err)
	}
}
