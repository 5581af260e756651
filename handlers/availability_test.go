package handlers

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime/pprof"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/embedded/wire"
	"stockroom/store/jobs"
	"stockroom/store/storetest"
	"stockroom/web"
)

// throttledWrites is a database that can reject all transactions as throttled.
type throttledWrites struct {
	store.DB
	on atomic.Bool
}

func (db *throttledWrites) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if db.on.Load() {
		return nil, &types.ProvisionedThroughputExceededException{Message: aws.String("writes are throttled")}
	}
	return db.DB.TransactWriteItems(ctx, in, options...)
}

// TestPages_WritesThrottled opens pages while all transactions are throttled for ten
// minutes. Every page must open. The test opens all pages at the same time, because each
// one waits for its writes. Each page therefore has its own session.
func TestPages_WritesThrottled(t *testing.T) {
	b := open(t)
	throttle := &throttledWrites{DB: b.db.DB}
	b.db.DB = throttle
	type page struct {
		path string
		*browser
	}
	var pages []page
	for _, path := range []string{"/", "/orders", "/orders/" + b.shop.Orders[0].ID, "/customers", "/products", "/subscriptions", "/orders.csv"} {
		pages = append(pages, page{path, b.as(t, "admin")}, page{path, b.as(t, "viewer")})
	}
	throttle.on.Store(true)
	for minute := range 5 {
		b.clock.Advance(2 * time.Minute)
		var opened sync.WaitGroup
		for _, p := range pages {
			opened.Go(func() {
				if got := p.get(p.path); got.status != http.StatusOK {
					t.Errorf("minute %d, %s: got status %d, want 200", 2*minute+2, p.path, got.status)
				}
			})
		}
		opened.Wait()
	}
}

// TestPages_WritesThrottled_UserChanged changes a user, and then throttles all
// transactions. The user's session must end.
func TestPages_WritesThrottled_UserChanged(t *testing.T) {
	b := open(t)
	throttle := &throttledWrites{DB: b.db.DB}
	b.db.DB = throttle
	viewer := b.as(t, "viewer")
	changeUserOnly(t, throttle.DB, "viewer")
	throttle.on.Store(true)
	b.clock.Advance(2 * time.Minute)
	if got := viewer.get("/"); got.status != http.StatusSeeOther || !strings.HasPrefix(got.location, "/login") {
		t.Errorf("got %d to %q, want a redirect to /login", got.status, got.location)
	}
}

// changeUserOnly increments the version of a user without ending the user's sessions. In
// production, a session also survives a change if the index of sessions does not contain it
// yet.
func changeUserOnly(t *testing.T, db store.DB, name string) {
	t.Helper()
	_, err := db.UpdateItem(t.Context(), &dynamodb.UpdateItemInput{
		TableName: aws.String("OnlineShop"),
		Key: map[string]types.AttributeValue{
			"PK": &types.AttributeValueMemberS{Value: "user#" + name},
			"SK": &types.AttributeValueMemberS{Value: "user#" + name},
		},
		UpdateExpression:          aws.String("ADD #version :one"),
		ConditionExpression:       aws.String("attribute_exists(#version)"),
		ExpressionAttributeNames:  map[string]string{"#version": "Version"},
		ExpressionAttributeValues: map[string]types.AttributeValue{":one": &types.AttributeValueMemberN{Value: "1"}},
	})
	if err != nil {
		t.Fatal(err)
	}
}

// silentEndpoint is a DynamoDB endpoint that does not answer requests for the action in
// the field silent, such as Query. If silent is "DynamoDB", it answers no requests. If
// silent is "", it answers all requests.
type silentEndpoint struct {
	next   http.Handler
	silent atomic.Value
}

func (e *silentEndpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	action := e.silent.Load().(string)
	if action == "" || !strings.Contains(r.Header.Get("X-Amz-Target"), action) {
		e.next.ServeHTTP(w, r)
		return
	}
	_, _ = io.Copy(io.Discard, r.Body) // the server notices that the client has disconnected only after it has read the body
	<-r.Context().Done()
}

