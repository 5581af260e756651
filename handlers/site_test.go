package handlers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/labstack/echo/v4"
	"github.com/oklog/ulid/v2"

	"stockroom/handlers/ssotest"
	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/imports"
	"stockroom/store/jobs"
	"stockroom/store/row"
	"stockroom/store/storetest"
	"stockroom/web"
)

func TestMain(m *testing.M) {
	code := storetest.Run(m)
	ssotest.Remove()
	os.Exit(code)
}

const password = "correct horse battery"

// users contains the users of the tests: one for each role, and a second manager. The user
// manager has w1 and s1, and the user outsider has w2 and s2.
var users = []store.User{
	{Name: "viewer", Role: store.Viewer},
	{Name: "auditor", Role: store.Auditor},
	{Name: "support", Role: store.Support},
	{Name: "manager", Role: store.Manager, Warehouses: []string{"w1"}, Stores: []string{"s1"}},
	{Name: "outsider", Role: store.Manager, Warehouses: []string{"w2"}, Stores: []string{"s2"}},
	{Name: "admin", Role: store.Admin},
}

// backOffice is a server on the embedded engine, usually with the test shop of storetest.
type backOffice struct {
	*httptest.Server
	site  *site
	store *store.Store
	shop  storetest.Shop
	db    *countingDB
	clock *storetest.Clock
	log   *strings.Builder

	imports  *imports.Runner
	dataFile fakeDataFile

	handling sync.WaitGroup // waits for requests in progress
}

// open serves the test shop and the given entities. It makes the test run in parallel
// with others, which is possible because no two back offices share data.
func open(t testing.TB, entities ...store.Entity) *backOffice {
	t.Helper()
	if t, ok := t.(*testing.T); ok {
		t.Parallel()
	}
	b := serveImage(t, shopImage, entities...)
	b.shop = storetest.NewShop()
	return b
}

// Stores that tests copy, because hashing passwords and loading the test shop are slow.
// The users of emptyImage have no scope, because a scope needs warehouses and stores.
var (
	emptyImage = storetest.NewImage(func(t testing.TB, s *store.Store) { addUsers(t, s, false) })
	shopImage  = storetest.NewImage(func(t testing.TB, s *store.Store) {
		shop := storetest.NewShop()
		shop.Load(t, s)
		addUsers(t, s, false)
		addUsers(t, s, true)
	})
	demoImage = storetest.NewImage(func(t testing.TB, s *store.Store) {
		addUsers(t, s, false)
		if rejected, err := demo.LoadAt(t.Context(), s, storetest.Now, demo.Small); err != nil || len(rejected) > 0 {
			t.Fatal(err, rejected)
		}
	})
)

// addUsers adds the users with a scope, or those without one.
func addUsers(t testing.TB, s *store.Store, scoped bool) {
	t.Helper()
	for _, u := range users {
		if (u.Scope() != "") != scoped {
			continue
		}
		if err := s.AddUser(t.Context(), u, password, "test"); err != nil {
			t.Fatal(err)
		}
	}
}

// serveOnly serves only the given entities, without the test shop. It adds only the
// users without a scope.
func serveOnly(t testing.TB, entities ...store.Entity) *backOffice {
	t.Helper()
	return serveImage(t, emptyImage, entities...)
}

func serveImage(t testing.TB, image *storetest.Image, entities ...store.Entity) *backOffice {
	t.Helper()
	clock := storetest.NewClock()
	return serveTable(t, image.Embedded(t, clock), clock, entities...)
}

// openLagging is like open, but the test can make the indexes of the table return old
// data.
func openLagging(t *testing.T, entities ...store.Entity) (*backOffice, *storetest.Lagging) {
	t.Helper()
	t.Parallel()
	clock := storetest.NewClock()
	lagging := storetest.NewLagging(shopImage.Embedded(t, clock), shopImage.Embedded(t, clock))
	b := serveTable(t, lagging, clock, entities...)
	b.shop = storetest.NewShop()
	return b, lagging
}

// requestTimeout is long enough for tests with the race detector on a slow machine. It also
// replaces the time limits of connections: if the server closes a new connection before the
// client has sent its headers, the client gets the error EOF.
const requestTimeout = 2 * time.Minute

