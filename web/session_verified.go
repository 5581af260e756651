package web

import (
	"sync"
	"time"
)

// verifiedCookies keeps session cookies whose signature and age were verified, so that
// requests in quick succession need not verify them again. Each request still checks that
// the session has not ended.
type verifiedCookies struct {
	mu      sync.Mutex
	cookies map[string]verifiedCookie // verified cookies, by the whole value of the cookie
}

type verifiedCookie struct {
	id    string // ID of the session
	until time.Time
}

const (
	maxVerified = 1000 // maximum number of cookies
	verifiedFor = time.Minute
)

// get returns the session ID of a cookie that was verified in the last minute.
func (v *verifiedCookies) get(cookie string) (id string, found bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	known, found := v.cookies[cookie]
	if !found || !time.Now().Before(known.until) {
		return "", false
	}
	return known.id, true
}

func (v *verifiedCookies) put(cookie, id string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.cookies == nil || len(v.cookies) >= maxVerified {
		v.cookies = map[string]verifiedCookie{}
	}
	v.cookies[cookie] = verifiedCookie{id, time.Now().Add(verifiedFor)}
}
