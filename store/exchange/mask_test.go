package exchange_test

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"encoding/json"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

func newMasker(t *testing.T, key []byte) *exchange.Masker {
	t.Helper()
	m, err := exchange.NewMasker(key)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// personalData returns the names, emails, phone numbers, streets and free text of entities.
// It omits strings that are too short to search for.
func personalData(entities []store.Entity) map[string]bool {
	found := map[string]bool{}
	add := func(texts ...string) {
		for _, text := range texts {
			if len(text) > 4 {
				found[text] = true
			}
		}
	}
	for _, e := range entities {
		switch e := e.(type) {
		case *store.Customer:
			add(append(e.Phones, e.Name, e.Email, e.Address.Street)...)
		case *store.Employee:
			add(append(e.Phones, e.Name, e.Email)...)
		case *store.Person:
			add(append(e.Phones, e.Name, e.Email)...)
		case *store.Warehouse:
			add(e.Address.Street)
		case *store.RentalStore:
			add(e.Address.Street)
		case *store.Order:
			add(e.CustomerName, e.ShipTo.Street)
		case *store.Shipment:
			add(e.Address.Street, e.Tracking)
		case *store.Invoice:
			for _, p := range e.Payments {
				add(p.Data)
			}
		case *store.Subscription:
			add(e.Email, e.PaymentDetails.Customer, e.PaymentDetails.Method, e.PaymentDetails.Address)
		case *store.Receipt:
			add(e.Email, e.Reference)
		case *store.Rental:
			add(e.PersonName)
		case *store.ActiveRental:
			add(e.PersonName)
		case *store.Employment:
			add(e.PersonName)
		case *store.StoreEmployee:
			add(e.Name)
		case *store.Quota:
			add(e.Name)
		case *store.StockMove:
			if e.Reason != "shipped" { // an event code contains the same text, which is not personal
				add(e.Reason)
			}
		case *store.Event:
			add(e.Why)
		}
	}
	return found
}

// personalEvents returns events and saved views with personal data in several attributes.
func personalEvents(at time.Time) []store.Entity {
	return []store.Entity{
		&store.Event{ID: "e1", Partition: "c#20001", When: at, By: "kimberley", What: store.EventNote, Why: "Call Åsa Lindqvist back at +46 70 9999999"},
		&store.Event{ID: "e2", Partition: "c#20001", When: at, By: "kimberley", What: store.EventCustomerEdited, Before: "email secret.before@example.com", After: "email secret.after@example.com"},
		&store.Event{ID: "e3", Partition: "user#kimberley", When: at, By: "kimberley", What: store.EventViewSaved, After: "Orders of Åsa (/orders?q=secret)"},
		&store.Event{ID: "e4", Partition: "o#100001", When: at, By: store.Program, What: "Secret sentence of earlier versions", Subject: "secret subject"},
		&store.Event{ID: "e5", Partition: "o#100001", When: at, By: store.Program, What: store.EventOrderShipped, Subject: "77", Before: "NONE", After: "SHIPPED"},
		&store.SavedView{ID: "v1", Owner: "kimberley", Name: "Secret name of a view", Path: "/customers?q=secret"},
		&store.SavedView{ID: "v2", Name: "Secret name of a view of all", Path: "/customers?q=secret"},
	}
}

// TestExport_Masked makes a masked export of the demo business in each format. The
// files must contain no personal data. The CSV files, imported into an empty table,
// must pass the check of the books.
func TestExport_Masked(t *testing.T) {
	clock := storetest.NewClock()
	from := storetest.Open(t, clock)
	if err := demo.Load(t.Context(), from, demo.Small); err != nil {
		t.Fatal(err)
	}
	events := personalEvents(clock.Now())
	if loaded, err := from.Load(t.Context(), events, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	personal := personalData(append(demo.Business(clock.Now(), demo.Small), events...))
	for _, text := range []string{"kimberley", "secret", "Secret"} {
		personal[text] = true
	}
	if len(personal) < 1000 {
		t.Fatalf("got %d personal texts, want over 1000", len(personal))
	}
	for _, format := range exchange.Formats {
		t.Run(string(format), func(t *testing.T) {
			t.Parallel()
			files := exportWith(t, from, exchange.ExportOptions{Format: format, Mask: newMasker(t, nil)})
			for name, content := range files {
				for _, text := range personalIn(unzipped(t, content), personal) {
					t.Errorf("%s: got the personal text %q, want it masked", name, text)
				}
			}
			if format != exchange.FormatCSV {
				return // other formats contain the same items
			}
			to := storetest.Open(t, clock)
			var imports []exchange.File
			for _, name := range slices.Sorted(maps.Keys(files)) {
				imports = append(imports, newFile(name, files[name]))
			}
			if _, rejected := importRows(t, to, exchange.ImportOptions{}, -1, imports...); len(rejected) > 0 {
				t.Fatalf("%d rejected, want none; the first: %s", len(rejected), rejected[0])
			}
			comparePlain(t, readTable(t, to), readTable(t, from))
			checked, err := to.CheckBusiness(t.Context(), store.BusinessCheck{Found: func(f store.CheckFinding) { t.Errorf("%s: %s", f.Rule, f.Text) }})
			if err != nil || checked.Items < 5000 {
				t.Errorf("check: got %+v, %v; want every item checked", checked, err)
			}
		})
	}
}

func unzipped(t *testing.T, content string) string {
	t.Helper()
	if !strings.HasPrefix(content, "\x1f\x8b") {
		return content
	}
	zip, err := gzip.NewReader(strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return string(plain)
}

// personalIn returns up to five strings of personal data in a file, each with the text
// around it. To save time, it compares only at positions where two bytes equal the start of
// such a string.
func personalIn(content string, personal map[string]bool) (found []string) {
	const start = 5
	byStart := map[string][]string{}
	var likely [1 << 16]bool // whether a string of personal data starts with these two bytes
	for text := range personal {
		quoted, _ := json.Marshal(text) // as it is written in JSON
		for _, form := range []string{text, string(quoted[1 : len(quoted)-1]), strings.ToLower(text)} {
			if like := byStart[form[:start]]; !slices.Contains(like, form) {
				byStart[form[:start]] = append(like, form)
			}
			likely[int(form[0])<<8|int(form[1])] = true
		}
	}
	for i := 0; i+start <= len(content) && len(found) < 5; i++ {
		if !likely[int(content[i])<<8|int(content[i+1])] {
			continue
		}
		for _, text := range byStart[content[i:i+start]] {
			if strings.HasPrefix(content[i:], text) {
				found = append(found, text+" in "+content[max(0, i-60):min(len(content), i+60)])
			}
		}
	}
	return found
}

// comparePlain compares the values that a masked export keeps: amounts, dates,
// counts, and the keys of all items except those of users.
func comparePlain(t *testing.T, got, want map[string]store.Item) {
	t.Helper()
	different, kept := 0, 0
	for keys, item := range want {
		if strings.HasPrefix(keys, "user#") {
			continue
		}
		kept++
		gotPlain, wantPlain := plainValues(got[keys]), plainValues(item)
		for _, name := range []string{"EntityType", "Date", "Status", "Total", "Amount", "Price", "Quantity", "Out", "Due", "Charge", "OrderTotal", "GSI4-PK", "SKU"} {
			if gotPlain[name] != wantPlain[name] && different < 5 {
				different++
				t.Errorf("%s: %s: got %v, want %v", keys, name, gotPlain[name], wantPlain[name])
			}
		}
	}
	if len(got) != kept {
		t.Errorf("got %d items, want %d", len(got), kept)
	}
}

// TestExport_MaskedConsistently checks that a person has the same pseudonym in all
// records.
func TestExport_MaskedConsistently(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	business := storetest.NewShop()
	business.Load(t, s)
	key := bytes.Repeat([]byte("k"), exchange.MinMaskKey)
	files := exportWith(t, s, exchange.ExportOptions{Format: exchange.FormatCSV, Mask: newMasker(t, key)})
	names, emails := map[string]string{}, map[string]bool{}
	for _, row := range csvRows(t, files["customers.csv"]) {
		names[row["CustomerID"]] = row["Name"]
		if emails[row["Email"]] || !strings.HasSuffix(row["Email"], "@masked.example") {
			t.Errorf("customer %s: got the email %q, want a unique one", row["CustomerID"], row["Email"])
		}
		emails[row["Email"]] = true
	}
	compared := 0
	for file, columns := range map[string][2]string{
		"orders": {"CustomerID", "CustomerName"}, "rentals": {"PersonID", "PersonName"}, "active-rentals": {"PersonID", "PersonName"}, "people": {"PersonID", "Name"},
	} {
		for _, row := range csvRows(t, files[file+".csv"]) {
			name, isCustomer := names[row[columns[0]]]
			if isCustomer && row[columns[1]] != "" {
				if compared++; row[columns[1]] != name {
					t.Errorf("%s: got the name %q of %s, want %q", file, row[columns[1]], row[columns[0]], name)
				}
			}
		}
	}
	if compared < 300 {
		t.Errorf("compared %d names, want hundreds", compared)
	}
	for _, row := range csvRows(t, files["subscriptions.csv"]) {
		if row["Email"] != "" && !strings.HasSuffix(row["Email"], "@masked.example") {
			t.Errorf("subscription of %s: got the email %q, want it at masked.example", row["AccountID"], row["Email"])
		}
	}
	if again := exportWith(t, s, exchange.ExportOptions{Format: exchange.FormatCSV, Mask: newMasker(t, key)}); !maps.Equal(again, files) {
		t.Error("got different pseudonyms with the same key, want the same ones")
	}
	if other := exportWith(t, s, exchange.ExportOptions{Format: exchange.FormatCSV, Mask: newMasker(t, nil)}); other["customers.csv"] == files["customers.csv"] {
		t.Error("got the same pseudonyms with another key, want different ones")
	}
	if _, err := exchange.NewMasker(key[1:]); err == nil {
		t.Error("short key: got no error, want one")
	}
}

// csvRows returns the rows of a CSV file as values by column.
func csvRows(t *testing.T, content string) (rows []map[string]string) {
	t.Helper()
	records, err := csv.NewReader(strings.NewReader(content)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, record := range records[1:] {
		row := map[string]string{}
		for i, name := range records[0] {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	return rows
}