// TestPages_TableNeverAnswers requests pages while the table accepts connections but never
// answers. At the end, no goroutine that uses the client of the AWS SDK may be left. Other
// tests can run in parallel, because only this test uses that client.
func TestPages_TableNeverAnswers(t *testing.T) {
	t.Parallel() // the test spends most of its time waiting
	const timeout = 400 * time.Millisecond
	clock := storetest.NewClock()
	endpoint := &silentEndpoint{next: wire.Handler(shopImage.Embedded(t, clock))}
	endpoint.silent.Store("")
	table := httptest.NewServer(endpoint)
	defer table.Close()
	s := store.New(storetest.Client(table.URL), "OnlineShop", clock.Now)
	keys, err := s.SessionKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	runner := jobs.New(jobs.Config{Store: s, Processor: jobs.Record{}, Log: slog.New(slog.DiscardHandler)})
	defer runner.Close()
	newHandler := func(timeout time.Duration) (*site, http.Handler) {
		site, err := newSite(Config{Store: s, Jobs: runner, Log: slog.New(slog.DiscardHandler), SessionKeys: keys, RequestTimeout: timeout})
		if err != nil {
			t.Fatal(err)
		}
		return site, site.tools.Protect(site.router)
	}
	_, short := newHandler(timeout)
	b := &backOffice{store: s, clock: clock}
	var long http.Handler
	b.site, long = newHandler(time.Minute)
	b.Server = httptest.NewUnstartedServer(nil)
	b.Config = web.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The short timeout applies only while the table is silent. On a slow machine,
		// normal requests can take longer.
		if endpoint.silent.Load() == "" {
			long.ServeHTTP(w, r)
		} else {
			short.ServeHTTP(w, r)
		}
	}), slog.New(slog.DiscardHandler))
	b.Start()
	defer b.Close()
	admin := b.as(t, "admin")
	for _, action := range []string{"Query", "DynamoDB"} {
		endpoint.silent.Store(action)
		for _, path := range []string{"/", "/orders", "/customers", "/orders.csv", "/readyz"} {
			if action == "Query" && path == "/readyz" {
				continue // this page makes no query
			}
			began := time.Now()
			got := admin.get(path)
			if took := time.Since(began); got.status != http.StatusServiceUnavailable || took > 30*time.Second {
				t.Errorf("%s, no answer to %s: got status %d after %s, want 503 after %s", path, action, got.status, took, timeout)
			}
		}
		endpoint.silent.Store("")
		if got := admin.get("/orders"); got.status != http.StatusOK {
			t.Errorf("after no answer to %s: got status %d, want 200", action, got.status)
		}
	}
	var stacks string
	for range 50 {
		if stacks = goroutines(t); !strings.Contains(stacks, "service/dynamodb.(*Client).") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("got goroutines that are still running, want none:\n%s", stacks)
}

func goroutines(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&out, 2); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// busyDB is a database that counts its requests, and stores the maximum number of queries
// that ran at the same time. It can make the queries of some partitions fail.
type busyDB struct {
	store.DB
	requests, running, atOnce atomic.Int64
	broken                    string // prefix of the partition keys whose queries fail; "" for none
}

func (db *busyDB) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	db.requests.Add(1)
	running := db.running.Add(1)
	defer db.running.Add(-1)
	for most := db.atOnce.Load(); running > most && !db.atOnce.CompareAndSwap(most, running); most = db.atOnce.Load() {
	}
	time.Sleep(time.Millisecond) // wait, so that requests overlap as over a network
	if db.broken != "" && strings.HasPrefix(stringOf(in.ExpressionAttributeValues[":pk"]), db.broken) {
		return nil, errBroken
	}
	return db.DB.Query(ctx, in, options...)
}

func (db *busyDB) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	db.requests.Add(1)
	return db.DB.GetItem(ctx, in, options...)
}

func (db *busyDB) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	db.requests.Add(1)
	return db.DB.BatchGetItem(ctx, in, options...)
}

