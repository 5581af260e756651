package handlers

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/storetest"
)

// TestPatternPage_RunsEveryPattern runs each pattern that can be run twice: with values
// of a stored item, which must give results, and without values, which must give an error
// for each missing one. Secret patterns, and patterns that read nothing, must have no
// form to run them.
func TestPatternPage_RunsEveryPattern(t *testing.T) {
	t.Parallel()
	b := serveOnly(t, append(
		slices.Concat(failedRun(), openCount(), earlierVisit()),
		&store.CheckReport{Began: storetest.Now, Version: 1},
		&store.ErasureReport{Began: storetest.Now, Version: 1},
		&store.DayCosts{Day: storetest.Now.Truncate(24 * time.Hour), Expires: storetest.Now.Add(time.Hour), Version: 1},
		&store.BulkChange{ID: "bulk", By: "admin", Kind: store.BulkArchive, State: store.BulkReady, Created: storetest.Now, Updated: storetest.Now, Expires: storetest.Now.Add(time.Hour), Version: 1},
		&store.BulkRow{BulkID: "bulk", Number: 2, ProductID: "p02", Outcome: store.BulkSkipped, Expires: storetest.Now.Add(time.Hour), Version: 1},
		&store.BulkRow{BulkID: "bulk", Number: 1, ProductID: "p01", Outcome: store.BulkFailed, Expires: storetest.Now.Add(time.Hour), Version: 1},
		&store.ImportRun{ID: "run", By: "admin", State: store.ImportDone, Began: storetest.Now, Updated: storetest.Now, Expires: storetest.Now.Add(time.Hour), Version: 1},
		&store.ImportMapping{Header: "header", Text: "files: []", By: "admin", Used: storetest.Now, Expires: storetest.Now.Add(time.Hour), Version: 1},
		&store.Email{ID: "email", Kind: store.EmailReminder, To: "ada@example.com", CustomerID: "20001", Record: "ACC#20001", Status: store.EmailSent, Created: storetest.Now, At: storetest.Now, Version: 1},
		&store.Lease{Name: "scheduler", Owner: "test", Until: storetest.Now.Add(time.Hour)},
		&store.QuotaSlot{EmployeeID: "1", Period: store.QuarterOf(storetest.Now), Orders: 1, Version: 1},
		&store.StockSlot{ProductID: "p01", Slot: 4, Version: 1},
		&store.StockMove{ID: "01M80ZZZZZ0000000000000005", ProductID: "p01", WarehouseID: "w1", When: storetest.Now, From: 2, To: 1, Delta: -1, Reason: "shipped", By: "admin", OrderID: "o1", ShipmentID: "s1"},
		&store.Person{ID: "somebody", Name: "Somebody"},
		&store.SamePerson{ID: "c1", Others: []string{"c2"}, Version: 1},
		&store.FormerCategory{ID: "books", PresentID: "books_&_maps", Version: 1},
		&store.AuditSeal{Day: storetest.Now.Truncate(24 * time.Hour), Sealed: storetest.Now, Key: "f00d", MAC: "f00d", Version: 1},
		&store.Event{ID: "01M80ZZZZZ0000000000000002", Partition: "c#20001", When: storetest.Now, By: "admin", What: store.EventNote, ImportedBy: "admin", Imported: storetest.Now},
		&store.Event{ID: "01M80ZZZZZ0000000000000004", Partition: "o#10001", When: storetest.Now, By: "vera", What: store.EventOrderPlaced, Audience: "all"},
		&store.CardLink{ID: "link", Code: "secret", Origin: "https://shop.example.com", AccountID: "20001", SubscriptionID: "1", SKU: "1", Created: storetest.Now, Expires: storetest.Now, Version: 1},
		&store.PasswordLink{ID: "link", User: "vera", Code: "f00d", Expires: storetest.Now, Version: 1},
		&store.AccessToken{ID: "01M80ZZZZZ0000000000000003", Owner: "vera", Name: "Report", Role: store.Viewer, Created: storetest.Now, Expires: storetest.Now.Add(time.Hour), Version: 1},
		&store.ProviderIdentity{Hash: "f00d", Issuer: "https://id.example.com", Subject: "1", User: "vera", Created: storetest.Now, Version: 1},
		&store.SecondFactor{User: "vera", Handle: "handle", Version: 1},
		&store.SavedView{ID: "v1", Owner: "admin", Name: "Open", Path: "/orders?status=OPEN"},
		&store.SavedView{ID: "v2", Name: "Paid", Path: "/orders?status=PAID"},
		&store.SavedView{ID: "v3", Owner: "admin", Name: "Low", Path: "/low-stock", Email: store.ViewDaily},
		&store.Logo{Type: store.LogoPNG, Digest: "f00d", Content: []byte("PNG"), Version: 1},
	)...)
	if err := demo.Load(t.Context(), b.store, demo.Small); err != nil {
		t.Fatal(err)
	}
	browser := b.as(t, "admin")
	if got := browser.post("/customers/20001/notes", url.Values{"note": {"called back"}}); got.status != http.StatusSeeOther {
		t.Fatalf("adding a note: got status %d, want 303", got.status)
	}
	b.browser(t).signIn("admin", "wrong") // adds counts of failed sign-ins, which a pattern reads
	examples := examples(t, b.store)
	for i := range store.Patterns {
		p := &store.Patterns[i]
		path := "/data/patterns/" + p.Name
		example, found := examples[p.Name]
		if p.Secret || !p.IsRead() {
			if got := browser.get(path); got.status != http.StatusOK || strings.Contains(got.body, "Run query") {
				t.Errorf("%s: got status %d or a form to run it, want 200 and none", p.Name, got.status)
			}
			browser.expect(http.MethodGet, path+"?try=yes&"+example.Encode(), http.StatusForbidden)
			continue
		}
		if !found {
			t.Errorf("%s: got no item that matches it, want one", p.Name)
			continue
		}
		got := browser.get(path + "?try=yes&" + example.Encode())
		if got.status != http.StatusOK || !strings.Contains(got.body, "Results") || strings.Contains(got.body, "No items.") {
			t.Errorf("%s with %v: got status %d or no items, want 200 and items", p.Name, example, got.status)
		}
		if strings.Contains(got.body, `aria-hidden="true">?</span>`) {
			t.Errorf("%s: got items of unknown type", p.Name)
		}
		missing := p.Missing(nil)
		got = browser.get(path + "?try=yes")
		if len(missing) > 0 && got.status != http.StatusUnprocessableEntity {
			t.Errorf("%s without values: got status %d, want 422", p.Name, got.status)
		}
		for _, name := range missing {
			if !strings.Contains(got.body, `<li><a href="#field-`+name+`">`) {
				t.Errorf("%s: got no error for the missing value %s", p.Name, name)
			}
		}
	}
}

