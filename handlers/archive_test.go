package handlers

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// TestArchive_HidesAndRestores archives and restores a product, a warehouse and an empty
// store, without scripts. It submits each form twice.
func TestArchive_HidesAndRestores(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	for _, noun := range []string{"product", "warehouse", "store"} {
		t.Run(noun, func(t *testing.T) {
			f := addForms[noun]
			path := admin.post(f.path, f.with("Zyx "+evil, noun)).location
			send := func(do, version string) {
				t.Helper()
				form := url.Values{"version": {version}, "why": {"closed " + evil}, "once": {tokenFor(noun + do)}}
				for range 2 {
					if got := admin.post(path+"/"+do, form); got.status != http.StatusSeeOther || got.location != path {
						t.Fatalf("%s: got status %d to %s, want 303 to %s: %s", do, got.status, got.location, path, content(got.body))
					}
				}
				form.Set("once", tokenFor(noun+do+"late"))
				if got := admin.post(path+"/"+do, form); got.status != http.StatusConflict || executable(got.body) != "" {
					t.Errorf("%s, old version: got status %d, want 409", do, got.status)
				}
			}
			isListed := func(address string) bool { return strings.Contains(admin.get(address).body, `href="`+path+`"`) }
			if form := admin.get(path + "/archive"); !strings.Contains(form.body, `name="why"`) || executable(form.body) != "" {
				t.Errorf("got no form, or one that runs: %s", content(form.body))
			}
			send("archive", "1")
			page := admin.get(path)
			if !strings.Contains(page.body, ">Archived<") || !strings.Contains(page.body, path+"/restore") || executable(page.body) != "" {
				t.Errorf("got no badge or link to restore: %s", content(page.body))
			}
			if strings.Contains(admin.get("/products/p01").body, "/stock/"+strings.TrimPrefix(path, "/warehouses/")+"/receive") {
				t.Error("got an archived warehouse to receive at, want none")
			}
			if isListed(f.list+"?limit=200") && noun != "store" || noun == "store" && isListed(f.list) || !isListed(f.list+"?archived=yes") {
				t.Errorf("got it in %s, or not in the list of archived records", f.list)
			}
			if got := admin.get("/choices/" + noun + "?q=zyx").body; strings.TrimSpace(got) != "[]" {
				t.Errorf("got suggestions %s, want none", got)
			}
			send("restore", "2")
			if isListed(f.list + "?archived=yes") {
				t.Error("restored: got it in the list of archived records")
			}
		})
	}
	if got := admin.get("/products?archived=maybe"); got.status != http.StatusUnprocessableEntity {
		t.Errorf("unknown value: got status %d, want 422", got.status)
	}
}
