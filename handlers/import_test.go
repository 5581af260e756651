package handlers

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/oklog/ulid/v2"

	"stockroom/store"
	"stockroom/store/storetest"
)

type file struct{ name, content string }

// upload submits the upload form with these fields and files.
func (b *browser) upload(path string, fields map[string]string, files ...file) answer {
	b.t.Helper()
	return b.uploadAs("files", path, fields, files...)
}

// uploadAs submits a form with these fields. The argument name is the field with the
// files.
func (b *browser) uploadAs(name, path string, fields map[string]string, files ...file) answer {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for field, value := range fields {
		if _, err := ulid.ParseStrict(value); field == "once" && err == nil {
			value = b.signedToken(value)
		}
		if err := form.WriteField(field, value); err != nil {
			b.t.Fatal(err)
		}
	}
	for _, f := range files {
		part, err := form.CreateFormFile(name, f.name)
		if err != nil {
			b.t.Fatal(err)
		}
		if _, err := part.Write([]byte(f.content)); err != nil {
			b.t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		b.t.Fatal(err)
	}
	r := b.request(http.MethodPost, path, body.String())
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.do(r)
}

// uploaded uploads files and returns the path of the import.
func (b *browser) uploaded(files ...file) string {
	b.t.Helper()
	got := b.upload("/data/import", map[string]string{"once": b.token("/data/import")}, files...)
	if got.status != http.StatusSeeOther || !strings.HasPrefix(got.location, "/data/import/") {
		b.t.Fatalf("upload: got status %d to %q\n%s", got.status, got.location, got.body)
	}
	return got.location
}

// submit submits a step of an import, waits until the run ends, and returns the page.
func (b *browser) submit(path, step string, fields url.Values) answer {
	b.t.Helper()
	form := url.Values{"once": {b.token("/data/import")}}
	for name, values := range fields {
		form[name] = values
	}
	if got := b.post(path+"/"+step, form); got.status != http.StatusSeeOther {
		b.t.Fatalf("%s: got status %d, want 303\n%s", step, got.status, got.body)
	}
	return b.ended(path)
}

// ended waits until the import has ended, and returns its page.
func (b *browser) ended(path string) answer {
	b.t.Helper()
	var page answer
	storetest.WaitFor(b.t, "end of "+path, func() bool {
		page = b.get(path)
		return page.header.Get("Refresh") == ""
	})
	return page
}

func (a answer) want(t *testing.T, status int, texts ...string) {
	t.Helper()
	if a.status != status {
		t.Errorf("got status %d, want %d", a.status, status)
	}
	for _, text := range texts {
		if !strings.Contains(a.body, text) {
			t.Errorf("got no %q in\n%s", text, a.body)
			return
		}
	}
}

// TestImport_DryRunThenImport checks a dry run, the import after it, and the entries
// of the import in the list of imports and in the history.
func TestImport_DryRunThenImport(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	imported := func() bool {
		_, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).Customer(t.Context(), "n1")
		return err == nil
	}
	path := admin.uploaded(file{"customers.csv", "CustomerID,Name,Email\nn1,Kim,kim@example.com\n,Lee,lee@example.com\n"})
	admin.get(path).want(t, http.StatusOK, "Start dry run", "customers.csv", "SHA-256")
	if got := admin.post(path+"/run", url.Values{"once": {admin.token("/data/import")}}); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, "These files have no finished dry run with the current columns and options.") {
		t.Errorf("import before the dry run: got status %d", got.status)
	}
	dryRun := admin.submit(path, "dry-run", nil)
	dryRun.want(t, http.StatusOK, "Dry run results", "Nothing was changed", "CustomerID is missing", "customers.csv.rejected.csv")
	if imported() {
		t.Fatal("the dry run imported a row")
	}
	admin.get(path+"/rejected/0").want(t, http.StatusOK, "CustomerID,Name,Email,Reason\r\n,Lee,lee@example.com,")
	done := admin.submit(path, "run", nil)
	done.want(t, http.StatusOK, "Import results", "customers.csv.rejected.csv", "Rejected rows")
	if !imported() || strings.Contains(done.body, "Continue import") {
		t.Errorf("imported %t, want true and nothing to continue", imported())
	}
	rejected := admin.get(path + "/rejected/0")
	rejected.want(t, http.StatusOK, ",Lee,lee@example.com,")
	if got := rejected.header.Get("Content-Disposition"); got != "attachment; filename=customers.csv.rejected.csv" {
		t.Errorf("got Content-Disposition %q, want the file customers.csv.rejected.csv", got)
	}
	admin.get("/data/import").want(t, http.StatusOK, path, "Done", ">admin<")
	admin.get("/data/import.csv").want(t, http.StatusOK, "customers.csv ", ",2,1,0,0,0,1")
	admin.get("/admin/events?by=admin").want(t, http.StatusOK, "Imported customers.csv", "2 read, 1 added, 0 unchanged, 0 updated, 0 merged, 1 rejected", path)
}

