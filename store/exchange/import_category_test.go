package exchange_test

import (
	"reflect"
	"slices"
	"testing"

	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestImport_DryRunShowsNewCategories checks that a dry run lists the categories that the
// import would add, with their rows. It must not list categories that are in the table or in
// an earlier file, former names, or categories of archived and rejected products.
func TestImport_DryRunShowsNewCategories(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	importFiles(t, s, exchange.ImportOptions{}, newFile("products.csv", "ProductID,Detail.Name,Price,Category\np0,Spot,1,Lamps\np9,Stool,1,Chairs\n"))
	admin := s.As(importAdmin)
	chairs, err := admin.CategoryForChange(t.Context(), "chairs")
	if err != nil {
		t.Fatal(err)
	}
	renamed := *chairs
	renamed.Name = "Seats"
	if err := admin.SaveReference(t.Context(), renamed, ""); err != nil {
		t.Fatal(err)
	}
	files := func() []exchange.File {
		return []exchange.File{
			newFile("categories.csv", "CategoryID,Name\ntables,Tables\n"),
			newFile("products.csv", "ProductID,Detail.Name,Price,Category,Archived\n"+
				"p1,A,1,Lamps,\np2,B,1, lampS,\np3,C,1,Chairs,\np4,D,1,Tables,\np5,E,1,Lmaps,\np6,F,1,LMAPS,\np7,G,1,,\np8,H,1,Old,true\np10,I,much,Wrong,\np11,J,1,Desks,\np0,Spot,1,Rejected,\n"),
		}
	}
	want := []exchange.NewCategory{{Name: "Desks", Rows: 1}, {Name: "Lmaps", Rows: 2}}
	result, _ := importFiles(t, s, exchange.ImportOptions{DryRun: true}, files()...)
	if got := result.NewCategories(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	result, _ = importFiles(t, s, exchange.ImportOptions{}, files()...)
	if got := result.NewCategories(); got != nil {
		t.Errorf("import: got %+v, want none", got)
	}
	names, err := admin.Categories(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"Desks", "Lamps", "Lmaps", "Seats", "Tables"}; !slices.Equal(names, want) {
		t.Errorf("categories after the import: got %v, want %v", names, want)
	}
	update := newFile("products.csv", "ProductID,Category\np1,Lamps\np2,Lampps\np3,Desks\n")
	update.Partial = true
	result, _ = importFiles(t, s, exchange.ImportOptions{DryRun: true, Update: true}, update)
	if got, want := result.NewCategories(), []exchange.NewCategory{{Name: "Lampps", Rows: 1}}; !reflect.DeepEqual(got, want) {
		t.Errorf("update: got %+v, want %+v", got, want)
	}
}
