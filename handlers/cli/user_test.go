package cli

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pquerna/otp/totp"

	"stockroom/store"
	"stockroom/store/storetest"
)

func TestUser(t *testing.T) {
	folder := t.TempDir()
	add := func(args ...string) result {
		return runWith(t, environment{}, password+"\n", append([]string{"user", "add", "-password-stdin", "-data", folder}, args...)...)
	}
	run(t, "import", "-data", folder, save(t, filepath.Join(folder, "warehouses.csv"), "WarehouseID,Name\n12345,Malmö\n"),
		save(t, filepath.Join(folder, "stores.csv"), "StoreID,Name\n7,Lund\n")).want(t, exitDone)
	add("mia", "-role", "support").want(t, exitDone, "Added user mia with role support")
	add("ole", "-role=manager", "-scope", "w#12345,store#7").want(t, exitDone, "Added user ole with role manager")
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"mia"}, exitFailed, "User mia already exists."},
		{[]string{"liv", "-role", "owner"}, exitUsage, `"owner" is not a role: choose viewer, auditor, support, manager or admin`},
		{[]string{"liv", "-scope", "w#1"}, exitUsage, "-scope is only for managers"},
		{[]string{"liv", "-role", "manager", "-scope", "Berlin"}, exitUsage, `“Berlin” is not a warehouse or store`},
		{[]string{"liv", "-role", "manager", "-scope", "w#12345,w#99999"}, exitFailed, "No warehouse has the ID 99999."},
		{[]string{"liv", "-role", "manager", "-scope", "store#8"}, exitFailed, "No store has the ID 8."},
		{[]string{"a#b"}, exitFailed, "This user name can't be used"},
	} {
		add(tt.args...).want(t, tt.code, tt.want)
	}
	list := run(t, "user", "list", "-data", folder)
	list.want(t, exitDone)
	for _, row := range []string{`mia +support +active`, `ole +manager +w#12345,store#7 +active`} {
		if !regexp.MustCompile("(?m)^" + row + "$").MatchString(list.stdout) {
			t.Errorf("got no row %q in\n%s", row, list.stdout)
		}
	}
	run(t, "user", "disable", "mia", "-data", folder).want(t, exitDone, "Locked user mia")
	run(t, "user", "disable", "liv", "-data", folder).want(t, exitFailed, "User liv not found.")
	run(t, "user", "list", "-data", folder).want(t, exitDone, "locked")
}

// TestUser_UnlockAndRole makes the only admin a locked user, and then another user an admin.
// The last admin must remain.
func TestUser_UnlockAndRole(t *testing.T) {
	folder := t.TempDir()
	user := func(args ...string) result {
		return run(t, append([]string{"user", "-data", folder}, args...)...)
	}
	run(t, "import", "-data", folder, save(t, filepath.Join(folder, "warehouses.csv"), "WarehouseID,Name\n12345,Malmö\n")).want(t, exitDone)
	user("add", "ann", "-role", "admin", "-one-time").want(t, exitDone)
	user("add", "mia", "-one-time").want(t, exitDone)
	user("disable", "ann").want(t, exitFailed, "ann is the last admin")
	user("role", "ann", "viewer").want(t, exitFailed, "ann is the last admin")
	user("role", "mia", "admin").want(t, exitDone, "Changed the role of user mia to admin and ended their sessions.")
	user("disable", "ann").want(t, exitDone)
	user("disable", "ann").want(t, exitDone, "User ann is already locked.")
	user("unlock", "ann").want(t, exitDone, "Unlocked user ann.")
	user("unlock", "ann").want(t, exitDone, "User ann is not locked. Cleared their failed attempts to sign in.")
	user("role", "ann", "admin").want(t, exitDone, "User ann already has this role and scope.")
	user("role", "mia", "manager", "-scope", "w#12345").want(t, exitDone)
	list := user("list")
	list.want(t, exitDone)
	for _, row := range []string{`ann +admin +must change password`, `mia +manager +w#12345 +must change password`} {
		if !regexp.MustCompile("(?m)^" + row + "$").MatchString(list.stdout) {
			t.Errorf("got no row %q in\n%s", row, list.stdout)
		}
	}
	user("role", "mia", "manager").want(t, exitUsage, "a manager needs -scope")
	user("add", "ole", "-role", "manager", "-one-time").want(t, exitUsage, "a manager needs -scope")
	user("role", "mia", "manager", "-scope", "w#9").want(t, exitFailed, "No warehouse has the ID 9.")
	user("role", "mia", "viewer", "-scope", "w#12345").want(t, exitUsage, "-scope is only for managers")
	user("role", "mia", "owner").want(t, exitUsage, `"owner" is not a role`)
	user("role", "mia").want(t, exitUsage, "user role: missing argument ROLE")
	user("role", "mia", "viewer", "now").want(t, exitUsage, `user role: unexpected argument "now" after NAME ROLE`)
	user("role", "liv", "viewer").want(t, exitFailed, "User liv not found.")
	user("unlock", "liv").want(t, exitFailed, "User liv not found.")
}

