package handlers

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/storetest"
)

// historyRow is an event in /admin/events.json.
type historyRow struct {
	About, By, What, Sentence, After, Why, Address, ImportedBy string
}

// history returns the events from /admin/events.json whose code starts with one of the
// prefixes, oldest first, each as one line. It omits events by the users auditor and test.
func (b *backOffice) history(t *testing.T, filter string, prefixes ...string) []string {
	t.Helper()
	got := b.as(t, "auditor").get("/admin/events.json?" + filter)
	var page struct{ Rows []historyRow }
	if err := json.Unmarshal([]byte(got.body), &page); err != nil {
		t.Fatalf("history: got status %d: %v", got.status, err)
	}
	var rows []string
	for _, row := range slices.Backward(page.Rows) {
		if slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(row.What, prefix) }) && row.By != "auditor" && row.By != "test" {
			rows = append(rows, strings.TrimRight(fmt.Sprintf("%s | %s | %s | %s | %s", row.By, row.Sentence, row.Address, row.After, row.Why), " |"))
		}
	}
	return rows
}

func (b *backOffice) expectHistory(t *testing.T, filter string, prefixes []string, want ...string) {
	t.Helper()
	got := b.history(t, filter, prefixes...)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("history?%s: got\n%s\nwant\n%s", filter, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestHistory_RecordsSignIns signs in and out in several ways, and makes failed
// attempts. It compares the history with the expected events. Repeated failures can
// share one event with a count, and attempts during a block have no event.
func TestHistory_RecordsSignIns(t *testing.T) {
	b := open(t)
	support := b.from(t, "127.0.0.66")
	for _, try := range []string{"wrong", "wrong", password} {
		support.signIn("Support ", try)
	}
	support.post("/logout", nil)
	for range 7 {
		b.from(t, "127.0.0.77").signIn("phantom", "wrong")
	}
	b.from(t, "127.0.0.77").signIn("Hunter2-Summer2026", "wrong")
	viewer := b.from(t, "127.0.0.66")
	viewer.signIn("viewer", password)
	viewer.post("/account/password", url.Values{"old": {"wrong"}, "password": {"another long one"}, "again": {"another long one"}})
	viewer.post("/account/password", url.Values{"old": {password}, "password": {"another long one"}, "again": {"another long one"}})
	own, err := b.store.SessionsOf(t.Context(), "viewer")
	if err != nil {
		t.Fatal(err)
	}
	second := b.from(t, "127.0.0.88")
	second.signIn("viewer", "another long one")
	all, err := b.store.SessionsOf(t.Context(), "viewer")
	if err != nil || len(own) != 1 || len(all) != 2 {
		t.Fatalf("got %d sessions and then %d, error %v, want 1 and 2", len(own), len(all), err)
	}
	for _, session := range append(slices.DeleteFunc(all, func(s store.Session) bool { return s.Hash == own[0].Hash }), own...) {
		viewer.post("/account/sessions/end", url.Values{"session": {session.Hash}}) // end the user's own session last, because the user is signed out after that
	}
	if got := second.get("/orders"); got.status != http.StatusSeeOther {
		t.Fatalf("ended session: got status %d, want 303", got.status)
	}
	b.expectHistory(t, "", []string{"user."},
		"support | Sign-in failed | 127.0.0.66 | 2 attempts",
		"support | Signed in | 127.0.0.66",
		"support | Signed out | 127.0.0.66",
		"unknown user | Sign-in failed | 127.0.0.77 | 4 attempts",
		"unknown user | Sign-in failed, further attempts blocked | 127.0.0.77 |  | Next attempt after 10 s",
		"unknown user | Sign-in failed | 127.0.0.77",
		"viewer | Signed in | 127.0.0.66",
		"viewer | Sign-in failed | 127.0.0.66",
		"viewer | Password changed | 127.0.0.66",
		"viewer | Signed in | 127.0.0.66",
		"viewer | Signed in | 127.0.0.88",
		"viewer | Session ended | 127.0.0.66",
		"viewer | Signed out | 127.0.0.66",
	)
	b.expectHistory(t, "by=unknown+user", []string{"user."},
		"unknown user | Sign-in failed | 127.0.0.77 | 4 attempts",
		"unknown user | Sign-in failed | 127.0.0.77",
		"unknown user | Sign-in failed, further attempts blocked | 127.0.0.77 |  | Next attempt after 10 s")
	page := b.as(t, "auditor").get("/admin/events").body
	for _, want := range []string{"Sign-in failed", "127.0.0.77", "Failed sign-ins 2026-11-21"} {
		if !strings.Contains(page, want) {
			t.Errorf("got no %q in the history, want it", want)
		}
	}
	for _, want := range []string{`account="unknown user"`, `account=support`} {
		if !strings.Contains(b.log.String(), want) {
			t.Errorf("got no %q in the log, want it:\n%s", want, b.log)
		}
	}
	for _, text := range []string{"phantom", "hunter2"} {
		if strings.Contains(strings.ToLower(b.log.String()+page), text) {
			t.Errorf("got %q in the log or the history, want names of users only", text)
		}
	}
}

// TestHistory_RecordsDownloads downloads lists and records, and opens pages. The
// history must contain an event for each download that succeeds, and none for pages,
// failed downloads and HEAD requests.
func TestHistory_RecordsDownloads(t *testing.T) {
	b := open(t)
	support := b.as(t, "support")
	before := len(b.history(t, "", "file."))
	for _, path := range []string{"/customers?bucket=c", "/customers/c01", "/orders"} {
		support.expect(http.MethodGet, path, http.StatusOK)
	}
	if after := len(b.history(t, "", "file.")); after != before {
		t.Errorf("pages: got %d new events, want none", after-before)
	}
	rows := strings.Count(support.get("/warehouses.csv").body, "\n") - 1
	support.get("/warehouses.json")
	support.get("/customers.csv?name=maria")
	support.get("/customers/c01.json")
	support.get("/employees.csv?from=soon")
	support.get("/admin/users.json")
	support.do(support.request(http.MethodHead, "/warehouses.csv", ""))
	support.get("/customers/c01/statement/pdf").want(t, http.StatusOK)
	support.do(support.request(http.MethodHead, "/customers/c01/statement/pdf", ""))
	admin := b.as(t, "admin")
	admin.post("/data/export", url.Values{"file": {"regions"}, "format": {"csv"}})
	admin.viewAs(store.ViewAsRole(store.Viewer))
	admin.get("/reference/regions.csv")
	got := b.history(t, "", "file.")
	want := []string{
		fmt.Sprintf("support | Downloaded /warehouses.csv | 127.0.0.1 | %d rows", rows),
		fmt.Sprintf("support | Downloaded /warehouses.json | 127.0.0.1 | %d rows", rows),
		"support | Downloaded /customers.csv?name=(hidden) | 127.0.0.1 | 0 rows",
		"support | Downloaded /customers/c01.json | 127.0.0.1",
		"support | Downloaded /customers/c01/statement/pdf | 127.0.0.1",
		"admin | Downloaded regions.csv | 127.0.0.1",
		"admin | Downloaded /reference/regions.csv | 127.0.0.1 | 3 rows | Viewing as role viewer",
	}
	for i, row := range got {
		if strings.Contains(row, "name=(hidden)") || strings.Contains(row, "regions.csv") {
			got[i] = regexp.MustCompile(`\d+ rows`).ReplaceAllString(row, "N rows")
		}
	}
	for i := range want {
		if i == 2 || i == 6 {
			want[i] = regexp.MustCompile(`\d+ rows`).ReplaceAllString(want[i], "N rows")
		}
	}
	slices.Sort(got) // all events have the same time, so their order is arbitrary
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, want := range []string{"route=/warehouses format=csv", "route=/customers/:id format=json"} {
		if !strings.Contains(b.log.String(), want) {
			t.Errorf("got no %q in the log, want it", want)
		}
	}
}

// operationsDB is a database that records the names of its operations.
type operationsDB struct {
	store.DB
	mu         sync.Mutex
	operations []string
}

func (db *operationsDB) add(operation string) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.operations = append(db.operations, operation)
}

func (db *operationsDB) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	db.add("get")
	return db.DB.GetItem(ctx, in, options...)
}

