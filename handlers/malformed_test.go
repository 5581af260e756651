package handlers

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
)

// malformedRequests is the number of requests that TestRequests_Malformed sends in each
// role.
var malformedRequests = flag.Int("malformed", 200, "number of malformed requests for each role, such as 10000")

// hostileValues are values of parameters, fields and headers that no page sends.
var hostileValues = []string{
	"", " ", "0", "-1", "-0", "1e309", "9223372036854775808", "99999999999999999999", "0x10", "١٢٣", "NaN", "1.000.000,00", "true",
	"\x00", "a\x00b", "\xff\xfe", "\u202e", "\ufeff", "\U0001F6F6", "'", `"`, "<script>alert(1)</script>", "${jndi:x}", "{{7*7}}", "%", "%00", "%zz", "%2e%2e%2f",
	"../../etc/passwd", `..\..\x`, "//evil.example", "javascript:alert(1)", "#", "o#1", "event#*", "session#x", "user#admin", "settings", "a\r\nSet-Cookie: x=y",
	"2026-02-30", "2026-13-01", "9999-12-31", "10000-01-01", "0000-00-00", "soon", "last month", "7ZZZZZZZZZZZZZZZZZZZZZZZZZ", "00000000000000000000000001",
	strings.Repeat("a", 300), strings.Repeat("é", 2000), strings.Repeat("9", 5000), strings.Repeat("[", 3000), strings.Repeat("a,", 3000),
}

// malformer makes malformed requests. For the same seed, it makes the same requests.
type malformer struct {
	*rand.Rand
	rows []route
}

func oneOf[T any](m *malformer, from []T) T { return from[m.IntN(len(from))] }

var pathParameter = regexp.MustCompile(`:[a-z]+|\*`)