func serveTable(t testing.TB, db store.DB, clock *storetest.Clock, entities ...store.Entity) *backOffice {
	t.Helper()
	b := &backOffice{clock: clock, db: &countingDB{DB: db}, log: &strings.Builder{}}
	b.store = store.New(b.db.withRows(), "OnlineShop", b.clock.Now)
	b.store.WeakenPasswords()
	b.store.UseEventKey([32]byte{5}) // a fixed key, because with some keys, failed sign-ins of two users share an event
	if loaded, err := b.store.Load(t.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	keys, err := b.store.SessionKeys(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := b.store.StatePayments(t.Context(), store.ServiceRecord); err != nil {
		t.Fatal(err)
	}
	noWait := func(context.Context, time.Duration) error { return nil } // no test changes records during a check
	runner := jobs.New(jobs.Config{Store: b.store, Processor: jobs.Record{}, Log: slog.New(slog.DiscardHandler), CheckWait: noWait})
	storetest.Cleanup(t, func() {
		if err := runner.Close(); err != nil {
			t.Error(err)
		}
	})
	b.imports = openImports(t, b.store, t.TempDir())
	b.site, err = newSite(Config{Store: b.store, Jobs: runner, Imports: b.imports, DataFile: &b.dataFile, Log: slog.New(slog.NewTextHandler(b.log, nil)), SessionKeys: keys, RequestTimeout: requestTimeout})
	if err != nil {
		t.Fatal(err)
	}
	b.Server = httptest.NewUnstartedServer(nil)
	protected := b.site.tools.Protect(b.site.router)
	b.Config = web.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.handling.Add(1)
		defer b.handling.Done()
		protected.ServeHTTP(w, r)
	}), slog.New(slog.DiscardHandler))
	b.Config.ReadHeaderTimeout, b.Config.ReadTimeout, b.Config.WriteTimeout = requestTimeout, requestTimeout, requestTimeout
	b.Start()
	storetest.Cleanup(t, b.Close)
	return b
}

// countingDB is a database that counts reads, except those of sessions. It also collects
// the keys of written items. It can make some reads fail: those whose partition key and
// sort key, joined by a space, start with the string in broken.
type countingDB struct {
	store.DB
	requests atomic.Int64
	scans    atomic.Int64
	broken   atomic.Pointer[string]
	pause    atomic.Pointer[batchPause]
	onBatch  func(*dynamodb.BatchGetItemInput) // called for each batch read, unless nil
	written  writtenKeys
	changed  atomic.Int64 // added to Changes, as if other requests had made changes
}

// batchPause makes batch reads wait until resume is closed or the context ends.
type batchPause struct{ reached, resume chan struct{} }

var errBroken = errors.New("the disk of secret-host is gone")

func (c *countingDB) fails(pk, sk types.AttributeValue) bool {
	broken := c.broken.Load()
	return broken != nil && strings.HasPrefix(stringOf(pk)+" "+stringOf(sk), *broken)
}

func stringOf(value types.AttributeValue) string {
	s, _ := value.(*types.AttributeValueMemberS)
	if s == nil {
		return ""
	}
	return s.Value
}

func (c *countingDB) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	if err := c.countGet(in); err != nil {
		return nil, err
	}
	return c.DB.GetItem(ctx, in, options...)
}

func (c *countingDB) countGet(in *dynamodb.GetItemInput) error {
	if !strings.HasPrefix(stringOf(in.Key["PK"]), "session#") {
		c.requests.Add(1)
	}
	if c.fails(in.Key["PK"], in.Key["SK"]) {
		return errBroken
	}
	return nil
}

func (c *countingDB) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	if err := c.countQuery(in); err != nil {
		return nil, err
	}
	return c.DB.Query(ctx, in, options...)
}

func (c *countingDB) countQuery(in *dynamodb.QueryInput) error {
	c.requests.Add(1)
	if c.fails(in.ExpressionAttributeValues[":pk"], in.ExpressionAttributeValues[":sk"]) {
		return errBroken
	}
	return nil
}

// withRows returns the database with the methods that read rows, if the engine has them.
// See table.RowReader.
func (c *countingDB) withRows() store.DB {
	if rows, ok := c.DB.(rowReader); ok {
		return countingRows{c, rows, rows}
	}
	return c
}

// rowReader combines table.RowReader and table.ChangeCounter.
type rowReader interface {
	changeCounter
	QueryRows(context.Context, *dynamodb.QueryInput) ([]row.Row, *dynamodb.QueryOutput, error)
	GetRow(context.Context, *dynamodb.GetItemInput) (row.Row, *dynamodb.GetItemOutput, error)
	BatchGetRows(context.Context, *dynamodb.BatchGetItemInput) (map[string][]row.Row, *dynamodb.BatchGetItemOutput, error)
}

type changeCounter interface {
	Changes() int64
	Uncounted(context.Context) context.Context
}

type countingRows struct {
	*countingDB
	changeCounter
	rows rowReader
}

func (c countingRows) Changes() int64 { return c.changeCounter.Changes() + c.changed.Load() }

func (c countingRows) QueryRows(ctx context.Context, in *dynamodb.QueryInput) ([]row.Row, *dynamodb.QueryOutput, error) {
	if err := c.countQuery(in); err != nil {
		return nil, nil, err
	}
	return c.rows.QueryRows(ctx, in)
}

func (c countingRows) GetRow(ctx context.Context, in *dynamodb.GetItemInput) (row.Row, *dynamodb.GetItemOutput, error) {
	if err := c.countGet(in); err != nil {
		return nil, nil, err
	}
	return c.rows.GetRow(ctx, in)
}

func (c countingRows) BatchGetRows(ctx context.Context, in *dynamodb.BatchGetItemInput) (map[string][]row.Row, *dynamodb.BatchGetItemOutput, error) {
	if err := c.countBatch(ctx, in); err != nil {
		return nil, nil, err
	}
	return c.rows.BatchGetRows(ctx, in)
}