func (db *operationsDB) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	for _, keys := range in.RequestItems {
		db.add(fmt.Sprintf("get %d", len(keys.Keys)))
	}
	return db.DB.BatchGetItem(ctx, in, options...)
}

func (db *operationsDB) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	db.add("query")
	return db.DB.Query(ctx, in, options...)
}

func (db *operationsDB) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	text := "write"
	for _, item := range in.TransactItems {
		switch {
		case item.Put != nil:
			text += fmt.Sprintf(" put(%d)", len(item.Put.Item))
		case item.Update != nil:
			text += fmt.Sprintf(" update(%d)", len(item.Update.ExpressionAttributeValues))
		default:
			text += " other"
		}
	}
	db.add(text)
	return db.DB.TransactWriteItems(ctx, in, options...)
}

// TestSignIn_SameRequestsForUnknownUsers compares the table requests after wrong passwords
// for a known, an unknown and a locked user. They must be equal, so that the response time
// does not tell an attacker which users exist.
//
// Each round of attempts is on another day, so that earlier failures do not count. Two user
// names can share the event that counts their failures. An attempt then takes one more
// request. The test therefore repeats rounds until the requests are equal.
func TestSignIn_SameRequestsForUnknownUsers(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	db := &operationsDB{DB: shopImage.Embedded(t, clock)}
	b := serveTable(t, db, clock)
	if err := b.store.LockUser(t.Context(), "auditor", "test"); err != nil {
		t.Fatal(err)
	}
	b.browser(t).get("/login")
	attempt := func(name string) (operations [][]string) {
		clock.Advance(24 * time.Hour)
		for range 7 { // the last attempts are blocked, because the user must wait
			db.operations = nil
			b.from(t, "127.0.0."+fmt.Sprint(len(name))).signIn(name, "wrong")
			operations = append(operations, db.operations)
		}
		return operations
	}
	known := attempt("viewer")
	for range 4 {
		if again := attempt("viewer"); len(fmt.Sprint(again)) < len(fmt.Sprint(known)) {
			known = again
		}
	}
	if len(known[0]) < 4 {
		t.Fatalf("got requests %q, want those of the count, the user and the event", known[0])
	}
	for _, name := range []string{"nobody", "auditor"} {
		got := attempt(name)
		for range 4 {
			if fmt.Sprint(got) != fmt.Sprint(known) {
				got = attempt(name)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(known) {
			t.Errorf("%s: got the requests %q, want those of a known user %q", name, got, known)
		}
	}
}
