package handlers

import (
	"archive/zip"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestPersonalData_ErasesPerson downloads everything about a renter, and then erases the
// renter on the page. The page must first show how many records would change. The name must
// then be gone, and the history must contain the export and the erasure. A person with open
// records must not be erased, and the page must link to these records.
func TestPersonalData_ErasesPerson(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	refused := admin.post("/people/c01/data/erase", url.Values{})
	if refused.status != http.StatusConflict || !strings.Contains(refused.body, "can&#39;t be erased yet") || !strings.Contains(refused.body, `href="/orders/`) {
		t.Errorf("open records: got status %d, want 409 with the reasons and links", refused.status)
	}
	added := admin.post("/people/new", url.Values{"name": {"Sasha Lind"}, "email": {"sasha@lind.example"}}).header.Get("Location")
	path, about := added+"/data", strings.Replace(added, "/people/", "v1#person#personULID#", 1)
	page := admin.get(path)
	if !strings.Contains(page.body, "Sasha") || !strings.Contains(page.body, "Erase personal data") {
		t.Fatalf("got no form to erase Sasha:\n%s", page.body)
	}
	for group, want := range map[string]string{"Contacts, address, notes and history": "1", "Orders, invoices, shipments and history": "0"} {
		if row := regexp.MustCompile(`<td>` + group + `</td>\s*<td class="num">([^<]*)</td>`).FindStringSubmatch(page.body); row == nil || row[1] != want {
			t.Errorf("dry run: got the row %q of %s, want %s to change:\n%s", row, group, want, content(page.body))
		}
	}
	file := admin.post(path+"/export", url.Values{})
	archive, err := zip.NewReader(strings.NewReader(file.body), int64(len(file.body)))
	if err != nil || len(archive.File) == 0 || archive.File[0].Name != "profile.json" {
		t.Errorf("export: got error %v, want a zip file with profile.json", err)
	}
	if done := admin.post(path+"/erase", url.Values{}); done.status != http.StatusSeeOther || done.header.Get("Location") != path {
		t.Fatalf("erase: got status %d, want 303 to the page", done.status)
	}
	storetest.WaitFor(t, "end of the erasure", func() bool {
		return strings.Contains(admin.get(path).body, "contain no personal data")
	})
	if got := admin.get(added); strings.Contains(got.body, "Sasha") {
		t.Error("got the name on the page of the person, want it erased")
	}
	events := admin.get("/admin/events?about=" + url.QueryEscape(about))
	if !strings.Contains(events.body, "Personal data erased") || !strings.Contains(events.body, "Personal data exported") {
		t.Error("got no events of the export and the erasure")
	}
}

// TestPersonalData_ShowsFailure erases a person on a server that lacks the key with which
// the history was sealed. The erasure fails in the background. The page must show the
// reason until an erasure succeeds.
func TestPersonalData_ShowsFailure(t *testing.T) {
	b := open(t, &store.Event{ID: "01KQ0000000000000000000000", Partition: "settings", When: storetest.Now.AddDate(0, 0, -3), By: "old", What: store.EventSettingsChanged})
	admin := b.as(t, "admin")
	sealing := store.AuditKeys{store.NewAuditKey("the key of this test, which is long enough")}
	b.store.UseAuditKeys(sealing)
	if _, sealed, err := b.store.SealDays(t.Context(), time.Time{}); err != nil || sealed == 0 {
		t.Fatalf("got %d sealed days, %v; want some", sealed, err)
	}
	b.store.UseAuditKeys(store.AuditKeys{store.NewAuditKey("another key of this test, which is long enough")})
	path := admin.post("/people/new", url.Values{"name": {"Sasha Lind"}, "email": {"sasha@lind.example"}}).header.Get("Location") + "/data"
	erase := func(want string) string {
		t.Helper()
		if done := admin.post(path+"/erase", url.Values{}); done.status != http.StatusSeeOther {
			t.Fatalf("erase: got status %d, want 303", done.status)
		}
		var page string
		storetest.WaitFor(t, want, func() bool {
			page = admin.get(path).body
			return strings.Contains(page, want)
		})
		return page
	}
	if page := erase("was not erased completely"); !strings.Contains(page, "sealed with a key that this server doesn&#39;t have") || !strings.Contains(page, "Erase personal data") {
		t.Errorf("got no reason or no form to erase again:\n%s", content(page))
	}
	b.store.UseAuditKeys(sealing)
	if page := erase("contain no personal data"); strings.Contains(page, "was not erased completely") {
		t.Error("got the earlier failure after an erasure that succeeded")
	}
}
