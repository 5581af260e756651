package web

import (
	"fmt"
	"testing"
)

func TestVerifiedCookies_AreBounded(t *testing.T) {
	var v verifiedCookies
	for n := range 3 * maxVerified {
		cookie := fmt.Sprint("cookie ", n)
		if id, found := v.get(cookie); found {
			t.Fatalf("%s: got ID %q of a cookie that was not verified, want none", cookie, id)
		}
		v.put(cookie, cookie+" ID")
		if id, found := v.get(cookie); !found || id != cookie+" ID" {
			t.Fatalf("%s: got %q, %v, want its ID", cookie, id, found)
		}
		if len(v.cookies) > maxVerified {
			t.Fatalf("got %d cookies, want at most %d", len(v.cookies), maxVerified)
		}
	}
}
