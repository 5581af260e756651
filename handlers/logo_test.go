package handlers

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"stockroom/store"
)

const svgLogo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 30 10"><rect width="30" height="10" fill="#05c"/></svg>`

func pngLogo(t *testing.T, side int) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewNRGBA(image.Rect(0, 0, side, side))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// settingsVersion returns the version of the settings in the forms of the page.
func settingsVersion(admin *browser) string {
	admin.t.Helper()
	found := regexp.MustCompile(`name="version" value="(\d+)"`).FindStringSubmatch(admin.get("/admin/settings").body)
	if found == nil {
		admin.t.Fatal("got no version in the settings")
	}
	return found[1]
}

func uploadLogoAs(admin *browser, version, content string) answer {
	admin.t.Helper()
	return admin.uploadAs("logo", "/admin/settings/logo", map[string]string{"once": admin.token("/admin/settings"), "version": version}, file{"logo", content})
}

var logoSource = regexp.MustCompile(`<img class="logo" src="(/logo/[0-9a-f]{32})"`)

// TestLogo_AsksForIdentity uploads a logo eleven minutes after sign-in. The page must say
// that nothing was saved.
func TestLogo_AsksForIdentity(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	version, form := settingsVersion(admin), map[string]string{"once": admin.token("/admin/settings")}
	form["version"] = version
	b.clock.Advance(11 * time.Minute)
	admin.uploadAs("logo", "/admin/settings/logo", form, file{"logo", pngLogo(t, 20)}).want(t, http.StatusForbidden, "Confirm your identity", "Nothing was saved.")
}

func TestLogo_IsShownAndRemoved(t *testing.T) {
	b := open(t, openOrder()...)
	admin, viewer := b.as(t, "admin"), b.as(t, "viewer")
	documents := []string{"/invoices/iopen/print", "/credit-notes/cnopen/print", "/orders/open/packing-slip", "/shipments/sboxed/packing-slip", "/orders/slips?order=open", "/orders/open/confirmation", "/stores/s1/slip?person=pp0"}
	previous := ""
	for _, tt := range []struct {
		file, kind string
		inPDF      bool
	}{{pngLogo(t, 20), store.LogoPNG, true}, {pngLogo(t, 21), store.LogoPNG, true}, {svgLogo, store.LogoSVG, false}} {
		uploadLogoAs(admin, settingsVersion(admin), tt.file).want(t, http.StatusSeeOther)
		found := logoSource.FindStringSubmatch(admin.get("/admin/settings").body)
		if found == nil || found[1] == previous {
			t.Fatalf("%s: got logo %v, want a new address", tt.kind, found)
		}
		for _, path := range documents {
			if page := viewer.get(path); page.status != http.StatusOK || !strings.Contains(page.body, found[0]) {
				t.Errorf("%s: %s: got status %d, want the logo", tt.kind, path, page.status)
			}
		}
		got := viewer.get(found[1])
		for name, want := range map[string]string{
			"Content-Type": tt.kind, "X-Content-Type-Options": "nosniff", "Cache-Control": "private, max-age=31536000, immutable",
			"Content-Security-Policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
		} {
			if value := got.header.Get(name); value != want {
				t.Errorf("%s: got %s %q, want %q", tt.kind, name, value, want)
			}
		}
		if logo, err := store.ParseLogo([]byte(tt.file)); err != nil || got.body != string(logo.Content) {
			t.Errorf("%s: got another file than the checked one, %v", tt.kind, err)
		}
		if previous != "" {
			viewer.get(previous).want(t, http.StatusNotFound)
		}
		for _, path := range []string{"/invoices/iopen/pdf", "/credit-notes/cnopen/pdf", "/orders/open/confirmation/pdf"} {
			if pdf := viewer.get(path); pdf.status != http.StatusOK || strings.Contains(pdf.body, "/Subtype /Image") != tt.inPDF {
				t.Errorf("%s: %s: got status %d; want a picture: %t", tt.kind, path, pdf.status, tt.inPDF)
			}
		}
		unreadable := "settings logo"
		b.db.broken.Store(&unreadable)
		if pdf := viewer.get("/invoices/iopen/pdf"); (pdf.status == http.StatusOK) == tt.inPDF {
			t.Errorf("%s: got status %d without the logo; want a PDF that reads it: %t", tt.kind, pdf.status, tt.inPDF)
		}
		b.db.broken.Store(nil)
		previous = found[1]
	}
	saveCompany(t, admin, settingsVersion(admin), "25", http.StatusSeeOther) // must not remove the logo
	viewer.get(previous).want(t, http.StatusOK)
	version := settingsVersion(admin)
	remove := url.Values{"version": {version}, "once": {admin.token("/admin/settings")}}
	for range 2 {
		if got := admin.post("/admin/settings/logo/remove", remove); got.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want 303", got.status)
		}
	}
	viewer.get(previous).want(t, http.StatusNotFound)
	for _, path := range append(documents, "/admin/settings") {
		if page := admin.get(path); strings.Contains(page.body, `class="logo"`) {
			t.Errorf("%s: got a logo after removing it", path)
		}
	}
	events := admin.get("/admin/events?about=settings")
	events.want(t, http.StatusOK)
	last := "logo –"
	for _, file := range []string{pngLogo(t, 20), pngLogo(t, 21), svgLogo, ""} {
		next := "logo –"
		if logo, err := store.ParseLogo([]byte(file)); err == nil {
			next = map[string]string{store.LogoPNG: "logo PNG", store.LogoSVG: "logo SVG"}[logo.Type] + ", 1 KB, checksum " + logo.Digest[:8]
		}
		if want := last + " → " + next; !strings.Contains(events.body, want) {
			t.Errorf("got no event with %q in %s", want, events.body)
		}
		last = next
	}
}

