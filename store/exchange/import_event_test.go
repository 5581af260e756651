package exchange_test

import (
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestImport_MarksEvents imports events that name another user. The history must show the
// user who imported them. The import must ignore some attributes in the file: Address,
// Attempts and TTL.
func TestImport_MarksEvents(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	boss, ada := s.As(&store.User{Name: "boss", Role: store.Admin}), s.As(&store.User{Name: "ada", Role: store.Admin})
	files := func() []exchange.File {
		return []exchange.File{
			newFile("events.csv", "Partition,EventID,When,By,What,Why\nc#c1,01M80ZZZZZ0000000000000001,2026-11-20T10:00:00Z,vic,customer.edited,forged\n"),
			newFile("events.jsonl", `{"Item":{"PK":{"S":"c#c1"},"SK":{"S":"event#01M80ZZZZZ0000000000000002"},"EntityType":{"S":"event"},"When":{"S":"2026-11-20T10:00:00Z"},"By":{"S":"vic"},"What":{"S":"user.added"},"Address":{"S":"10.0.0.1"},"Attempts":{"N":"7"},"ImportedBy":{"S":"vic"},"TTL":{"N":"1"}}}`+"\n"),
		}
	}
	customer := newFile("customers.csv", "CustomerID,Name\nc1,Kim\n")
	if got := outcomes(t, ada, exchange.ImportOptions{}, append(files(), customer)...); got != (exchange.Counts{Read: 3, Added: 3}) {
		t.Fatalf("got %+v, want 3 added rows", got)
	}
	events, err := boss.Events(t.Context(), store.EventFilter{About: "c#c1"}, store.Page{})
	if err != nil || len(events.Rows) != 2 {
		t.Fatalf("got %d events, error %v, want 2", len(events.Rows), err)
	}
	for _, e := range events.Rows {
		if e.By != "vic" || e.ImportedBy != "ada" || e.Address != "" || e.Attempts != 0 || !e.Expires.IsZero() {
			t.Errorf("got %+v, want an event by vic, imported by ada, without an address, attempts and expiry", e)
		}
	}
	for _, options := range []exchange.ImportOptions{{}, {Update: true}} {
		if got := outcomes(t, boss, options, files()...); got != (exchange.Counts{Read: 2, Unchanged: 2}) {
			t.Errorf("repeated by another admin, update %v: got %+v, want 2 unchanged rows", options.Update, got)
		}
	}
	text := string(exported(t, s, exchange.FormatCSV)["events.csv"])
	if want := "c#c1,01M80ZZZZZ0000000000000001,2026-11-20T10:00:00Z,vic,customer.edited,,forged,,,\r\nc#c1,01M80ZZZZZ0000000000000002,2026-11-20T10:00:00Z,vic,user.added,,,,,\r\n"; !strings.HasSuffix(text, want) || strings.Contains(text, "ada") {
		t.Errorf("got the export\n%s\nwant only the events\n%s", text, want)
	}
}

// outcomes imports files and returns the counts of their rows.
func outcomes(t *testing.T, target exchange.Target, options exchange.ImportOptions, files ...exchange.File) exchange.Counts {
	t.Helper()
	sources, err := exchange.Open(files, "")
	if err != nil {
		t.Fatal(err)
	}
	var sum exchange.ImportResult
	options.Known = exchange.NewKnown()
	for _, source := range sources {
		result, err := exchange.Import(t.Context(), target, source, options)
		if err != nil {
			t.Fatal(err)
		}
		sum.Add(result)
	}
	return sum.Sum()
}
