package store

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/argon2"
)

// TestHashPassword_Parameters repeats the parameters, so that nobody lowers them by
// mistake.
func TestHashPassword_Parameters(t *testing.T) {
	const want = "$argon2id$v=19$m=19456,t=2,p=1$"
	argon := New(nil, "OnlineShop", nil).argon
	for _, hash := range []string{argon.hash("correct horse battery"), argon.unknownUserHash()} {
		if !strings.HasPrefix(hash, want) {
			t.Errorf("got hash %s, want it to start with %s", hash, want)
		}
		if parts := strings.Split(hash, "$"); len(parts) != 6 || len(parts[4]) != 22 || len(parts[5]) != 43 {
			t.Errorf("got hash %s, want a salt of 16 bytes and a key of 32 bytes", hash)
		}
	}
	if argon2.Version != 19 {
		t.Errorf("got version %d of argon2, want 19", argon2.Version)
	}
}

func TestCheckPassword_RejectsCommonPasswords(t *testing.T) {
	for _, password := range []string{"password", "Password", "PASSWORD1", "12345678", "qwertyuiop", "iloveyou", "password2026!", "baseball", " password "} {
		if err := checkPassword("password", password); err == nil || !strings.Contains(err.Error(), "common") {
			t.Errorf("%q: got %v, want it rejected as common", password, err)
		}
	}
	for _, password := range []string{"correct horse battery", "another long one", OneTimePassword()} {
		if err := checkPassword("password", password); err != nil {
			t.Errorf("%q: got %v, want it accepted", password, err)
		}
	}
	if list := commonPasswords(); len(list) < 3000 || !slices.IsSorted(list) {
		t.Errorf("got %d common passwords, want at least 3000, sorted", len(list))
	}
}
