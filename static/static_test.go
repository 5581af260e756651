package static_test

import (
	"compress/gzip"
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"stockroom/static"
)

func serve(t *testing.T) *httptest.Server {
	t.Helper()
	handler, err := static.NewServer()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// get sends a request with an Accept-Encoding header. It does not decompress the body.
func get(t *testing.T, method, url, encoding string) (*http.Response, string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", encoding)
	response, err := http.DefaultTransport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response, string(body)
}

func names(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.css", "*.js", "*.svg", "*.woff2"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("got no files %s: %v", pattern, err)
		}
		all = append(all, found...)
	}
	return all
}

func TestServer_FilesAreCacheable(t *testing.T) {
	server := serve(t)
	hashedName := regexp.MustCompile(`^/static/[a-z-]+-[0-9a-f]{10}\.[a-z0-9]+$`)
	types := map[string]string{
		".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
		".svg": "image/svg+xml", ".woff2": "font/woff2",
	}
	for _, name := range names(t) {
		p := static.Path(name)
		if !hashedName.MatchString(p) {
			t.Errorf("%s: got path %q, want a name with a hash", name, p)
			continue
		}
		response, body := get(t, http.MethodGet, server.URL+p, "")
		if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != types[path.Ext(name)] {
			t.Errorf("%s: got status %s and content type %s, want 200 and %s", name, response.Status, response.Header.Get("Content-Type"), types[path.Ext(name)])
		}
		if got := response.Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s: got Cache-Control %q", name, got)
		}
		if got := response.Header.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s: got X-Content-Type-Options %q", name, got)
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if path.Ext(name) != ".css" && path.Ext(name) != ".js" && body != string(source) {
			t.Errorf("%s: got another content than the file", name)
		}
	}
}

// TestServer_RemovesComments checks that served scripts contain all code of the file, but
// no indentation and no comments on lines of their own. It also checks that served style
// sheets contain no comments.
func TestServer_RemovesComments(t *testing.T) {
	server := serve(t)
	for _, name := range names(t) {
		if path.Ext(name) != ".js" && path.Ext(name) != ".css" {
			continue
		}
		_, body := get(t, http.MethodGet, server.URL+static.Path(name), "")
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if path.Ext(name) == ".css" {
			if strings.Contains(body, "/*") || strings.Contains(body, "*/") || strings.Count(body, "{") != strings.Count(string(source), "{") {
				t.Errorf("%s: got comments, or another number of rules than in the file", name)
			}
			continue
		}
		if got, want := code(body), code(string(source)); !slices.Equal(got, want) {
			t.Errorf("%s: got %d lines of code, want the %d lines of the file", name, len(got), len(want))
		}
		if strings.Contains(body, "\n//") || strings.Contains(body, "\n ") {
			t.Errorf("%s: got a comment or indentation", name)
		}
	}
}

// code returns the lines of a script that are neither empty nor only a comment.
func code(script string) []string {
	var all []string
	for line := range strings.Lines(script) {
		if text := strings.TrimSpace(line); text != "" && !strings.HasPrefix(text, "//") {
			all = append(all, text)
		}
	}
	return all
}

// TestFonts_HaveWeightsOfStyleSheet checks that the style sheet uses no weight that the
// fonts lack.
func TestFonts_HaveWeightsOfStyleSheet(t *testing.T) {
	source, err := os.ReadFile("app.css")
	if err != nil {
		t.Fatal(err)
	}
	weights := regexp.MustCompile(`font(?:-weight)?: (\d{3})\b`).FindAllStringSubmatch(string(source), -1)
	if len(weights) < 50 {
		t.Fatalf("got %d weights, want at least 50", len(weights))
	}
	for _, weight := range weights {
		if weight[1] < "400" || weight[1] > "700" {
			t.Errorf("got %s, want a weight from 400 to 700", weight[0])
		}
	}
}

func TestServer_UnknownPathIsNotFound(t *testing.T) {
	server := serve(t)
	for _, p := range []string{"/static/", "/static/app.css", "/static/app-0000000000.css", "/static/../static.go", "/static/static.go", "/"} {
		if response, _ := get(t, http.MethodGet, server.URL+p, ""); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: got %s, want 404", p, response.Status)
		}
	}
	if p := static.Path("no.css"); p != "" {
		t.Errorf("no.css: got path %q, want none", p)
	}
}

func TestServer_Compresses(t *testing.T) {
	server := serve(t)
	url := server.URL + static.Path("app.css")
	plainResponse, plain := get(t, http.MethodGet, url, "identity")
	if plainResponse.Header.Get("Content-Encoding") != "" {
		t.Fatal("identity: got an encoding")
	}
	decompressors := map[string]func(io.Reader) (io.Reader, error){
		"br":   func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	}
	for encoding, reader := range decompressors {
		response, body := get(t, http.MethodGet, url, encoding)
		if response.Header.Get("Content-Encoding") != encoding || response.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: got encoding %q, Vary %q", encoding, response.Header.Get("Content-Encoding"), response.Header.Get("Vary"))
		}
		if len(body) > len(plain)/3 {
			t.Errorf("%s: got %d of %d bytes, want at most a third", encoding, len(body), len(plain))
		}
		r, err := reader(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(r); err != nil || string(text) != plain {
			t.Errorf("%s: got another file, %v", encoding, err)
		}
		head, headBody := get(t, http.MethodHead, url, encoding)
		if head.ContentLength != int64(len(body)) || headBody != "" {
			t.Errorf("%s: HEAD: got Content-Length %d, want %d and no body", encoding, head.ContentLength, len(body))
		}
	}
}

func TestServer_DoesNotCompressFonts(t *testing.T) {
	response, _ := get(t, http.MethodGet, serve(t).URL+static.Path("inter-latin.woff2"), "br, gzip")
	if response.Header.Get("Content-Encoding") != "" || response.Header.Get("Vary") != "" {
		t.Errorf("got encoding %q, Vary %q, want none", response.Header.Get("Content-Encoding"), response.Header.Get("Vary"))
	}
}

func TestStyleSheet_ReferencesExist(t *testing.T) {
	server := serve(t)
	sheet := server.URL + static.Path("app.css")
	_, body := get(t, http.MethodGet, sheet, "")
	references := regexp.MustCompile(`url\(([^)]*)\)`).FindAllStringSubmatch(body, -1)
	if len(references) < 2 {
		t.Fatalf("got %d references, want at least 2", len(references))
	}
	for _, reference := range references {
		if response, _ := get(t, http.MethodGet, server.URL+path.Dir(static.Path("app.css"))+"/"+reference[1], ""); response.StatusCode != http.StatusOK {
			t.Errorf("%s: got %s, want 200", reference[0], response.Status)
		}
	}
}

func TestSVG_WellFormed(t *testing.T) {
	for _, name := range names(t) {
		if path.Ext(name) != ".svg" {
			continue
		}
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		for decoder := xml.NewDecoder(file); ; {
			if _, err := decoder.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}
