package store_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"stockroom/store"
)

// TestEventCode_HasSentence finds all declared and all used codes in the source code.
// Each declared code must have a sentence of its own, and must be used outside
// event_code.go.
func TestEventCode_HasSentence(t *testing.T) {
	sources, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	sentenceCount := 0
	declared, used := map[string]store.EventCode{}, map[string]bool{}
	for _, source := range sources {
		name := source.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				if typ, ok := n.Type.(*ast.Ident); ok && typ.Name == "EventCode" && len(n.Values) == 1 {
					if value, ok := n.Values[0].(*ast.BasicLit); ok {
						declared[n.Names[0].Name] = store.EventCode(strings.Trim(value.Value, `"`))
					}
				}
				if n.Names[0].Name == "eventSentences" {
					sentenceCount = len(n.Values[0].(*ast.CompositeLit).Elts)
				}
			case *ast.Ident:
				used[n.Name] = used[n.Name] || name != "event_code.go"
			}
			return true
		})
	}
	if len(declared) == 0 || sentenceCount != len(declared) {
		t.Errorf("got %d sentences for %d codes, want one for each code", sentenceCount, len(declared))
	}
	codes, sentences := map[store.EventCode]bool{}, map[string]bool{}
	for name, code := range declared {
		sentence := (&store.Event{What: code, Subject: "%s"}).Sentence()
		switch {
		case sentence == "" || sentence == string(code):
			t.Errorf("%s: got no sentence, want one", name)
		case !used[name]:
			t.Errorf("%s: got no use of the code, want one", name)
		case codes[code] || sentences[sentence]:
			t.Errorf("%s: got the code %q or the sentence %q twice, want it once", name, code, sentence)
		case strings.Count(sentence, "%") != strings.Count(sentence, "%s") || strings.Count(sentence, "%s") > 1:
			t.Errorf("%s: got sentence %q, want at most one %%s", name, sentence)
		}
		codes[code], sentences[sentence] = true, true
	}
}

func TestEvent_Sentence(t *testing.T) {
	for _, tt := range []struct {
		event store.Event
		want  string
	}{
		{store.Event{What: store.EventOrderPlaced}, "Order placed"},
		{store.Event{What: store.EventOrderShipped, Subject: "50% %s"}, "Shipment 50% %s packed"},
		{store.Event{What: store.EventPaymentReversed, Subject: "i1: -4.50"}, "Payment reversed for invoice i1: -4.50"},
		{store.Event{What: store.EventPaymentRecorded, Subject: "i1: 4.50"}, "Payment recorded for invoice i1: 4.50"},
		{store.Event{What: "shipped in shipment 77"}, "shipped in shipment 77"},
		{store.Event{What: "100%s", Subject: "x"}, "100%s"},
		{store.Event{}, ""},
	} {
		tt.event.ID, tt.event.Partition, tt.event.By, tt.event.When = "1", "o#1", "kim", at("2026-11-21T08:00:00Z")
		item, err := store.Encode(&tt.event, 1)
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := store.Decode(item)
		got, _ := decoded.(*store.Event)
		if err != nil || got.Sentence() != tt.want || got.What != tt.event.What {
			t.Errorf("%+v: got %q, %q, %v, want %q", tt.event, got.What, got.Sentence(), err, tt.want)
		}
	}
}

func TestEvent_MarshalJSON(t *testing.T) {
	body, err := json.Marshal([]store.Event{{What: store.EventOrderShipped, Subject: "77"}})
	if got := string(body); err != nil || !strings.Contains(got, `"What":"order.shipped","Subject":"77"`) || !strings.Contains(got, `"Sentence":"Shipment 77 packed"`) {
		t.Errorf("got %s, %v; want the code, the subject and the sentence", got, err)
	}
}

func TestEvent_SetsReorderPoint(t *testing.T) {
	for _, e := range []store.Event{{What: store.EventReorderPointSet, Subject: "w1"}, {What: "reorder point set in w1"}} {
		if !e.SetsReorderPoint("w1") || e.SetsReorderPoint("w2") {
			t.Errorf("%+v: got %v for w1 and %v for w2, want true and false", e, e.SetsReorderPoint("w1"), e.SetsReorderPoint("w2"))
		}
	}
	if e := (store.Event{What: store.EventStockCounted, Subject: "w1"}); e.SetsReorderPoint("w1") {
		t.Error("count of stock: got true, want false")
	}
}
