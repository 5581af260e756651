package handlers

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"stockroom/store"
)

// upload sends a form with one file.
func (b *browser) upload(path, name, content string, fields map[string]string) answer {
	b.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for field, value := range fields {
		if err := form.WriteField(field, value); err != nil {
			b.t.Fatal(err)
		}
	}
	if name != "" {
		file, err := form.CreateFormFile("files", name)
		if err != nil {
			b.t.Fatal(err)
		}
		if _, err := file.Write([]byte(content)); err != nil {
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

var dryRunDigest = regexp.MustCompile(`name="dry-run" value="([0-9a-f]+)"`)

func TestImport_RequiresDryRun(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	const name, good, bad = "customers.csv", "CustomerID,Name,Email\nn1,Kim,kim@example.com\n", ",Lee,lee@example.com\n"
	imported := func() bool {
		_, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).Customer(t.Context(), "n1")
		return err == nil
	}
	first := admin.upload("/data/import", name, good+bad, nil)
	found := dryRunDigest.FindStringSubmatch(first.body)
	if first.status != http.StatusOK || found == nil || !strings.Contains(first.body, "customers.csv, row 3") || imported() {
		t.Fatalf("dry run: got status %d, digest %v, imported %v\n%s", first.status, found, imported(), first.body)
	}
	if counts := `<td dir="auto">customers.csv</td><td>customer</td><td class="num">2</td><td class="num">1</td><td class="num">0</td><td class="num">0</td><td class="num">0</td><td class="num">1</td>`; !strings.Contains(first.body, counts) {
		t.Errorf("dry run: got no counts in\n%s", first.body)
	}
	other := admin.upload("/data/import", name, good, map[string]string{"dry-run": found[1]})
	if other.status != http.StatusUnprocessableEntity || imported() {
		t.Errorf("changed file: got status %d, imported %v; want 422, false", other.status, imported())
	}
	done := admin.upload("/data/import", name, good+bad, map[string]string{"dry-run": found[1]})
	if done.status != http.StatusOK || !strings.Contains(done.body, "Import results") || !imported() {
		t.Errorf("import: got status %d, imported %v; want 200, true", done.status, imported())
	}
}

// TestImport_CountsRejectedRowsNotShown makes a dry run with more rejected rows
// than the page shows.
func TestImport_CountsRejectedRowsNotShown(t *testing.T) {
	admin := open(t).as(t, "admin")
	page := admin.upload("/data/import", "customers.csv", "CustomerID,Name\n"+strings.Repeat(",Kim\n", 500), nil)
	if page.status != http.StatusOK || !strings.Contains(page.body, "400 more rejected rows") {
		t.Errorf("got status %d, want 400 more rejected rows\n%s", page.status, page.body)
	}
}

// TestImport_ListsCorrectedKeys makes a dry run of the published sample, whose
// receipt has a mistyped date in its key.
func TestImport_ListsCorrectedKeys(t *testing.T) {
	b := open(t)
	model, err := os.ReadFile("../store/exchange/testdata/RecurringPayments.json")
	if err != nil {
		t.Fatal(err)
	}
	page := b.as(t, "admin").upload("/data/import", "RecurringPayments.json", string(model), nil)
	for _, want := range []string{"1 key", "Receipts, row 1", "REC#12023-05-28T14:15:39.24#SKU#999", "REC#2023-05-28#SKU#999#SUB#123"} {
		if !strings.Contains(page.body, want) {
			t.Errorf("dry run: got no %q, status %d", want, page.status)
		}
	}
}

func TestImport_RejectsInvalidUploads(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	for name, tt := range map[string]struct {
		file, content string
		fields        map[string]string
		status        int
	}{
		"nothing":             {"", "", nil, http.StatusUnprocessableEntity},
		"an unknown file":     {"clients.csv", "x", nil, http.StatusUnprocessableEntity},
		"an unknown column":   {"customers.csv", "Shoe\n", nil, http.StatusUnprocessableEntity},
		"an unknown field":    {"customers.csv", "CustomerID\n", map[string]string{"role": "admin"}, http.StatusBadRequest},
		"a file too large":    {"customers.csv", strings.Repeat("x", 17<<20), nil, http.StatusRequestEntityTooLarge},
		"a bad prefix of IDs": {"customers.csv", "CustomerID,Name\n1,Kim\n", map[string]string{"prefix": "a#"}, http.StatusOK},
	} {
		got := admin.upload("/data/import", tt.file, tt.content, tt.fields)
		if got.status != tt.status {
			t.Errorf("%s: got status %d, want %d", name, got.status, tt.status)
		}
		if got.status == http.StatusRequestEntityTooLarge && (strings.Contains(got.body, "Sign in") || !strings.Contains(got.body, "at most 16 MB")) {
			t.Errorf("%s: got %s, want the limit and no link to sign in", name, got.body)
		}
	}
}