// request returns a request for a random route, and a description of the request.
func (m *malformer) request() (r *http.Request, description string) {
	row := oneOf(m, m.rows)
	for row.path == "/login" && row.method == http.MethodPost && m.IntN(20) > 0 { // send this form rarely, because it is slow: it hashes a password
		row = oneOf(m, m.rows)
	}
	known := matrix[row.method+" "+row.path]
	path, _, _ := strings.Cut(known.address, "?")
	if path == "" || m.IntN(4) == 0 {
		path = pathParameter.ReplaceAllStringFunc(row.path, func(string) string { return url.PathEscape(oneOf(m, hostileValues)) })
	}
	if m.IntN(4) == 0 {
		path += oneOf(m, []string{".json", ".csv", "/", "//", "/..;/", ".json.csv", "%2ejson", ";x=y", "%00"})
	}
	if query := m.query(known.address); query != "" {
		path += "?" + query
	}
	method := row.method
	if m.IntN(10) == 0 {
		method = oneOf(m, []string{"HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "FOO"})
	}
	body, contentType := "", ""
	if row.method == http.MethodPost {
		body, contentType = m.body(known.form)
	}
	r, err := http.NewRequest(method, "http://stockroom.example"+path, strings.NewReader(body))
	if err != nil {
		return m.request() // net/http cannot send this request, so make another one
	}
	r.RequestURI, r.RemoteAddr = path, "127.0.0.1:1234"
	r.Header.Set("Content-Type", contentType)
	for range max(0, m.IntN(6)-3) {
		name := oneOf(m, []string{"Accept-Encoding", "If-None-Match", "Range", "Referer", "User-Agent", "X-Forwarded-For", "HX-Request", "HX-Target", "Cookie", "Accept", "Content-Encoding", "X-HTTP-Method-Override"})
		r.Header.Add(name, oneOf(m, hostileValues))
	}
	for _, name := range []string{"flash", "theme", "device", "view-as"} {
		if m.IntN(10) == 0 {
			r.Header.Add("Cookie", name+"="+url.QueryEscape(oneOf(m, hostileValues)))
		}
	}
	if m.IntN(50) == 0 {
		r.Host = oneOf(m, hostileValues)
	}
	return r, fmt.Sprintf("%s %.200q %s %.200q", method, path, contentType, body)
}

// query returns the query string of an address, with up to three hostile values.
// Sometimes it returns "" or a malformed query string.
func (m *malformer) query(address string) string {
	_, query, _ := strings.Cut(address, "?")
	values, err := url.ParseQuery(query)
	if err != nil || m.IntN(2) == 0 {
		return ""
	}
	for range m.IntN(4) {
		name := oneOf(m, []string{"after", "before", "limit", "sort", "from", "to", "by", "about", "status", "bucket", "name", "email", "q", "kind", "span", "period", "pk", "index", "once", "order", "warehouse", "person", "product", "try"})
		values.Add(name, oneOf(m, hostileValues))
	}
	if m.IntN(20) == 0 {
		return "%zz&=&;" + values.Encode()
	}
	return values.Encode()
}

// body returns the body of a form in which some fields are replaced, or a body that is
// not a form.
func (m *malformer) body(form url.Values) (body, contentType string) {
	values := maps.Clone(form)
	if values == nil {
		values = url.Values{}
	}
	if m.IntN(10) > 0 {
		values.Set("once", tokenFor(fmt.Sprint(m.Int())))
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		switch m.IntN(5) {
		case 0:
			values.Set(name, oneOf(m, hostileValues))
		case 1:
			if m.IntN(20) == 0 {
				values.Add(name, oneOf(m, hostileValues))
			}
		}
	}
	if m.IntN(10) == 0 {
		values.Set(oneOf(m, []string{"version", "Role", "name", "why", "quantity-1", "product-1", "file", "x"}), oneOf(m, hostileValues))
	}
	switch m.IntN(40) {
	case 0:
		return values.Encode() + oneOf(m, hostileValues), "application/x-www-form-urlencoded"
	case 1:
		return `{"name":` + oneOf(m, hostileValues), "application/json"
	case 2:
		return "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"../x.csv\"\r\n\r\n" + oneOf(m, hostileValues) + "\r\n--x--\r\n", "multipart/form-data; boundary=x"
	case 3:
		return values.Encode(), oneOf(m, hostileValues)
	}
	return values.Encode(), "application/x-www-form-urlencoded"
}

// recorder is a ResponseRecorder that accepts deadlines. Uploads and downloads set them.
type recorder struct{ *httptest.ResponseRecorder }

func (recorder) SetReadDeadline(time.Time) error { return nil }

func (recorder) SetWriteDeadline(time.Time) error { return nil }

// TestRequests_Malformed sends malformed requests to random routes as each user. None
// may cause an internal error or a panic. The flag -malformed sets their number.
func TestRequests_Malformed(t *testing.T) {
	b := open(t, openOrder()...)
	handler := b.site.tools.Protect(b.site.router)
	statuses := map[int]int{}
	for n, user := range append([]string{nobody}, holders[store.SignedIn]...) {
		m := &malformer{rand.New(rand.NewPCG(uint64(n), 1)), routes(http.NotFoundHandler())}
		browser := b.as(t, user)
		for i := range *malformedRequests {
			r, description := m.request()
			if cookie := browser.sessionCookie(); cookie != nil {
				r.AddCookie(cookie)
			}
			response := recorder{httptest.NewRecorder()}
			b.log.Reset()
			func() {
				defer func() {
					if p := recover(); p != nil && p != http.ErrAbortHandler {
						t.Errorf("%s, request %d: got the panic %v: %s", user, i, p, description)
					} else if p != nil {
						t.Errorf("%s, request %d: got an aborted response: %s\n%s", user, i, description, b.log)
					}
				}()
				handler.ServeHTTP(response, r)
			}()
			statuses[response.Code]++
			if response.Code >= 500 {
				t.Errorf("%s, request %d: got status %d: %s\n%s", user, i, response.Code, description, b.log)
			}
			if user != nobody && strings.HasPrefix(response.Header().Get("Location"), "/login") {
				browser = b.as(t, user) // the request has ended the session, so sign in again
			}
		}
	}
	if statuses[200] == 0 || statuses[400] == 0 || statuses[404] == 0 || statuses[422] == 0 {
		t.Errorf("got statuses %v, want some requests that reach the handlers", statuses)
	}
	t.Logf("statuses: %v", statuses)
}
