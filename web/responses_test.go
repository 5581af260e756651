package web_test

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

func TestError_HidesDetails(t *testing.T) {
	s := serve(t)
	for _, path := range []string{"/fails", "/panics", "/fails.json"} {
		status, _, body := s.get(t, browser(t), path)
		if status != 500 || strings.Contains(body, "secret") || strings.Contains(body, "goroutine") {
			t.Errorf("%s: got status %d and %s, want 500 without the cause", path, status, body)
		}
		reference := body[strings.LastIndexByte(strings.TrimRight(body, "\"}\n"), ' ')+1:]
		if path != "/fails.json" && !strings.Contains(s.log.String(), "reference="+reference) {
			t.Errorf("%s: log has no reference %q", path, reference)
		}
	}
	if !strings.Contains(s.log.String(), "a secret") {
		t.Error("log lacks the error")
	}
}

func TestSendRows_ErrorCutsConnection(t *testing.T) {
	s := serve(t)
	response, err := browser(t).Get(s.URL + "/half.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.ReadAll(response.Body); err == nil {
		t.Error("read the body without an error, want it cut off")
	}
}

func TestProtect_RefusesCrossSitePosts(t *testing.T) {
	s := serve(t)
	for name, headers := range map[string]map[string]string{
		"cross-site":     {"Sec-Fetch-Site": "cross-site"},
		"same-site":      {"Sec-Fetch-Site": "same-site"},
		"foreign origin": {"Origin": "https://evil.example"},
		"null origin":    {"Origin": "null"},
	} {
		request, err := http.NewRequest(http.MethodPost, s.URL+"/login", strings.NewReader("username=kim&password="+url.QueryEscape(password)))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		for k, v := range headers {
			request.Header.Set(k, v)
		}
		response, err := browser(t).Do(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != http.StatusForbidden || response.Header.Get("Content-Security-Policy") == "" {
			t.Errorf("%s: got %s, want 403 with security headers", name, response.Status)
		}
	}
	if log := s.log.String(); strings.Count(log, "cross-site request refused") != 4 || !strings.Contains(log, "origin=https://evil.example") {
		t.Errorf("got log without 4 refusals:\n%s", log)
	}
}

func TestReadForm_RejectsInvalidForms(t *testing.T) {
	s := serve(t)
	for name, tt := range map[string]struct {
		contentType, body string
		status            int
	}{
		"unknown field":             {"application/x-www-form-urlencoded", "username=kim&password=x&Role=admin", 400},
		"repeated field":            {"application/x-www-form-urlencoded", "username=kim&username=root&password=x", 400},
		"malformed":                 {"application/x-www-form-urlencoded", "username=%zz", 400},
		"JSON":                      {"application/json", `{"username":"kim"}`, 415},
		"no content type":           {"", "username=kim", 415},
		"multipart":                 {"multipart/form-data; boundary=x", "--x--", 415},
		"too large":                 {"application/x-www-form-urlencoded", "username=" + strings.Repeat("a", 70<<10), 413},
		"valid form":                {"application/x-www-form-urlencoded", "username=kim&password=x", 403},
		"content type with charset": {"application/x-www-form-urlencoded; charset=utf-8", "username=kim&password=x", 403},
	} {
		response, err := browser(t).Post(s.URL+"/login", tt.contentType, strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != tt.status {
			t.Errorf("%s: got %s, want %d", name, response.Status, tt.status)
		}
	}
	// Without Content-Length, the server learns the size only from reading the body.
	response, err := browser(t).Post(s.URL+"/login", "application/x-www-form-urlencoded", io.MultiReader(strings.NewReader("username="), strings.NewReader(strings.Repeat("a", 70<<10))))
	if err != nil || response.StatusCode != 413 || !response.Close {
		t.Errorf("too large, chunked: got %v, %v; want 413 and a closed connection", response, err)
	}
}

func TestRender_CompressesPages(t *testing.T) {
	s := serve(t)
	client := browser(t)
	s.signIn(t, client, "kim")
	request, err := http.NewRequest(http.MethodGet, s.URL+"/", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept-Encoding", "gzip;q=0.5, br")
	response, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(brotli.NewReader(response.Body))
	if err != nil || response.Header.Get("Content-Encoding") != "br" || !strings.HasPrefix(string(body), "a page") {
		t.Errorf("got error %v, encoding %q, body %.20q", err, response.Header.Get("Content-Encoding"), body)
	}
	for _, h := range []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"} {
		if response.Header.Get(h) == "" {
			t.Errorf("got no %s header", h)
		}
	}
	if response.Header.Get("Cache-Control") != "no-store" || !strings.Contains(response.Header.Get("Vary"), "Accept-Encoding") {
		t.Errorf("got headers %v, want Cache-Control: no-store and Vary: Accept-Encoding", response.Header)
	}
}

func TestRequestLog_HoldsNoSecrets(t *testing.T) {
	s := serve(t)
	client := browser(t)
	session := cookie(s.signIn(t, client, "kim"))
	s.get(t, client, "/?email=somebody@example.com&x=%0Alevel=ERROR")
	log := s.log.String()
	for _, secret := range []string{session.Value, password, "somebody", "\nlevel=ERROR"} {
		if strings.Contains(log, secret) {
			t.Errorf("log contains %q:\n%s", secret, log)
		}
	}
	if !strings.Contains(log, "route=/") || !strings.Contains(log, "user=kim") {
		t.Errorf("log lacks route or user:\n%s", log)
	}
}

// dump formats an attribute value with nested values.
func dump(value types.AttributeValue) string {
	if m, ok := value.(*types.AttributeValueMemberL); ok {
		text := ""
		for _, member := range m.Value {
			text += dump(member) + " "
		}
		return text
	}
	return fmt.Sprintf("%+v", value)
}
