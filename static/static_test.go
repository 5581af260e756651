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

// get asks for a path in one encoding, without the client's own unpacking.
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

// names are the files of this folder that are served.
func names(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"*.css", "*.js", "*.svg", "*.woff2"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("no files %s: %v", pattern, err)
		}
		all = append(all, found...)
	}
	return all
}

func TestEveryFileIsServedForGoodUnderItsHash(t *testing.T) {
	server := serve(t)
	hashedName := regexp.MustCompile(`^/static/[a-z-]+-[0-9a-f]{10}\.[a-z0-9]+$`)
	types := map[string]string{
		".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
		".svg": "image/svg+xml", ".woff2": "font/woff2",
	}
	for _, name := range names(t) {
		p := static.Path(name)
		if !hashedName.MatchString(p) {
			t.Errorf("%s is served as %q", name, p)
			continue
		}
		response, body := get(t, http.MethodGet, server.URL+p, "")
		if response.StatusCode != http.StatusOK || response.Header.Get("Content-Type") != types[path.Ext(name)] {
			t.Errorf("%s: %s, %s", name, response.Status, response.Header.Get("Content-Type"))
		}
		if got := response.Header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s: Cache-Control %q", name, got)
		}
		if got := response.Header.Get("X-Content-Type-Options"); got != "nosniff" {
			t.Errorf("%s: X-Content-Type-Options %q", name, got)
		}
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if path.Ext(name) != ".css" && body != string(source) {
			t.Errorf("%s is not served as it is", name)
		}
	}
}

func TestWhatIsNotThereIsNotFound(t *testing.T) {
	server := serve(t)
	for _, p := range []string{"/static/", "/static/app.css", "/static/app-0000000000.css", "/static/../static.go", "/static/static.go", "/"} {
		if response, _ := get(t, http.MethodGet, server.URL+p, ""); response.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %s", p, response.Status)
		}
	}
	if p := static.Path("no.css"); p != "" {
		t.Errorf("no.css has the path %q", p)
	}
}

func TestFilesComeCompressed(t *testing.T) {
	server := serve(t)
	url := server.URL + static.Path("app.css")
	plainResponse, plain := get(t, http.MethodGet, url, "identity")
	if plainResponse.Header.Get("Content-Encoding") != "" {
		t.Fatal("the plain file has an encoding")
	}
	unpack := map[string]func(io.Reader) (io.Reader, error){
		"br":   func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		"gzip": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
	}
	for encoding, reader := range unpack {
		response, body := get(t, http.MethodGet, url, encoding)
		if response.Header.Get("Content-Encoding") != encoding || response.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: encoding %q, Vary %q", encoding, response.Header.Get("Content-Encoding"), response.Header.Get("Vary"))
		}
		if len(body) > len(plain)/3 {
			t.Errorf("%s takes %d of %d bytes", encoding, len(body), len(plain))
		}
		r, err := reader(strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if unpacked, err := io.ReadAll(r); err != nil || string(unpacked) != plain {
			t.Errorf("%s does not unpack to the file: %v", encoding, err)
		}
		head, nothing := get(t, http.MethodHead, url, encoding)
		if head.ContentLength != int64(len(body)) || nothing != "" {
			t.Errorf("%s: HEAD announces %d bytes of %d", encoding, head.ContentLength, len(body))
		}
	}
}

func TestFontsAreNotCompressedTwice(t *testing.T) {
	response, _ := get(t, http.MethodGet, serve(t).URL+static.Path("inter-latin.woff2"), "br, gzip")
	if response.Header.Get("Content-Encoding") != "" || response.Header.Get("Vary") != "" {
		t.Errorf("encoding %q, Vary %q", response.Header.Get("Content-Encoding"), response.Header.Get("Vary"))
	}
}

func TestEveryReferenceOfTheStyleSheetLeadsToAFile(t *testing.T) {
	server := serve(t)
	sheet := server.URL + static.Path("app.css")
	_, body := get(t, http.MethodGet, sheet, "")
	references := regexp.MustCompile(`url\(([^)]*)\)`).FindAllStringSubmatch(body, -1)
	if len(references) < 3 {
		t.Fatalf("only %d references", len(references))
	}
	for _, reference := range references {
		if response, _ := get(t, http.MethodGet, server.URL+path.Dir(static.Path("app.css"))+"/"+reference[1], ""); response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", reference[0], response.Status)
		}
	}
}

func TestDrawingsAreWellFormed(t *testing.T) {
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
