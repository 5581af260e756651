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

func TestErrorsTellNoSecret(t *testing.T) {
	s := serve(t)
	for _, path := range []string{"/fails", "/panics", "/fails.json"} {
		status, _, body := s.get(t, browser(t), path)
		if status != 500 || strings.Contains(body, "secret") || strings.Contains(body, "goroutine") {
			t.Errorf("%s: %d %s", path, status, body)
		}
		reference := body[strings.LastIndexByte(strings.TrimRight(body, "\"}\n"), ' ')+1:]
		if path != "/fails.json" && !strings.Contains(s.log.String(), "reference="+reference) {
			t.Errorf("%s: the log does not tell of %q", path, reference)
		}
	}
	if !strings.Contains(s.log.String(), "a secret") {
		t.Error("the log does not tell what went wrong")
	}
}

func TestHalfAFileIsNoFile(t *testing.T) {
	s := serve(t)
	response, err := browser(t).Get(s.URL + "/half.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if _, err := io.ReadAll(response.Body); err == nil {
		t.Error("a file that broke off ended as if it were whole")
	}
}

func TestOtherSitesChangeNothing(t *testing.T) {
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
			t.Errorf("%s: %s", name, response.Status)
		}
	}
	if log := s.log.String(); strings.Count(log, "another site") != 4 || !strings.Contains(log, "origin=https://evil.example") {
		t.Errorf("the log does not tell of it:\n%s", log)
	}
}

func TestFormsAreStrict(t *testing.T) {
	s := serve(t)
	for name, tt := range map[string]struct {
		contentType, body string
		status            int
	}{
		"a field of its own":  {"application/x-www-form-urlencoded", "username=kim&password=x&Role=admin", 400},
		"a field twice":       {"application/x-www-form-urlencoded", "username=kim&username=root&password=x", 400},
		"malformed":           {"application/x-www-form-urlencoded", "username=%zz", 400},
		"JSON":                {"application/json", `{"username":"kim"}`, 415},
		"no type":             {"", "username=kim", 415},
		"several parts":       {"multipart/form-data; boundary=x", "--x--", 415},
		"too much":            {"application/x-www-form-urlencoded", "username=" + strings.Repeat("a", 70<<10), 413},
		"a wrong password":    {"application/x-www-form-urlencoded", "username=kim&password=x", 403},
		"charset in the type": {"application/x-www-form-urlencoded; charset=utf-8", "username=kim&password=x", 403},
	} {
		response, err := browser(t).Post(s.URL+"/login", tt.contentType, strings.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		if response.StatusCode != tt.status {
			t.Errorf("%s: %s, want %d", name, response.Status, tt.status)
		}
	}
	// Of unknown length, the limit holds while it is read.
	response, err := browser(t).Post(s.URL+"/login", "application/x-www-form-urlencoded", io.MultiReader(strings.NewReader("username="), strings.NewReader(strings.Repeat("a", 70<<10))))
	if err != nil || response.StatusCode != 413 || !response.Close {
		t.Errorf("too much in pieces: %v, %v", response, err)
	}
}

func TestPagesAreCompressed(t *testing.T) {
	s := serve(t)
	client := browser(t)
	s.logIn(t, client, "kim")
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
		t.Errorf("%v, %s, %.20q", err, response.Header.Get("Content-Encoding"), body)
	}
	for _, h := range []string{"Content-Security-Policy", "X-Content-Type-Options", "Referrer-Policy"} {
		if response.Header.Get(h) == "" {
			t.Errorf("no %s", h)
		}
	}
	if response.Header.Get("Cache-Control") != "no-store" || !strings.Contains(response.Header.Get("Vary"), "Accept-Encoding") {
		t.Errorf("headers %v", response.Header)
	}
}

func TestTheLogHoldsNoSecret(t *testing.T) {
	s := serve(t)
	client := browser(t)
	given := cookie(s.logIn(t, client, "kim"))
	s.get(t, client, "/?email=somebody@example.com&x=%0Alevel=ERROR")
	log := s.log.String()
	for _, secret := range []string{given.Value, password, "somebody", "\nlevel=ERROR"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds %q:\n%s", secret, log)
		}
	}
	if !strings.Contains(log, "route=/") || !strings.Contains(log, "user=kim") {
		t.Errorf("the log does not tell who asked for what:\n%s", log)
	}
}

// dump writes an attribute's value with everything in it.
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