func (c *countingDB) BatchGetItem(ctx context.Context, in *dynamodb.BatchGetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	if err := c.countBatch(ctx, in); err != nil {
		return nil, err
	}
	return c.DB.BatchGetItem(ctx, in, options...)
}

func (c *countingDB) countBatch(ctx context.Context, in *dynamodb.BatchGetItemInput) error {
	c.requests.Add(1)
	if c.onBatch != nil {
		c.onBatch(in)
	}
	if pause := c.pause.Load(); pause != nil {
		select {
		case pause.reached <- struct{}{}:
		default:
		}
		select {
		case <-pause.resume:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for _, items := range in.RequestItems {
		if slices.ContainsFunc(items.Keys, func(k store.Item) bool { return c.fails(k["PK"], k["SK"]) }) {
			return errBroken
		}
	}
	return nil
}

func (c *countingDB) Scan(ctx context.Context, in *dynamodb.ScanInput, options ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error) {
	c.scans.Add(1)
	return c.DB.Scan(ctx, in, options...)
}

// browser is a client that keeps its own cookies and does not follow redirects.
type browser struct {
	t      testing.TB
	home   string
	office *backOffice
	*http.Client
}

func (b *backOffice) browser(t testing.TB) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &browser{t, b.URL, b, &http.Client{Jar: jar, CheckRedirect: stay}}
}

// as returns a browser in which a user is signed in. For the constant nobody, it returns a
// browser without a session. It does not check the password, because that is slow. Tests of
// sign-in use signIn instead.
func (b *backOffice) as(t testing.TB, name string) *browser {
	t.Helper()
	browser := b.browser(t)
	if name == nobody {
		return browser
	}
	all, err := b.store.Users(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := slices.IndexFunc(all, func(u store.User) bool { return u.Name == name })
	if n < 0 {
		t.Fatalf("user %s not found", name)
	}
	factor := store.NoFactor
	if all[n].SecondFactor {
		factor = store.FactorApp
	}
	response := httptest.NewRecorder()
	request := browser.request(http.MethodPost, "/login", "")
	if err := b.site.tools.SignIn(echo.New().NewContext(request, response), &all[n], factor); err != nil {
		t.Fatal(err)
	}
	browser.Jar.SetCookies(request.URL, response.Result().Cookies())
	return browser
}

// answer is a response with its complete body.
type answer struct {
	status   int
	location string
	header   http.Header
	body     string
}

func (b *browser) do(r *http.Request) answer {
	b.t.Helper()
	r.Header.Set("Accept-Encoding", "identity") // compression would take longer than most tests
	response, err := b.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		b.t.Fatalf("%s %s: %v", r.Method, r.URL, err)
	}
	return answer{response.StatusCode, response.Header.Get("Location"), response.Header, string(body)}
}

func (b *browser) request(method, path, body string) *http.Request {
	b.t.Helper()
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.home+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b *browser) get(path string) answer {
	b.t.Helper()
	return b.do(b.request(http.MethodGet, path, ""))
}

// post submits a form. If the form needs a token and has none, it adds a new one.
func (b *browser) post(path string, form url.Values) answer {
	b.t.Helper()
	address, _, _ := strings.Cut(path, "?")
	if form.Get("once") == "" && !slices.Contains(withoutToken, address) {
		form = maps.Clone(form)
		if form == nil {
			form = url.Values{}
		}
		form.Set("once", b.office.store.NewToken())
	}
	form = b.signed(address, form)
	r := b.request(http.MethodPost, path, form.Encode())
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	return b.do(r)
}

// signed returns the form with its token signed for the session of the browser, unless the
// token is already signed. The token of a page that needs no sign-in belongs to no session.
func (b *browser) signed(path string, form url.Values) url.Values {
	token := form.Get("once")
	if _, err := ulid.ParseStrict(token); err != nil || b.Jar == nil {
		return form
	}
	form = maps.Clone(form)
	if strings.HasPrefix(path, "/login/") || strings.HasPrefix(path, "/card/") {
		form.Set("once", b.office.site.tools.SignFormToken(echo.New().NewContext(b.request(http.MethodGet, "/", ""), nil), token))
	} else {
		form.Set("once", b.signedToken(token))
	}
	return form
}

func (b *browser) signedToken(id string) string {
	r := b.request(http.MethodGet, "/", "")
	for _, cookie := range b.Jar.Cookies(r.URL) {
		r.AddCookie(cookie)
	}
	c, tools := echo.New().NewContext(r, httptest.NewRecorder()), b.office.site.tools
	signed := tools.SignFormToken(c, id)
	_ = tools.Require(store.SignedIn)(func(c echo.Context) error {
		signed = tools.SignFormToken(c, id)
		return nil
	})(c)
	return signed
}

func (b *browser) signIn(name, password string) answer {
	b.t.Helper()
	return b.post("/login", url.Values{"username": {name}, "password": {password}})
}

// tokenFor returns a form token, always the same one for the same name. The time in the
// token is the time at which tests start.
func tokenFor(name string) string {
	sum := sha256.Sum256([]byte(name))
	return ulid.MustNew(ulid.Timestamp(storetest.Now), bytes.NewReader(sum[:])).String()
}
