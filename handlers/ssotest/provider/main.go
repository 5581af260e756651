// Command provider is an OpenID Connect provider for tests of single sign-on. It runs
// zitadel's certified server library with the library's example storage, and adds the claim
// "groups". It is a separate module, so that Stockroom's module does not depend on the
// library.
//
// Usage: provider USERS REDIRECT_URI. USERS is a JSON file that maps the name of each user
// to the subject, the password and the groups. The provider prints its issuer URL. It reads
// USERS again each time it needs a user.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/zitadel/oidc/v3/example/server/exampleop"
	"github.com/zitadel/oidc/v3/example/server/storage"
	"github.com/zitadel/oidc/v3/pkg/oidc"
)

// user is an entry of the file with users.
type user struct {
	Subject  string
	Password string
	Groups   []string
}

// users reads the users from a file.
type users struct{ path string }

func (u users) read() map[string]user {
	text, err := os.ReadFile(u.path)
	all := map[string]user{}
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		log.Print(err)
	}
	return all
}

func (u users) find(matches func(name string, u user) bool) (*storage.User, []string) {
	for name, found := range u.read() {
		if matches(name, found) {
			return &storage.User{ID: found.Subject, Username: name, Password: found.Password, FirstName: name, LastName: "Test", Email: name + "@example.com", EmailVerified: true}, found.Groups
		}
	}
	return nil, nil
}

func (u users) GetUserByID(id string) *storage.User {
	found, _ := u.find(func(_ string, u user) bool { return u.Subject == id })
	return found
}

func (u users) GetUserByUsername(name string) *storage.User {
	found, _ := u.find(func(n string, _ user) bool { return n == name })
	return found
}

func (users) ExampleClientID() string { return storage.ServiceUserID }

// groupStorage is the example storage with the claim "groups".
type groupStorage struct {
	*storage.Storage
	users users
}

func (s groupStorage) SetUserinfoFromToken(ctx context.Context, info *oidc.UserInfo, token, subject, origin string) error {
	_, groups := s.users.find(func(_ string, u user) bool { return u.Subject == subject })
	info.AppendClaims("groups", groups)
	return s.Storage.SetUserinfoFromToken(ctx, info, token, subject, origin)
}

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: provider USERS REDIRECT_URI")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	issuer := "http://" + listener.Addr().String()
	storage.RegisterClients(storage.WebClient("stockroom", "secret", os.Args[2]))
	all := users{os.Args[1]}
	router := exampleop.SetupServer(issuer, groupStorage{storage.NewStorage(all), all}, nil, false)
	fmt.Println(issuer)
	server := &http.Server{Handler: router, ReadHeaderTimeout: 5 * time.Second}
	log.Fatal(server.Serve(listener))
}
