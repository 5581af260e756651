package handlers

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"html"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"stockroom/store"
	"stockroom/store/imports"
	"stockroom/store/storetest"
)

// start submits a step of an import, and does not wait for its end.
func (b *browser) start(path, step string) answer {
	b.t.Helper()
	return b.post(path+"/"+step, url.Values{"once": {b.token("/data/import")}})
}

// hold pauses imports at their next batch read until the function release is called. The
// function reached waits until an import has paused.
func (b *backOffice) hold() (reached, release func()) {
	pause := &batchPause{reached: make(chan struct{}, 1), resume: make(chan struct{})}
	b.db.pause.Store(pause)
	return func() { <-pause.reached }, func() { b.db.pause.Store(nil); close(pause.resume) }
}

const newCustomers = "CustomerID,Name\nn1,Kim\nn2,Lee\n"

// TestImport_OneAtATime checks that an import cannot start while another one runs,
// and that the running import can be cancelled.
func TestImport_OneAtATime(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	first, second := admin.uploaded(file{"customers.csv", newCustomers}), admin.uploaded(file{"customers.csv", newCustomers})
	admin.submit(first, "dry-run", nil)
	reached, release := b.hold()
	if got := admin.start(first, "run"); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303\n%s", got.status, got.body)
	}
	reached()
	running := admin.get(first)
	running.want(t, http.StatusOK, "Rows read", "Running", "Cancel")
	if running.header.Get("Refresh") == "" {
		t.Error("got no Refresh header while the import runs")
	}
	admin.get("/data/import").want(t, http.StatusOK, "Running")
	admin.start(second, "dry-run").want(t, http.StatusConflict, "An import or dry run by admin is running on this server.", "Show that import")
	if got := admin.start(first, "delete"); got.status != http.StatusConflict {
		t.Errorf("delete while it runs: got status %d, want 409", got.status)
	}
	if got := admin.start(first, "run"); got.status != http.StatusSeeOther { // starting the same import again must change nothing
		t.Errorf("start while it runs: got status %d, want 303", got.status)
	}
	admin.get(first).want(t, http.StatusOK, "This run is already in progress.")
	admin.start(first, "dry-run").want(t, http.StatusConflict, "These files are being imported.")
	admin.start(first, "cancel")
	ended := admin.ended(first)
	release()
	ended.want(t, http.StatusOK, "Cancelled", "Rows imported so far are kept", "Continue import")
	list := admin.get("/data/import").body
	if _, open, found := strings.Cut(list, "Uploads on this server"); !found || !strings.Contains(strings.Split(open, "Past imports")[0], "Cancelled") {
		t.Error("got no cancelled upload in the list")
	}
	admin.get("/admin/events?by=admin").want(t, http.StatusOK, "Import of customers.csv cancelled")
	admin.submit(first, "run", nil).want(t, http.StatusOK, "Import results", "Done")
	admin.get("/customers/n2").want(t, http.StatusOK, "Lee")
}

// TestImport_ContinuesAfterRestart stops the server during an import. The next server
// process must show the import as interrupted, and must be able to complete it.
func TestImport_ContinuesAfterRestart(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	path := admin.uploaded(file{"customers.csv", newCustomers})
	admin.submit(path, "dry-run", nil)
	reached, release := b.hold()
	admin.start(path, "run")
	reached() // the table now contains a record of the import
	if err := b.imports.Close(); err != nil {
		t.Fatal(err)
	}
	release()
	admin.get("/data/import.csv").want(t, http.StatusOK, "INTERRUPTED")
	admin.start(path, "run").want(t, http.StatusServiceUnavailable, "This server is shutting down.")

	next := imports.New(imports.Config{Store: b.store, Folder: b.imports.Folder, Log: slog.New(slog.DiscardHandler)})
	storetest.Cleanup(t, func() { _ = next.Close() })
	b.site.imports = next
	admin.get(path).want(t, http.StatusOK, "Interrupted", "The server stopped during this run", "Continue import")
	admin.submit(path, "run", nil).want(t, http.StatusOK, "Import results", "Done")
	admin.get("/customers/n2").want(t, http.StatusOK, "Lee")
	admin.get("/admin/events?by=admin").want(t, http.StatusOK, "Import of customers.csv interrupted", "Imported customers.csv")
}

