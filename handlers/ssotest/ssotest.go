// Package ssotest starts an OpenID Connect provider for tests of single sign-on. The
// folder provider contains the program of the provider.
package ssotest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
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

// buildFolder contains the program of the provider after the first call of Start.
var buildFolder string

// build builds the program of the provider and returns its path. All tests of a package
// use the same program, because building it takes a second.
var build = sync.OnceValues(func() (program string, err error) {
	if buildFolder, err = os.MkdirTemp("", "provider"); err != nil {
		return "", err
	}
	_, file, _, _ := runtime.Caller(0)
	program = filepath.Join(buildFolder, "provider")
	out, err := exec.Command("go", "build", "-C", filepath.Join(filepath.Dir(file), "provider"), "-o", program, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building the provider: %w\n%s", err, out)
	}
	return program, nil
})

// Remove removes the program of the provider. Call it after all tests of a package.
func Remove() {
	if buildFolder != "" {
		_ = os.RemoveAll(buildFolder)
	}
}

// Start starts a provider. It stops the provider after the test.
func Start(t testing.TB, redirectURI string, users map[string]User) *Provider {
	t.Helper()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	p := &Provider{users: filepath.Join(t.TempDir(), "users.json")}
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