// TestToday_RequestsAtAnyNumberOfShards reloads the page Today until it shows all its
// parts, with 1, 15 and 48 shards. The user's last visit was long ago, so the news cover
// two months. Each load may make at most todayRequests table requests.
func TestToday_RequestsAtAnyNumberOfShards(t *testing.T) {
	for _, shards := range []int{1, 15, 48} {
		clock := storetest.NewClock()
		db := &busyDB{DB: shopImage.Embedded(t, clock)}
		s := store.New(db, "OnlineShop", clock.Now)
		settings, err := s.Settings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		settings.Shards, settings.ShardsRead = shards, max(shards, settings.ShardsRead)
		if shards == 1 {
			settings.ShardsRead = 1
		}
		if err := s.SaveSettings(t.Context(), settings, store.Program); err != nil {
			t.Fatal(err)
		}
		b := serveDB(t, s, clock)
		if _, err := s.Load(t.Context(), earlierVisit(), store.LoadOptions{}); err != nil {
			t.Fatal(err)
		}
		for _, user := range []string{"admin", "viewer", "support", "manager"} {
			browser := b.as(t, user)
			clock.Advance(partMaxAge + time.Minute)
			for view := 1; ; view++ {
				clock.Advance(time.Minute)
				db.requests.Store(0)
				got := browser.get("/")
				if n := db.requests.Load(); got.status != http.StatusOK || n > todayRequests {
					t.Errorf("%d shards, %s, view %d: got status %d with %d requests, want 200 with at most %d", shards, user, view, got.status, n, todayRequests)
				}
				if !strings.Contains(got.body, "Not loaded yet") {
					t.Logf("%d shards, %s: complete after %d views, the last with %d requests", shards, user, view, db.requests.Load())
					break
				}
				if view > 13 {
					t.Errorf("%d shards, %s: got a page without some parts after %d views, want all parts", shards, user, view)
					break
				}
			}
		}
		if n := db.atOnce.Load(); n > 16 {
			t.Errorf("%d shards: got %d requests at once, want at most 16", shards, n)
		}
	}
}

// serveDB serves the store without adding test data.
func serveDB(t *testing.T, s *store.Store, clock *storetest.Clock) *backOffice {
	t.Helper()
	keys, err := s.SessionKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	runner := jobs.New(jobs.Config{Store: s, Processor: jobs.Record{}, Log: slog.New(slog.DiscardHandler)})
	storetest.Cleanup(t, func() { _ = runner.Close() })
	b := &backOffice{store: s, clock: clock}
	if b.site, err = newSite(Config{Store: s, Jobs: runner, Log: slog.New(slog.DiscardHandler), SessionKeys: keys, RequestTimeout: requestTimeout}); err != nil {
		t.Fatal(err)
	}
	b.Server = httptest.NewUnstartedServer(nil)
	b.Config = web.NewServer(b.site.tools.Protect(b.site.router), slog.New(slog.DiscardHandler))
	b.Start()
	storetest.Cleanup(t, b.Close)
	return b
}

// wholeToday reloads the page Today until it shows all its parts.
func wholeToday(b *browser) answer {
	for {
		if got := b.get("/"); !strings.Contains(got.body, "Load the rest") {
			return got
		}
	}
}

// TestToday_FailingPartsWait breaks two lists of the page. Reading one of them uses almost
// all requests that one load may make. The page must therefore read all other parts before
// it retries a broken list.
func TestToday_FailingPartsWait(t *testing.T) {
	clock := storetest.NewClock()
	db := &busyDB{DB: shopImage.Embedded(t, clock)}
	s := store.New(db, "OnlineShop", clock.Now)
	settings, err := s.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.Shards, settings.ShardsRead = 48, 48
	if err := s.SaveSettings(t.Context(), settings, store.Program); err != nil {
		t.Fatal(err)
	}
	db.broken = "orders#"
	browser := serveDB(t, s, clock).as(t, "admin")
	var page string
	for range 13 {
		clock.Advance(time.Second)
		page = browser.get("/").body
	}
	if !strings.Contains(page, "> Unpaid invoices<") || strings.Contains(page, "Not loaded yet") {
		t.Error("after 13 loads: got missing parts that can be read, want all of them")
	}
}

// TestToday_PartFails breaks one part of the page at a time. The page must name the
// broken part and show the other parts.
func TestToday_PartFails(t *testing.T) {
	for broken, name := range map[string]string{"invoices#": "Unpaid invoices", "total#": "Orders per day", "low#": "Low stock", "orders#": "Open orders", "payment#": "Payments due"} {
		clock := storetest.NewClock()
		db := &busyDB{DB: shopImage.Embedded(t, clock), broken: broken}
		b := serveDB(t, store.New(db, "OnlineShop", clock.Now), clock)
		got := wholeToday(b.as(t, "admin"))
		if got.status != http.StatusOK {
			t.Errorf("%s fails: got status %d, want 200", name, got.status)
			continue
		}
		_, after, found := strings.Cut(got.body, "be shown right now: ")
		if note, _, _ := strings.Cut(after, "<"); !found || !strings.Contains(note, name) {
			t.Errorf("%s fails: got no note that names it", name)
		}
		if strings.Contains(content(got.body), "> "+name+"<") || strings.Contains(content(got.body), ">"+name+"<") {
			t.Errorf("%s fails: got the part, want it left out", name)
		}
		if !strings.Contains(got.body, "> Kayaks due back today<") {
			t.Errorf("%s fails: got no kayaks, want them", name)
		}
	}
}
