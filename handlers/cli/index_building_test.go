package cli

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"stockroom/store"
	"stockroom/store/embedded/wire"
	"stockroom/store/storetest"
)

// indexState is a database in which one index has another status than ACTIVE. Like Amazon
// DynamoDB, it rejects queries of this index if the status is CREATING.
type indexState struct {
	http.Handler
	index, status string
}

func (s *indexState) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	switch {
	case operation == "Query" && s.status == "CREATING" && strings.Contains(string(body), `"IndexName":"`+s.index+`"`):
		answerDynamoDB(w, http.StatusBadRequest, `{"__type":"com.amazon.coral.validate#ValidationException","message":"Cannot read from backfilling global secondary index: `+s.index+`"}`)
	case operation == "DescribeTable":
		answer := httptest.NewRecorder()
		s.Handler.ServeHTTP(answer, r)
		before, after, found := strings.Cut(answer.Body.String(), `"IndexName":"`+s.index+`"`)
		if found {
			after = strings.Replace(after, `"IndexStatus":"ACTIVE"`, `"IndexStatus":"`+s.status+`"`, 1)
			before += `"IndexName":"` + s.index + `"`
		}
		answerDynamoDB(w, answer.Code, before+after)
	default:
		s.Handler.ServeHTTP(w, r)
	}
}

// answerDynamoDB sends a response of DynamoDB, with the checksum that the SDK verifies.
func answerDynamoDB(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.Header().Set("X-Amz-Crc32", fmt.Sprint(crc32.ChecksumIEEE([]byte(text))))
	w.WriteHeader(status)
	fmt.Fprint(w, text)
}

// TestServe_IndexBuilding starts a server while DynamoDB creates an index. It repeats this
// for each index. The log must name the pages that wait for the index. The other pages must
// work.
func TestServe_IndexBuilding(t *testing.T) {
	pretendAWS(t)
	engine := wire.Handler(storetest.Embedded(t, clock))
	var state atomic.Pointer[indexState]
	state.Store(&indexState{Handler: engine})
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { state.Load().ServeHTTP(w, r) }))
	t.Cleanup(endpoint.Close)
	t.Setenv("AWS_ENDPOINT_URL_DYNAMODB", endpoint.URL)
	run(t, "table", "create", "-dynamodb").want(t, exitDone)
	const password = "correct horse battery"
	runWith(t, environment{}, password+"\n", "user", "add", "kim", "-role", "admin", "-password-stdin", "-dynamodb").want(t, exitDone)

	for n := 1; n <= store.IndexCount; n++ {
		index := store.IndexName(n)
		state.Store(&indexState{engine, index, "CREATING"})
		check := run(t, "table", "check", "-dynamodb")
		check.want(t, exitFailed, "not ready")
		if want := "The index " + index + " is still being created.\n"; check.stdout != want {
			t.Errorf("got %q, want %q", check.stdout, want)
		}
		started := startServer(t, "-dynamodb")
		started.stop()
		if log := started.stderr.String(); !strings.Contains(log, "index="+index) {
			t.Errorf("got no warning about %s in:\n%s", index, log)
		}
	}

	state.Store(&indexState{engine, "GSI3", "CREATING"})
	serving := startServer(t, "-dynamodb")
	log := serving.stderr.String()
	if _, pages, _ := strings.Cut(log, "index=GSI3 pages="); !strings.Contains(pages, "Invoices") || strings.Contains(pages, "Users") {
		t.Errorf("got a warning without Invoices, or with Users:\n%s", log)
	}
	kim := newVisitor(t)
	site := serving.match(t, addressLine)
	if !kim.post(site+"/login", url.Values{"username": {"kim"}, "password": {password}}) {
		t.Fatal("sign-in failed")
	}
	wantStatus := func(path string, want int, text string) {
		t.Helper()
		response, err := kim.Get(site + path)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode != want || !strings.Contains(string(body), text) {
			t.Errorf("%s: got status %d, %v; want %d with the text %q", path, response.StatusCode, err, want, text)
		}
	}
	const waits = "The index GSI3 is still being created. Try again later."
	wantStatus("/orders?status=OPEN", http.StatusServiceUnavailable, waits)
	wantStatus("/admin/users", http.StatusOK, "")
	wantStatus("/", http.StatusOK, "")
	for _, status := range []string{"UPDATING", "ACTIVE"} { // an index has the status UPDATING while DynamoDB changes its capacity
		state.Store(&indexState{engine, "GSI3", status})
		wantStatus("/orders?status=OPEN", http.StatusOK, "")
		run(t, "table", "check", "-dynamodb").want(t, exitDone, "matches the required schema")
	}
}
