package exchange_test

import (
	"fmt"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestImport_EmailsNoView checks that imported views are not emailed before their owner
// confirms the frequency in a form.
func TestImport_EmailsNoView(t *testing.T) {
	for name, content := range map[string]string{
		"views.csv": "Partition,ViewID,Name,Path,Email\nviews,v1,Open,/orders,DAILY\nuser#kim,v2,Open,/orders,DAILY\nuser#kim,v3,Paid,/orders,HOURLY\n",
		"views.jsonl": `{"Item":{"PK":{"S":"views"},"SK":{"S":"view#v1"},"EntityType":{"S":"view"},"Name":{"S":"Open"},"Path":{"S":"/orders"},"Email":{"S":"DAILY"}}}` + "\n" +
			`{"Item":{"PK":{"S":"user#kim"},"SK":{"S":"view#v2"},"EntityType":{"S":"view"},"Name":{"S":"Open"},"Path":{"S":"/orders"},"Email":{"S":"DAILY"}}}` + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := storetest.Open(t, storetest.NewClock())
			if _, rejected := importFiles(t, s, exchange.ImportOptions{}, newFile(name, content)); len(rejected) > 0 {
				t.Fatalf("rejected %q, want none", rejected)
			}
			views, err := s.ViewsToEmail(t.Context(), storetest.Now)
			if err != nil || len(views) > 0 {
				t.Errorf("got %+v, %v; want no views to email", views, err)
			}
			for pk, item := range readTable(t, s) {
				if _, found := item["Email"]; found {
					t.Errorf("got %s with %s, want no emails", pk, fmt.Sprint(item["Email"]))
				}
			}
		})
	}
	s := storetest.Open(t, storetest.NewClock())
	shared := &store.SavedView{ID: "v1", Name: "Open", Path: "/orders", Email: store.ViewDaily}
	if loaded, err := s.Load(t.Context(), []store.Entity{shared}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
	if views, err := s.ViewsToEmail(t.Context(), storetest.Now); err != nil || len(views) > 0 {
		t.Errorf("a stored shared view: got %+v, %v; want no views to email", views, err)
	}
}