// TestImport_SaysWhereFilesAre checks what the page says about files that were
// deleted, and about files on another server.
func TestImport_SaysWhereFilesAre(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	path := admin.uploaded(file{"customers.csv", newCustomers + ",Nobody\n"})
	admin.submit(path, "dry-run", nil)
	admin.submit(path, "run", nil)
	b.clock.Advance(25 * time.Hour)
	admin = b.as(t, "admin")
	b.imports.Clean()
	admin.get(path).want(t, http.StatusOK, "customers.csv.rejected.csv")
	admin.get(path+"/rejected/0").want(t, http.StatusOK, ",Nobody,")
	if got := admin.start(path, "run"); got.status != http.StatusNotFound {
		t.Errorf("import without files: got status %d, want 404", got.status)
	}
	b.clock.Advance(30 * 24 * time.Hour)
	admin = b.as(t, "admin")
	b.imports.Clean()
	admin.get(path).want(t, http.StatusOK, "This server no longer has the files of this import", "Done")
	if got := admin.get(path + "/rejected/0"); got.status != http.StatusNotFound {
		t.Errorf("rejected rows after a month: got status %d, want 404", got.status)
	}
	if got := admin.get("/data/import/" + unmatchedUpload); got.status != http.StatusNotFound || !strings.Contains(got.body, "Only the server that received them keeps them") {
		t.Errorf("an upload after its time: got status %d, want 404 with the reason", got.status)
	}
	for _, id := range []string{"..", "%2e%2e%2fx", "01HZX000000000000000000ZZZ"} {
		if got := admin.get("/data/import/" + id); got.status != http.StatusNotFound {
			t.Errorf("%s: got status %d, want 404", id, got.status)
		}
	}
}

// TestImport_ShowsNewCategories checks that the page of a dry run lists the categories that
// the import would add.
func TestImport_ShowsNewCategories(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	path := admin.uploaded(file{"products.csv", "ProductID,Detail.Name,Price,Category\nx1,Spot,10,Lmaps<b>\nx2,Bulb,1,Lmaps<b>\n"})
	admin.submit(path, "dry-run", nil).want(t, http.StatusOK, "New categories", "Lmaps&lt;b&gt;", "2 rows")
	rows := "ProductID,Detail.Name,Price,Category\n"
	for n := range 102 {
		rows += fmt.Sprintf("y%d,Spot,10,Shelf %03d\n", n, n)
	}
	path = admin.uploaded(file{"products.csv", rows})
	admin.submit(path, "dry-run", nil).want(t, http.StatusOK, "Shelf 099", "At least 2 more categories would be added.")
}

// TestImport_UpdateShowsBeforeAndAfter imports a changed customer with the option to
// update. The page must show the values before and after.
func TestImport_UpdateShowsBeforeAndAfter(t *testing.T) {
	admin := open(t).as(t, "admin")
	path := admin.uploaded(file{"customers.csv", "CustomerID,Name\nc07,Renamed <b>\n"})
	admin.submit(path, "dry-run", nil).want(t, http.StatusOK, "already exists with different values", "It was not changed. To change it, choose the option to change existing records.")
	admin.submit(path, "dry-run", url.Values{"update": {"yes"}}).want(t, http.StatusOK, "Values to be changed", "customer c07", "Renamed &lt;b&gt;", "checked")
	admin.submit(path, "run", nil).want(t, http.StatusOK, "Import results")
	admin.get("/customers/c07").want(t, http.StatusOK, "Renamed &lt;b&gt;")
	if got := admin.post(path+"/dry-run", url.Values{"once": {admin.token("/data/import")}, "prefix": {"boat=x-"}}); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303", got.status)
	}
	admin.ended(path).want(t, http.StatusOK, "Please fix the following")
}