func TestImport_ShowsProblemsOfAllFiles(t *testing.T) {
	admin := open(t).as(t, "admin")
	got := admin.upload("/data/import", map[string]string{"once": admin.token("/data/import")}, file{"customers.csv", ""}, file{"orders.csv", ""})
	got.want(t, http.StatusUnprocessableEntity, "customers.csv: the file is empty", "orders.csv: the file is empty")
	got = admin.upload("/data/import", map[string]string{"once": admin.token("/data/import")}, file{"one.json", "{}"}, file{"notes.txt", "x"})
	got.want(t, http.StatusUnprocessableEntity, "notes.txt: unknown file type")
	path := admin.uploaded(file{"one.json", "{}"}, file{"two.json", "["})
	admin.submit(path, "dry-run", nil).want(t, http.StatusOK, "Stopped", "one.json", "two.json")
}

// TestImport_CountsRejectedRowsNotShown makes a dry run with more rejected rows than the
// page shows. The file of rejected rows must contain all of them.
func TestImport_CountsRejectedRowsNotShown(t *testing.T) {
	admin := open(t).as(t, "admin")
	path := admin.uploaded(file{"customers.csv", "CustomerID,Name\n" + strings.Repeat(",Kim\n", 500)})
	admin.submit(path, "dry-run", nil).want(t, http.StatusOK, "400 more rejected rows")
	if rows := strings.Count(admin.get(path+"/rejected/0").body, ",Kim,"); rows != 500 {
		t.Errorf("got %d rejected rows in the file, want 500", rows)
	}
}

// TestImport_AcceptsFilesOfLists downloads lists, changes a value in each, and makes a
// dry run. It must announce an update of the record and remove no values, although the
// files also have columns with stock and with names of other records.
func TestImport_AcceptsFilesOfLists(t *testing.T) {
	b := open(
		t,
		&store.Reference{Kind: store.Department, ID: "d-list", Name: "Rentals", Version: 1},
		&store.Employee{ID: "e-list", Name: "Ida Listed", DepartmentID: "d-list", Version: 1},
	)
	admin := b.as(t, "admin")
	for path, change := range map[string][2]string{
		"/products.csv":  {b.shop.Products[7].Name, "Renamed product"},
		"/customers.csv": {b.shop.Customers[7].Name, "Renamed customer"},
		"/employees.csv": {"Ida Listed", "Renamed employee"},
	} {
		list := admin.get(path)
		_, name, _ := strings.Cut(list.header.Get("Content-Disposition"), "filename=")
		row := list.body[:strings.Index(list.body, change[0])]
		header, _, _ := strings.Cut(list.body, "\n")
		line, _, _ := strings.Cut(list.body[strings.LastIndex(row, "\n")+1:], "\n")
		upload := admin.uploaded(file{name, header + "\n" + strings.Replace(line, change[0], change[1], 1) + "\n"})
		if page := admin.get(upload); page.location != "" {
			t.Errorf("%s: got a redirect to %s, want the options, because the columns are known", name, page.location)
			continue
		}
		page := admin.submit(upload, "dry-run", url.Values{"update": {"yes"}})
		page.want(t, http.StatusOK, "To be updated</dt><dd>1 ", change[1])
		if strings.Contains(page.body, "Values to be removed") {
			t.Errorf("%s: the import would remove values:\n%s", name, page.body)
		}
	}
}
