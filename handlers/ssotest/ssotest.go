// Package ssotest starts an OpenID Connect provider for tests of single sign-on. The
// folder provider contains the program of the provider.
package ssotest

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// ClientID and ClientSecret are the credentials with which Stockroom uses the provider.
const (
	ClientID     = "stockroom"
	ClientSecret = "secret"
)

// User is a user of the provider.
type User struct {
	Subject  string
	Password string
	Groups   []string
}

// Provider is a running provider.
type Provider struct {
	Issuer string
	users  string // path of the file with users
}

// Start builds and starts a provider. It stops the provider after the test.
func Start(t testing.TB, redirectURI string, users map[string]User) *Provider {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	folder := t.TempDir()
	program := filepath.Join(folder, "provider")
	build := exec.Command("go", "build", "-C", filepath.Join(filepath.Dir(file), "provider"), "-o", program, ".")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the provider: %v\n%s", err, out)
	}
	p := &Provider{users: filepath.Join(folder, "users.json")}
	p.SetUsers(t, users)
	command := exec.Command(program, p.users, redirectURI)
	out, err := command.StdoutPipe()
	if err == nil {
		err = command.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal("the provider printed no issuer: ", err)
	}
	p.Issuer = strings.TrimSpace(line)
	return p
}

// SetUsers replaces all users. The keys of the map are the user names.
func (p *Provider) SetUsers(t testing.TB, users map[string]User) {
	t.Helper()
	text, err := json.Marshal(users)
	if err == nil {
		err = os.WriteFile(p.users, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