// TestImport_ShowsRemovedValues updates an existing customer with an empty cell. The
// page must show the removed value.
func TestImport_ShowsRemovedValues(t *testing.T) {
	admin := open(t).as(t, "admin")
	path := admin.uploaded(file{"customers.csv", "CustomerID,Name,Email\nc07,Renamed,\n"}, file{"warehouses.csv", "WarehouseID,Name\nw9,Lund\n"})
	page := admin.submit(path, "dry-run", url.Values{"update": {"yes"}})
	page.want(t, http.StatusOK, "Values to be removed", "Values to be changed", `<span class="sub" dir="auto">customers.csv</span>`)
	removed := regexp.MustCompile(`(?s)The cells of these values are empty in the files\..*?</table>`).FindString(page.body)
	if strings.Count(removed, "customer c07") != 1 || !strings.Contains(removed, "@") || strings.Contains(removed, "Renamed") {
		t.Errorf("got removed values %s, want the email address of c07", removed)
	}
}

// TestImport_AllRowsRejected makes a dry run that rejects all rows. The page must not offer
// the import. The reasons of the rejections must contain a product code, but no card
// number.
func TestImport_AllRowsRejected(t *testing.T) {
	admin := open(t).as(t, "admin")
	path := admin.uploaded(file{"order-items.csv", "OrderID,ProductID,CustomerID,Date,Quantity,Price\no0001,4006381333931,c01,2026-11-20,1,5\no0001,4111111111111111,c01,2026-11-20,1,5\n"})
	page := admin.submit(path, "dry-run", nil)
	page.want(t, http.StatusOK, "All rows were rejected, so there is nothing to import.", "Unknown product 4006381333931", "Unknown product •••• 1111", ">To be added</th>")
	if strings.Contains(page.body, `name="start"`) || strings.Contains(page.body, "41111111") {
		t.Errorf("got a button that starts the import, or a card number: %s", content(page.body))
	}
	rejected := admin.get(path + "/rejected/0").body
	if !strings.Contains(rejected, "Unknown product •••• 1111") {
		t.Errorf("got %s, want a reason without the card number", rejected)
	}
}

// TestImport_SaysAnotherDryRunRuns checks that an import cannot start during a dry run of
// its files, and that the page says why.
func TestImport_SaysAnotherDryRunRuns(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	path := admin.uploaded(file{"customers.csv", "CustomerID,Name\nc07,Renamed\nn7,New\n"})
	admin.submit(path, "dry-run", nil)
	reached, release := b.hold()
	admin.start(path, "dry-run")
	reached()
	admin.start(path, "run").want(t, http.StatusConflict, "Another dry run of these files is running.")
	if got := admin.start(path, "dry-run"); got.status != http.StatusSeeOther {
		t.Errorf("the same dry run: got status %d, want 303", got.status)
	}
	admin.get(path).want(t, http.StatusOK, "This run is already in progress.")
	form := url.Values{"update": {"yes"}, "once": {admin.token("/data/import")}}
	admin.post(path+"/dry-run", form).want(t, http.StatusConflict, "These files are already being processed, with other options.")
	release()
	admin.ended(path)
}

// TestImport_NeedsDryRunOfItsOptions changes the options after the dry run. The import
// must not start, because there was no dry run with these options. The page must keep
// the changed options.
func TestImport_NeedsDryRunOfItsOptions(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	path := admin.uploaded(file{"customers.csv", "CustomerID,Name\nc07,Renamed\nn7,New\n"})
	admin.submit(path, "dry-run", url.Values{"with-options": {"yes"}}).want(t, http.StatusOK,
		`form="import-options" name="start" value="yes"`, `id="import-options" method="post" action="`+path+`/dry-run"`, "customers, 2 read", "Rejected</dt><dd>1 customer</dd>")
	changed := url.Values{"once": {admin.token("/data/import")}, "with-options": {"yes"}, "update": {"yes"}, "prefix": {"emp-"}, "start": {"yes"}}
	if got := admin.post(path+"/dry-run", changed); got.status != http.StatusTemporaryRedirect || got.location != path+"/run" {
		t.Errorf("got status %d to %q, want 307 to the start of the import", got.status, got.location)
	}
	got := admin.post(path+"/run", changed)
	got.want(t, http.StatusUnprocessableEntity, "You changed the options after the dry run. Start the dry run again.", `value="emp-"`)
	if !regexp.MustCompile(`name="update"[^>]* checked`).MatchString(got.body) {
		t.Error("the page forgot the option that the user ticked")
	}
	if page := admin.get("/customers/c07").body; strings.Contains(page, "Renamed") {
		t.Error("the import started without a dry run of its options")
	}
	same := url.Values{"with-options": {"yes"}, "update": {"yes"}}
	admin.submit(path, "dry-run", same).want(t, http.StatusOK, "customers, 2 read, 1 to be updated", "To be updated</dt><dd>1 customer</dd>")
	admin.submit(path, "run", same).want(t, http.StatusOK, "Import results")
	admin.get("/customers/c07").want(t, http.StatusOK, "Renamed")
}

