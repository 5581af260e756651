package store_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/argon2"

	"stockroom/store"
	"stockroom/store/storetest"
	"stockroom/store/table"
)

// TestHashPassword_Parameters checks that nobody lowers the parameters by mistake. It
// therefore contains a copy of them.
func TestHashPassword_Parameters(t *testing.T) {
	const want = "$argon2id$v=19$m=19456,t=2,p=1$"
	clock := storetest.NewClock()
	s := store.New(storetest.Embedded(t, clock), "OnlineShop", clock.Now)
	if err := s.CreateTable(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.AddUser(t.Context(), store.User{Name: "kim", Role: store.Viewer}, "correct horse battery", "test"); err != nil {
		t.Fatal(err)
	}
	var hashes []string
	err := s.Everything(t.Context(), func(items []store.Item) error {
		for _, item := range items {
			if hash := table.TextOf(item, "PasswordHash"); hash != "" {
				hashes = append(hashes, hash)
			}
		}
		return nil
	})
	if err != nil || len(hashes) != 1 || !strings.HasPrefix(hashes[0], want) {
		t.Fatalf("got hashes %q, %v; want one that starts with %s", hashes, err, want)
	}
	if parts := strings.Split(hashes[0], "$"); len(parts) != 6 || len(parts[4]) != 22 || len(parts[5]) != 43 {
		t.Errorf("got hash %s, want a salt of 16 bytes and a key of 32 bytes", hashes[0])
	}
	if argon2.Version != 19 {
		t.Errorf("got version %d of argon2, want 19", argon2.Version)
	}
}

func TestAddUser_RejectsCommonPasswords(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	add := func(password string) error {
		return s.AddUser(t.Context(), store.User{Name: "kim" + strings.ToLower(s.NewToken()), Role: store.Viewer}, password, "test")
	}
	for _, password := range []string{"password", "Password", "PASSWORD1", "12345678", "qwertyuiop", "iloveyou", "password2026!", "baseball", " password "} {
		if err := add(password); err == nil || !strings.Contains(err.Error(), "common") {
			t.Errorf("%q: got error %v, want the password rejected as common", password, err)
		}
	}
	for _, password := range []string{"correct horse battery", "another long one", store.OneTimePassword()} {
		if err := add(password); err != nil {
			t.Errorf("%q: got error %v, want the password accepted", password, err)
		}
	}
	text, err := os.ReadFile("common_passwords.txt")
	if list := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"); err != nil || len(list) < 3000 || !slices.IsSorted(list) {
		t.Errorf("got %d common passwords, %v; want at least 3000, sorted", len(list), err)
	}
}