func TestUserPassword(t *testing.T) {
	folder := t.TempDir()
	first := run(t, "user", "add", "mia", "-one-time", "-data", folder)
	first.want(t, exitDone, "One-time password: ")
	_, generated, _ := strings.Cut(strings.TrimSpace(first.stdout), "One-time password: ")
	second := run(t, "user", "passwd", "mia", "-one-time", "-data", folder)
	second.want(t, exitDone, "One-time password: ")
	if strings.Contains(second.stdout, generated) {
		t.Error("got the same password twice")
	}
	run(t, "user", "list", "-data", folder).want(t, exitDone, "must change password")

	passwd := func(stdin string) result {
		return runWith(t, environment{}, stdin, "user", "passwd", "mia", "-password-stdin", "-data", folder)
	}
	passwd("short\n").want(t, exitFailed, "at least 8 characters")
	passwd("several\nlines of text\n").want(t, exitFailed, "standard input has more than one line")
	passwd(strings.Repeat("x", 200)).want(t, exitFailed, "at most 128 characters")
	passwd(password+"\r\n").want(t, exitDone, "Changed the password of user mia")
	run(t, "user", "list", "-data", folder).want(t, exitDone, "active")
	if _, err := openStore(t, folder).Authenticate(t.Context(), "mia", password); err != nil {
		t.Errorf("sign-in with the new password: got %v", err)
	}
}

// TestUserResetSecondFactor resets the second factor of a user with an authenticator
// app. This must end the user's session and delete the secrets.
func TestUserResetSecondFactor(t *testing.T) {
	folder := t.TempDir()
	runWith(t, environment{}, password+"\n", "user", "add", "mia", "-password-stdin", "-data", folder).want(t, exitDone)
	secret := store.NewAppSecret()
	code, err := totp.GenerateCode(secret, clock.Now())
	if err != nil {
		t.Fatal(err)
	}
	db := storetest.EmbeddedAt(t, folder, clock)
	s := store.New(db, "OnlineShop", clock.Now)
	user, recovery, err := s.AddApp(t.Context(), &store.Session{User: store.User{Name: "mia"}, UserVersion: 1}, secret, code)
	if err != nil || len(recovery) != 10 {
		t.Fatalf("got %d recovery codes and error %v, want 10 codes", len(recovery), err)
	}
	if _, err := s.StartSession(t.Context(), user, store.FactorApp, "session", ""); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	run(t, "user", "reset-second-factor", "mia", "-data", folder).want(t, exitDone, "Reset the second factor of user mia and ended their sessions.")
	run(t, "user", "reset-second-factor", "liv", "-data", folder).want(t, exitFailed, "User liv not found.")
	s = openStore(t, folder)
	if user, err = s.Authenticate(t.Context(), "mia", password); err != nil || user.SecondFactor {
		t.Errorf("got %+v and error %v, want a user without a second factor", user, err)
	}
	if factor, err := s.SecondFactorOf(t.Context(), "mia"); err != nil || factor.HasApp() || len(factor.Recovery) > 0 || factor.Version != 0 {
		t.Errorf("got %+v and error %v, want no secrets", factor, err)
	}
	if _, err := s.Session(t.Context(), "session"); store.KindOf(err) != store.NotFound {
		t.Errorf("got error %v for the old session, want NotFound", err)
	}
}