// TestImport_RejectsUploads checks that invalid uploads are rejected, such as files that
// exceed a limit.
func TestImport_RejectsUploads(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	var member bytes.Buffer
	zipper, err := gzip.NewWriterLevel(&member, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := zipper.Write(bytes.Repeat([]byte("x\n"), 1<<19)); err != nil {
		t.Fatal(err)
	}
	if err := zipper.Close(); err != nil {
		t.Fatal(err)
	}
	bomb := strings.Repeat(member.String(), imports.MaxUnpacked>>20+1) // a gzip file with many members
	var many []file
	for range imports.MaxFiles + 1 {
		many = append(many, file{b.store.NewToken() + ".csv", "x\n"})
	}
	for name, tt := range map[string]struct {
		files  []file
		status int
		want   string
	}{
		"nothing":       {nil, 422, "Choose at least one file."},
		"only mapping":  {[]file{{"m.yaml", "files: {}"}}, 422, "Choose at least one file with data, not only a mapping."},
		"two mappings":  {[]file{{"m.yaml", "files: {}"}, {"n.yml", "files: {}"}}, 422, "Choose only one mapping."},
		"a bomb":        {[]file{{"customers.csv.gz", bomb}}, 422, "at most 1 million lines in total"},
		"a broken gzip": {[]file{{"customers.csv.gz", bomb[:1000]}}, 422, "customers.csv.gz is damaged or not complete"},
		"the same name": {[]file{{"a.csv", "x\n"}, {"A.CSV.gz", "x\n"}}, 422, "A.CSV.gz has the same name as another file"},
		"many files":    {many, 422, "at most 20 files"},
		"a long name":   {[]file{{strings.Repeat("x", 200) + ".csv", "x\n"}}, 422, "A file name"},
		"a large file":  {[]file{{"customers.csv", strings.Repeat("x", 65<<20)}}, 413, "limit is 64 MB"},
	} {
		got := admin.upload("/data/import", map[string]string{"once": b.store.NewToken()}, tt.files...)
		if got.status != tt.status || !strings.Contains(got.body, tt.want) || strings.Contains(got.body, ">Sign in<") {
			t.Errorf("%s: got status %d, want %d and %q\n%.3000s", name, got.status, tt.status, tt.want, got.body)
		}
	}
	if got := admin.upload("/data/import", map[string]string{"once": "../../x"}, file{"customers.csv", newCustomers}); got.status != http.StatusForbidden {
		t.Errorf("a bad token: got status %d, want 403", got.status)
	}
	if got := admin.upload("/data/import", map[string]string{"role": "admin"}, file{"customers.csv", newCustomers}); got.status != http.StatusBadRequest {
		t.Errorf("an unknown field: got status %d, want 400", got.status)
	}
	uploads, err := b.imports.Open()
	if err != nil || len(uploads) != 2 {
		t.Errorf("got %d uploads, %v, want the two of the fixture", len(uploads), err)
	}
	token := b.store.NewToken()
	for range 2 {
		if got := admin.upload("/data/import", map[string]string{"once": token}, file{"customers.csv", newCustomers}); got.location != "/data/import/"+token {
			t.Errorf("got status %d to %q, want %q", got.status, got.location, "/data/import/"+token)
		}
	}
	for range imports.MaxUploads - 3 {
		admin.uploaded(file{"customers.csv", newCustomers})
	}
	full := admin.upload("/data/import", map[string]string{"once": b.store.NewToken()}, file{"customers.csv", newCustomers})
	full.want(t, http.StatusUnprocessableEntity, "This server keeps at most 10 uploads.", "Uploads on this server")
	if got := admin.start("/data/import/"+token, "delete"); got.location != "/data/import" {
		t.Errorf("delete: got status %d to %q, want %q", got.status, got.location, "/data/import")
	}
	admin.uploaded(file{"customers.csv", newCustomers})
}

// TestImport_OfCommandLine checks the pages of imports that were made on the command line.
// The history must not link to them for users who may not open them.
func TestImport_OfCommandLine(t *testing.T) {
	var runs []store.Entity
	reasons := map[store.ImportState]string{
		store.ImportDone:      "Size and digest are unknown.",
		store.ImportStopped:   "because the import has not read this file to its end",
		store.ImportCancelled: "because the import has not read this file to its end",
	}
	for state := range reasons {
		runs = append(runs, &store.ImportRun{ID: "01HZX000000000000000000DD" + string(state[0]), By: store.Program, State: state, Files: []store.ImportFile{{Name: "a.csv", Digest: "ab"}, {Name: "standard input"}}, Sum: store.ImportCounts{Read: 3, Rejected: 3}, Version: 1})
	}
	b := open(t, runs...)
	admin := b.as(t, "admin")
	for state, reason := range reasons {
		admin.get("/data/import/01HZX000000000000000000DD"+string(state[0])).want(t, http.StatusOK, "This import was run on the command line", "a.csv", reason)
	}
	page := b.as(t, "auditor").get("/admin/events").body
	if strings.Contains(page, "/data/import/") {
		t.Error("the history links an auditor to a page for admins")
	}
}

func TestImportTemplates_AreCSV(t *testing.T) {
	admin := open(t).as(t, "admin")
	admin.get("/data/import/templates").want(t, http.StatusOK, "/data/import/templates/order-items", "Stockroom computes them: ItemCount")
	got := admin.get("/data/import/templates/regions")
	got.want(t, http.StatusOK, "RegionID,Name")
	if disposition := got.header.Get("Content-Disposition"); disposition != "attachment; filename=regions.csv" {
		t.Errorf("got Content-Disposition %q, want the file regions.csv", disposition)
	}
	if got := admin.get("/data/import/templates/totals"); got.status != http.StatusNotFound {
		t.Errorf("totals: got status %d, want 404", got.status)
	}
}

// TestImports_SameOrderOnAllPages lists imports that began in another order than their
// files were uploaded. The pages of the list must contain each import once.
func TestImports_SameOrderOnAllPages(t *testing.T) {
	var runs []store.Entity
	for i, hours := range []int{3, 1, 2, 0} {
		runs = append(runs, &store.ImportRun{
			ID: ulid.MustNew(ulid.Timestamp(storetest.Now.Add(time.Duration(i-10)*time.Minute)), ulid.DefaultEntropy()).String(), By: "kim", State: store.ImportDone,
			Began: storetest.Now.Add(time.Duration(hours-10) * time.Hour), Updated: storetest.Now, Files: []store.ImportFile{{Name: "a.csv"}}, Version: 1,
		})
	}
	admin := open(t, runs...).as(t, "admin")
	link := regexp.MustCompile(`<td class="wrap"><a href="/data/import/([0-9A-Z]{26})"`)
	past := func(page string) []string {
		_, rows, _ := strings.Cut(page, "Past imports</h2>")
		return link.FindAllString(rows, -1)
	}
	all, first := past(admin.get("/data/import").body), admin.get("/data/import?limit=2").body
	next := html.UnescapeString(regexp.MustCompile(`href="(/data/import\?after=[^"]+)"`).FindStringSubmatch(first)[1])
	paged := append(past(first), past(admin.get(next).body)...)
	if len(all) != 4 || !slices.Equal(all, paged) {
		t.Errorf("got %q in pages of 2, want %q", paged, all)
	}
}
