package web

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"net/http"

	"github.com/gorilla/securecookie"
	"github.com/gorilla/sessions"

	"stockroom/store"
)

// sessionStore is a [sessions.Store] that keeps sessions in the table. The cookie
// contains only a signed random ID. A stolen copy of the cookie is useless once the
// session has ended.
type sessionStore struct {
	store  *store.Store
	codecs []securecookie.Codec
	name   string // name of the cookie
	secure bool

	verified verifiedCookies
}

const sessionBytes = 32

// maxSessionAge is the maximum age of the cookies of sessions and views, in seconds. A
// session can end earlier, at the time that is stored in the table.
const maxSessionAge = store.MaxSessionHours * 60 * 60

// sessionValue is the key of the store.Session in the values of a gorilla session.
const sessionValue = "session"

func newSessionStore(config Config) *sessionStore {
	s := &sessionStore{store: config.Store, name: "stockroom", secure: config.TLS}
	if s.secure {
		s.name = "__Host-stockroom"
	}
	for _, key := range config.Keys {
		s.codecs = append(s.codecs, newCodec(key, "session", maxSessionAge))
	}
	return s
}

// newCodec makes the codec that signs the cookies of one purpose. The argument maxAge
// is in seconds.
func newCodec(key []byte, purpose string, maxAge int) securecookie.Codec {
	return securecookie.New(deriveKey(key, purpose), nil).SetSerializer(securecookie.NopEncoder{}).MaxAge(maxAge)
}

// Get returns the session cached for the request, or calls New.
func (s *sessionStore) Get(r *http.Request, name string) (*sessions.Session, error) {
	return sessions.GetRegistry(r).Get(s, name)
}

// New returns the session of the request's cookie, or a new one if the cookie
// is missing, invalid or expired.
func (s *sessionStore) New(r *http.Request, name string) (*sessions.Session, error) {
	session := sessions.NewSession(s, name)
	session.Options = s.options()
	session.IsNew = true
	id, stored, err := s.find(r.Context(), r)
	if stored != nil {
		session.ID, session.IsNew = id, false
		session.Values[sessionValue] = stored
	}
	return session, err
}

// find returns the session of the request's cookie, and its ID. It returns nil if the
// cookie is missing, invalid or expired, or if the session has ended.
func (s *sessionStore) find(ctx context.Context, r *http.Request) (id string, stored *store.Session, err error) {
	cookie, err := findCookie(r, s.name)
	if err != nil {
		return "", nil, nil
	}
	id, valid := s.verified.get(cookie.Value)
	if !valid {
		var decoded []byte
		if securecookie.DecodeMulti(s.name, cookie.Value, &decoded, s.codecs...) != nil {
			return "", nil, nil // the cookie is too old, or signed with none of the keys
		}
		id = string(decoded)
		s.verified.put(cookie.Value, id)
	}
	stored, err = s.store.Session(ctx, id)
	if store.KindOf(err) == store.NotFound {
		return "", nil, nil
	}
	return id, stored, err
}

// Save writes the cookie. If MaxAge is negative, it deletes the cookie and ends the
// session.
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

// options returns the attributes of the cookie. There is no MaxAge, so the browser
// deletes the cookie when it closes.
func (s *sessionStore) options() *sessions.Options {
	return &sessions.Options{Path: "/", HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode}
}

func newSessionID() string {
	id := make([]byte, sessionBytes)
	_, _ = rand.Read(id) // never fails
	return base64.RawURLEncoding.EncodeToString(id)
}