// examples returns values for the parameters of each pattern. It takes them from the
// keys of an item in the table that matches the pattern, and omits patterns without
// such an item.
func examples(t *testing.T, s *store.Store) map[string]url.Values {
	t.Helper()
	var readers []*keyReader
	for i := range store.Patterns {
		readers = append(readers, newKeyReader(&store.Patterns[i]))
	}
	found := map[string]url.Values{}
	var mu sync.Mutex
	if err := s.Everything(t.Context(), func(items []store.Item) error {
		mu.Lock()
		defer mu.Unlock()
		for _, item := range items {
			for _, r := range readers {
				if found[r.Name] == nil {
					found[r.Name] = r.values(item)
				}
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for name, values := range found {
		if values == nil {
			delete(found, name)
		}
	}
	return found
}

// keyReader extracts the values of a pattern's parameters from the keys of an item.
type keyReader struct {
	*store.Pattern
	keys  *regexp.Regexp // matches PK and SK, separated by a newline
	names []string       // names of the parameters, by group in keys
	index string         // prefix of the key attributes, such as GSI1-
}

var placeholder = regexp.MustCompile(`\\\$\\\{(\w+)\\\}`)

func newKeyReader(p *store.Pattern) *keyReader {
	r := &keyReader{Pattern: p}
	if p.Index != "table" {
		r.index = p.Index + "-"
	}
	sk, _, _ := strings.Cut(p.SK.String(), " .. ")
	exact := sk != "" && sk == p.SK.String() && !strings.HasSuffix(sk, "*")
	pattern := "^" + regexp.QuoteMeta(p.PK.String()+"\n"+strings.TrimSuffix(sk, "*"))
	if exact {
		pattern += "$"
	}
	r.keys = regexp.MustCompile(placeholder.ReplaceAllStringFunc(pattern, func(found string) string {
		name := placeholder.FindStringSubmatch(found)[1]
		r.names = append(r.names, name)
		if name == "partition" {
			return "(.+)"
		}
		return "([^#\n]+)"
	}))
	return r
}

// values returns the values of the parameters in the keys of an item, or nil if the keys do
// not match the pattern. It leaves out the shard and the limits of a range.
func (r *keyReader) values(item store.Item) url.Values {
	groups := r.keys.FindStringSubmatch(plain(item, r.index+"PK") + "\n" + plain(item, r.index+"SK"))
	if groups == nil {
		return nil
	}
	values := url.Values{}
	for i, name := range r.names {
		if previous := values.Get(name); previous != "" && previous != groups[i+1] {
			return nil
		}
		values.Set(name, groups[i+1])
	}
	values.Del("from")
	if r.Sharded {
		values.Del("shard")
	}
	return values
}

func plain(item store.Item, name string) string {
	text, _ := item[name].(*types.AttributeValueMemberS)
	if text == nil {
		return ""
	}
	return text.Value
}