func TestLogo_RejectsFiles(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.as(t, "admin")
	for name, tt := range map[string]struct{ file, message string }{
		"script":     {`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`, "contains the element “script”"},
		"wrong type": {"%PDF-1.4", "Choose a PNG or SVG file."},
		"empty":      {"", "Choose a PNG or SVG file."},
		"too large":  {svgLogo + strings.Repeat(" ", store.MaxLogo), "Choose a file of at most 32 KB."},
		"too wide":   {pngLogo(t, store.MaxLogoSide+1), "Choose an image of at most 2000 × 2000 pixels."},
	} {
		got := uploadLogoAs(admin, settingsVersion(admin), tt.file)
		if _, message, _ := strings.Cut(got.body, `id="field-logo-error">`); got.status != http.StatusUnprocessableEntity || !strings.HasPrefix(message, "This SVG file "+tt.message) && !strings.HasPrefix(message, tt.message) {
			t.Errorf("%s: got status %d, %.100q; want 422 and %q at the field", name, got.status, message, tt.message)
		}
		if !strings.Contains(got.body, `value="EUR"`) {
			t.Errorf("%s: the page does not show the settings", name)
		}
	}
	uploadLogoAs(admin, "0", svgLogo).want(t, http.StatusConflict)
	admin.uploadAs("logo", "/admin/settings/logo", map[string]string{"version": "1"}, file{"logo", svgLogo}).want(t, http.StatusBadRequest)
	admin.uploadAs("logo", "/admin/settings/logo", map[string]string{"version": "1", "once": b.store.NewToken()}, file{"a", svgLogo}, file{"b", svgLogo}).want(t, http.StatusBadRequest)
	for _, user := range []string{"viewer", "auditor", "support", "manager"} {
		b.as(t, user).uploadAs("logo", "/admin/settings/logo", map[string]string{"version": "1", "once": b.store.NewToken()}, file{"logo", svgLogo}).want(t, http.StatusForbidden)
	}
	if page := admin.get("/admin/settings").body; strings.Contains(page, `class="logo"`) {
		t.Error("got a logo, want none")
	}
}

// TestLogo_RejectsLongFields uploads a logo with a version that is too long. The server
// must not use a part of the version.
func TestLogo_RejectsLongFields(t *testing.T) {
	admin := open(t).as(t, "admin")
	version := strings.Repeat("0", 64<<10) + settingsVersion(admin)
	uploadLogoAs(admin, version, svgLogo).want(t, http.StatusRequestEntityTooLarge, "The field “version” is longer than 64 KB.")
}

// TestLogo_SubmittedTwice submits the same form twice, which must succeed. The same form
// with another file must be rejected.
func TestLogo_SubmittedTwice(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.as(t, "admin")
	fields := map[string]string{"once": admin.token("/admin/settings"), "version": settingsVersion(admin)}
	for range 2 {
		admin.uploadAs("logo", "/admin/settings/logo", fields, file{"logo", svgLogo}).want(t, http.StatusSeeOther)
	}
	admin.uploadAs("logo", "/admin/settings/logo", fields, file{"logo", pngLogo(t, 5)}).want(t, http.StatusConflict)
}
