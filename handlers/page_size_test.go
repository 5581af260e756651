package handlers

import (
	"bytes"
	"html"
	"io"
	"net/http"
	"regexp"
	"testing"

	"github.com/andybalholm/brotli"
)

// Limits of what a browser downloads, in compressed bytes.
const (
	maxFirstPage = 60_000 // with the font, styles, scripts and icons
	maxLaterPage = 12_000 // with the font, styles, scripts and icons in the browser's cache
)

func TestPages_AreSmall(t *testing.T) {
	t.Parallel()
	b := serveImage(t, demoImage)
	staff, visitor := b.as(t, "admin"), b.as(t, nobody)
	for _, page := range []struct {
		browser *browser
		path    string
	}{
		{visitor, "/login"},
		{staff, "/"},
		{staff, "/orders"},
		{staff, orderListPath},
		{staff, orderPath()},
		{staff, "/customers"},
		{staff, "/products"},
		{staff, "/invoices"},
		{staff, "/subscriptions"},
		{staff, "/stores"},
		{staff, "/employees"},
		{staff, "/orders/new"},
		{staff, "/admin/settings"},
	} {
		body, size := page.browser.download(page.path)
		if size > maxLaterPage {
			t.Errorf("%s: got %d bytes, want at most %d", page.path, size, maxLaterPage)
		}
		files := staticFiles(body)
		if len(files) < 6 {
			t.Errorf("%s: got the files %v, want at least 6", page.path, files)
		}
		for file := range files {
			_, n := page.browser.download(file)
			size += n
		}
		t.Logf("%s: %d bytes with %d files", page.path, size, len(files))
		if size > maxFirstPage {
			t.Errorf("%s: got %d bytes with its files, want at most %d", page.path, size, maxFirstPage)
		}
	}
}

var staticFile = regexp.MustCompile(`(?:href|src)="(/static/[^"#]+)`)

// staticFiles returns the paths of the static files that a page uses.
func staticFiles(page string) map[string]bool {
	files := map[string]bool{}
	for _, match := range staticFile.FindAllStringSubmatch(page, -1) {
		files[html.UnescapeString(match[1])] = true
	}
	return files
}

// download returns a page or file, and the number of bytes that the server sends for it.
func (b *browser) download(path string) (body string, size int) {
	b.t.Helper()
	r := b.request(http.MethodGet, path, "")
	r.Header.Set("Accept-Encoding", "br")
	response, err := b.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	sent, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK {
		b.t.Fatalf("%s: got %s and error %v, want status 200", path, response.Status, err)
	}
	if response.Header.Get("Content-Encoding") != "br" {
		return string(sent), len(sent)
	}
	text, err := io.ReadAll(brotli.NewReader(bytes.NewReader(sent)))
	if err != nil {
		b.t.Fatalf("%s: %v", path, err)
	}
	return string(text), len(sent)
}
