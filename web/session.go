package web

import (
	"crypto/rand"
	"encoding/base64"
	"net/http"

	"github.com/gorilla/securecookie"
	"github.com/gorilla/sessions"

	"stockroom/store"
)

// sessionStore keeps sessions in the business's table, behind the interface
// of gorilla/sessions. The cookie holds a signed random ID and nothing else,
// so that a session which was ended is ended, whoever has a copy of the
// cookie.
type sessionStore struct {
	store  *store.Store
	codecs []securecookie.Codec
	name   string
	secure bool
}

// sessionBytes is the length of a session's ID: 256 random bits.
const sessionBytes = 32

// sessionValue is where a gorilla session holds the store's.
const sessionValue = "session"

func newSessionStore(config Config) *sessionStore {
	s := &sessionStore{store: config.Store, name: "stockroom", secure: config.TLS}
	if s.secure {
		s.name = "__Host-stockroom"
	}
	for _, key := range config.Keys {
		s.codecs = append(s.codecs, newCodec(key, "session", int(store.SessionLife.Seconds())))
	}
	return s
}

// newCodec signs one kind of cookie with a key derived for it, for so many
// seconds.
func newCodec(key []byte, purpose string, seconds int) securecookie.Codec {
	return securecookie.New(derived(key, purpose), nil).SetSerializer(securecookie.NopEncoder{}).MaxAge(seconds)
}

// Get implements sessions.Store.
func (s *sessionStore) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

// New implements sessions.Store: the session of the request's cookie, or a
// new one where there is none that still holds.
func (s *sessionStore) New(r *http.Request, name string) (*sessions.Session, error) {
	session := sessions.NewSession(s, name)
	session.Options = s.options()
	session.IsNew = true
	cookie, err := r.Cookie(name)
	if err != nil {
		return session, nil
	}
	var id []byte
	if securecookie.DecodeMulti(name, cookie.Value, &id, s.codecs...) != nil {
		return session, nil // garbage, or signed with a key that was dropped: nobody is logged in
	}
	kept, err := s.store.Session(r.Context(), string(id))
	if store.KindOf(err) == store.NotFound {
		return session, nil
	}
	if err != nil {
		return session, err
	}
	session.ID, session.IsNew = string(id), false
	session.Values[sessionValue] = kept
	return session, nil
}

// Save implements sessions.Store: it writes the cookie, or with a MaxAge
// below zero ends the session.
func (s *sessionStore) Save(r *http.Request, w http.ResponseWriter, session *sessions.Session) error {
	if session.Options.MaxAge < 0 {
		http.SetCookie(w, sessions.NewCookie(session.Name(), "", session.Options))
		return s.store.EndSession(r.Context(), session.ID)
	}
	value, err := securecookie.EncodeMulti(session.Name(), []byte(session.ID), s.codecs...)
	if err != nil {
		return err
	}
	http.SetCookie(w, sessions.NewCookie(session.Name(), value, session.Options))
	return nil
}

// options are those of the cookie: it goes to this site alone, no script sees
// it, and it ends with the browser.
func (s *sessionStore) options() *sessions.Options {
	return &sessions.Options{Path: "/", HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode}
}

func newSessionID() string {
	id := make([]byte, sessionBytes)
	_, _ = rand.Read(id) // crypto/rand ends the program rather than fail
	return base64.RawURLEncoding.EncodeToString(id)
}
