package storetest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestCategories_FollowProducts adds categories by import and by a product's form,
// renames one twice, and archives it. The products must get the new name, with an event
// in their history, and keep the archived category. New products must not get the
// archived category.
func TestCategories_FollowProducts(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, names := s.Context(), func() []string {
			names, err := s.admin.Categories(s.Context())
			if err != nil {
				s.Fatal(err)
			}
			return names
		}
		var many []store.Entity
		for n := range 60 {
			many = append(many, &store.Product{ID: fmt.Sprintf("q%02d", n), Name: fmt.Sprint("Oar ", n), Category: []string{"Zyx oars", "zyx OARS"}[n%2], Version: 1})
		}
		if _, err := s.store.Load(ctx, many, store.LoadOptions{}); err != nil {
			s.Fatal(err)
		}
		if got := names(); !slices.Contains(got, "Zyx oars") || slices.Contains(got, "zyx OARS") {
			s.Fatalf("after an import: got categories %q, want Zyx oars once", got)
		}
		added, err := s.admin.AddProduct(ctx, store.Product{Name: "Paddle", Category: "ZYX Oars"}, s.store.NewToken())
		if err != nil {
			s.Fatal(err)
		}
		if p, err := s.admin.Product(ctx, added); err != nil || p.Category != "Zyx oars" {
			s.Errorf("a product with another spelling: got %+v, %v, want the spelling of the list", p, err)
		}
		if _, err := s.admin.AddProduct(ctx, store.Product{Name: "Sail", Category: "Zyx sails"}, s.store.NewToken()); err != nil {
			s.Fatal(err)
		}
		if got := names(); !slices.Contains(got, "Zyx sails") {
			s.Errorf("after a product of a new category: got categories %q, want Zyx sails", got)
		}
		oars := store.Reference{Kind: store.Category, ID: "zyx_oars", Name: "Zyx sails", Version: 1}
		s.refused("the name of another category", s.admin.SaveReference(ctx, oars, s.store.NewToken()), store.Invalid, "name")
		oars.Name = "Zyx paddles"
		token := s.store.NewToken()
		for range 2 {
			s.done("rename, submitted twice", s.admin.SaveReference(ctx, oars, token))
		}
		s.refused("another form of the former name", s.admin.SaveReference(ctx, oars, s.store.NewToken()), store.NotFound, "")
		renamed, err := s.admin.CategoryForChange(ctx, "zyx_paddles")
		if err != nil || renamed.Former != "" || renamed.Name != "Zyx paddles" {
			s.Fatalf("renamed: got %+v, %v, want no former name", renamed, err)
		}
		count := func(category string) int {
			found, err := s.admin.Products(ctx, store.ProductFilter{Category: category}, store.Page{Limit: store.MaxLimit})
			if err != nil {
				s.Fatal(err)
			}
			for _, p := range found.Rows {
				if p.Category != category {
					s.Errorf("got product %s of category %q in the list of the category %q", p.ID, p.Category, category)
				}
			}
			return len(found.Rows)
		}
		if moved, left := count("Zyx paddles"), count("Zyx oars"); moved != 61 || left != 0 {
			s.Errorf("after the rename: got %d products of the new name and %d of the former one, want 61 and 0", moved, left)
		}
		events, err := s.admin.Events(ctx, store.EventFilter{About: "p#q07"}, store.Page{})
		if err != nil || len(events.Rows) == 0 || events.Rows[0].Before != "category zyx OARS" || events.Rows[0].After != "category Zyx paddles" {
			s.Errorf("history of a product: got %+v, %v, want its category before and after", events.Rows, err)
		}
		renamed.Name = "ZYX paddles"
		s.done("another spelling", s.admin.SaveReference(ctx, *renamed, s.store.NewToken()))
		if got := count("ZYX paddles"); got != 61 {
			s.Errorf("after another spelling: got %d products, want 61", got)
		}
		current, err := s.admin.CategoryForChange(ctx, "zyx_paddles")
		if err != nil {
			s.Fatal(err)
		}
		s.done("archive", s.admin.ArchiveCategory(ctx, store.Archiving{ID: current.ID, Version: current.Version, Token: s.store.NewToken()}))
		if got := names(); slices.Contains(got, "ZYX paddles") || count("ZYX paddles") != 61 {
			s.Errorf("after archiving: got categories %q, want none of the name, and its products", got)
		}
		if found, err := s.admin.Choices(ctx, store.ChooseCategory, "zyx"); err != nil || len(found) != 1 || found[0].ID != "Zyx sails" {
			s.Errorf("choices: got %+v, %v, want Zyx sails only", found, err)
		}
		p, err := s.admin.ProductForChange(ctx, added)
		if err != nil {
			s.Fatal(err)
		}
		p.Name = "Long paddle"
		s.done("product that keeps an archived category", s.admin.SaveProduct(ctx, *p, s.store.NewToken()))
		_, err = s.admin.AddProduct(ctx, store.Product{Name: "Short paddle", Category: "zyx paddles"}, s.store.NewToken())
		s.refused("new product of an archived category", err, store.Invalid, "category")
		past, err := s.admin.ProductAt(ctx, "q07", storetest.Now.Add(-time.Hour))
		if err != nil || !past.HasState() || past.Product.Category != "zyx OARS" {
			s.Errorf("state before the renames: got %+v, %v, want the category zyx OARS", past, err)
		}
	})
}

// TestCategories_Spelling enters a category in a spelling that differs from the list of
// categories. The event must contain the spelling of the list, so that the change can be
// undone. A form that changes only the spelling must record no event.
func TestCategories_Spelling(t *testing.T) {
	onUndoShop(t, func(u *undoTest) {
		ctx := u.Context()
		if _, err := u.access.AddReference(ctx, store.Reference{Kind: store.Category, Name: "Zyx Oars"}, u.token()); err != nil {
			t.Fatal(err)
		}
		save := func(category string) (former string, newest store.Event) {
			p, err := u.access.ProductForChange(ctx, "p07")
			if err != nil {
				t.Fatal(err)
			}
			former, p.Category = p.Category, category
			if err := u.access.SaveProduct(ctx, *p, u.token()); err != nil {
				t.Fatal(err)
			}
			events, err := u.access.Events(ctx, store.EventFilter{About: "p#p07"}, store.Page{Limit: 1})
			if err != nil {
				t.Fatal(err)
			}
			return former, events.Rows[0]
		}
		before, edited := save("ZYX oars")
		if want := "category Zyx Oars"; edited.After != want {
			t.Errorf("got the event %+v, want %q", edited, want)
		}
		if _, e := save("zyx oars"); e.ID != edited.ID {
			t.Errorf("another spelling only: got the event %+v, want none", e)
		}
		if err := u.undo(&edited); err != nil {
			t.Fatalf("undo: got %v, want no error", err)
		}
		if p, err := u.access.Product(ctx, "p07"); err != nil || p.Category != before {
			t.Errorf("after undo: got %+v, %v, want the category %s", p, err, before)
		}
	})
}

// TestCategories_HaveAddress uses category names that would conflict with the
// addresses of other pages. Forms must refuse these names, and imports must not add
// them to the list.
func TestCategories_HaveAddress(t *testing.T) {
	sell(t, func(s *selling) {
		ctx := s.Context()
		if _, err := s.admin.AddReference(ctx, store.Reference{Kind: store.Category, Name: "News"}, s.store.NewToken()); err != nil {
			s.Fatal(err)
		}
		var all []store.Entity
		for n, name := range []string{"New", "NEW ", ".", ".."} {
			all = append(all, &store.Product{ID: fmt.Sprint("q", n), Name: "Oar", Category: name, Version: 1})
			_, err := s.admin.AddReference(ctx, store.Reference{Kind: store.Category, Name: name}, s.store.NewToken())
			s.refused("category "+name, err, store.Invalid, "name")
			_, err = s.admin.AddProduct(ctx, store.Product{Name: "Oar", Category: name}, s.store.NewToken())
			s.refused("product of "+name, err, store.Invalid, "category")
			s.refused("rename to "+name, s.admin.SaveReference(ctx, store.Reference{Kind: store.Category, ID: "news", Name: name, Version: 1}, s.store.NewToken()), store.Invalid, "name")
		}
		s.done("load", loadAll(ctx, s.store, all))
		for _, id := range []string{"new", ".", ".."} {
			if r, err := s.admin.CategoryForChange(ctx, id); store.KindOf(err) != store.NotFound {
				s.Errorf("got the category %+v, %v; want NotFound", r, err)
			}
		}
	})
}

// TestCategories_RekeyAfterRename runs Rekey after two renames of categories: of one that
// an archived product still has, and of one whose products are not all renamed yet. Rekey
// must not add the former names to the list.
func TestCategories_RekeyAfterRename(t *testing.T) {
	sell(t, func(s *selling) {
		ctx := s.Context()
		s.done("load", loadAll(ctx, s.store, []store.Entity{
			&store.Product{ID: "q1", Name: "Oar", Category: "Zyx oars", Archived: true, Version: 1},
			&store.Product{ID: "q2", Name: "Oar", Category: "Zyx oars", Version: 1},
			&store.Reference{Kind: store.Category, ID: "zyx_sheets", Name: "Zyx sheets", Former: "zyx_sails", Version: 1},
			&store.FormerCategory{ID: "zyx_sails", PresentID: "zyx_sheets", Version: 1},
		}))
		oars := store.Reference{Kind: store.Category, ID: "zyx_oars", Name: "Zyx paddles", Version: 1}
		s.done("rename", s.admin.SaveReference(ctx, oars, s.store.NewToken()))
		s.done("load", loadAll(ctx, s.store, []store.Entity{&store.Product{ID: "q3", Name: "Sail", Category: "Zyx sails", Version: 1}}))
		if _, err := s.store.Rekey(ctx, store.Rekeying{}); err != nil {
			s.Fatal(err)
		}
		names, err := s.admin.Categories(ctx)
		if s.done("categories", err); slices.Contains(names, "Zyx oars") || slices.Contains(names, "Zyx sails") || !slices.Contains(names, "Zyx paddles") || !slices.Contains(names, "Zyx sheets") {
			s.Errorf("got the categories %q, want no former names", names)
		}
	})
}

// TestCategories_FormerName uses former names of a category: for a new product, for a
// product that was archived before the rename and is restored after it, and for a product
// that is imported after the rename. All of them must get the present name, unless a new
// category has taken the former name.
func TestCategories_FormerName(t *testing.T) {
	sell(t, func(s *selling) {
		ctx := s.Context()
		s.done("load", loadAll(ctx, s.store, []store.Entity{
			&store.Product{ID: "q1", Name: "Oar", Category: "Zyx oars", Archived: true, Version: 1},
			&store.Product{ID: "q2", Name: "Oar", Category: "Zyx oars", Version: 1},
			&store.Product{ID: "q4", Name: "Anchor", Category: "Zyx anchors", Archived: true, Version: 1},
		}))
		rename := func(id, name string) {
			s.Helper()
			r, err := s.admin.CategoryForChange(ctx, id)
			s.done("category", err)
			r.Name = name
			s.done("rename", s.admin.SaveReference(ctx, *r, s.store.NewToken()))
		}
		add := func(category, want string) {
			s.Helper()
			id, err := s.admin.AddProduct(ctx, store.Product{Name: "Oar", Category: category}, s.store.NewToken())
			s.done("add", err)
			if p, err := s.admin.Product(ctx, id); err != nil || p.Category != want {
				s.Errorf("a new product of %q: got %+v, %v, want the category %q", category, p, err, want)
			}
		}
		restore := func(id, want string) {
			s.Helper()
			s.done("restore", s.admin.ArchiveProduct(ctx, store.Archiving{ID: id, Restore: true, Version: 1, Token: s.store.NewToken()}))
			found, err := s.admin.Products(ctx, store.ProductFilter{Category: want}, store.Page{Limit: store.MaxLimit})
			if s.done("products", err); !slices.ContainsFunc(found.Rows, func(p store.Product) bool { return p.ID == id && p.Category == want }) {
				s.Errorf("got the products %+v of %q, want the restored one among them", found.Rows, want)
			}
		}
		listed := func(want ...string) {
			s.Helper()
			names, err := s.admin.Categories(ctx)
			names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, "Zyx") })
			if s.done("categories", err); !slices.Equal(names, want) {
				s.Errorf("got the categories %q, want %q", names, want)
			}
		}
		finish := func(want int) {
			s.Helper()
			if n, err := s.store.FinishRenames(ctx); err != nil || n != want {
				s.Errorf("got %d renamed products, %v, want %d", n, err, want)
			}
		}
		rename("zyx_oars", "Zyx paddles")
		add("zyx OARS", "Zyx paddles")
		restore("q1", "Zyx paddles")
		restore("q4", "Zyx anchors")
		s.done("load", loadAll(ctx, s.store, []store.Entity{&store.Product{ID: "q3", Name: "Oar", Category: "Zyx oars", Version: 1}}))
		listed("Zyx anchors", "Zyx paddles")
		finish(1)
		finish(0)
		if p, err := s.admin.Product(ctx, "q3"); err != nil || p.Category != "Zyx paddles" {
			s.Errorf("a product that the rename has missed: got %+v, %v, want the present name", p, err)
		}
		rename("zyx_paddles", "Zyx blades")
		add("Zyx oars", "Zyx blades")
		rename("zyx_blades", "Zyx paddles")
		add("Zyx blades", "Zyx paddles")
		_, err := s.admin.AddReference(ctx, store.Reference{Kind: store.Category, Name: "Zyx oars"}, s.store.NewToken())
		s.done("a new category with a former name", err)
		add("Zyx Oars", "Zyx oars")
		finish(0)
		listed("Zyx anchors", "Zyx oars", "Zyx paddles")

		s.done("load", loadAll(ctx, s.store, []store.Entity{ // a rename that is not finished
			&store.Reference{Kind: store.Category, ID: "zyx_sheets", Name: "Zyx sheets", Former: "zyx_sails", Version: 1},
			&store.FormerCategory{ID: "zyx_sails", PresentID: "zyx_sheets", Version: 1},
		}))
		add("Zyx sails", "Zyx sheets")
		_, err = s.admin.AddReference(ctx, store.Reference{Kind: store.Category, Name: "Zyx sails"}, s.store.NewToken())
		s.refused("a former name that products still have", err, store.Invalid, "name")
	})
}

// TestCategories_FormerNameOfMany renames a category twice, and then adds a category with
// the second name. A new product with the first name must get the present name, even if an
// index was so late that the second rename missed the record of the first name.
func TestCategories_FormerNameOfMany(t *testing.T) {
	sell(t, func(s *selling) {
		ctx := s.Context()
		rename := func(id, name string) {
			s.Helper()
			r, err := s.admin.CategoryForChange(ctx, id)
			s.done("category", err)
			r.Name = name
			s.done("rename", s.admin.SaveReference(ctx, *r, s.store.NewToken()))
		}
		want := func(category, want string) {
			s.Helper()
			id, err := s.admin.AddProduct(ctx, store.Product{Name: "Oar", Category: category}, s.store.NewToken())
			s.done("add", err)
			if p, err := s.admin.Product(ctx, id); err != nil || p.Category != want {
				s.Errorf("a new product of %q: got %+v, %v, want the category %q", category, p, err, want)
			}
		}
		add := func(name string) {
			s.Helper()
			_, err := s.admin.AddReference(ctx, store.Reference{Kind: store.Category, Name: name}, s.store.NewToken())
			s.done("add category", err)
		}
		add("Zyx oars")
		rename("zyx_oars", "Zyx paddles")
		rename("zyx_paddles", "Zyx blades")
		add("Zyx paddles")
		want("Zyx oars", "Zyx blades")
		want("Zyx paddles", "Zyx paddles")
		rename("zyx_blades", "Zyx oars")
		want("Zyx blades", "Zyx oars")
		want("Zyx paddles", "Zyx paddles")

		s.done("load", loadAll(ctx, s.store, []store.Entity{
			&store.Reference{Kind: store.Category, ID: "zyx_sheets", Name: "Zyx sheets", Version: 1},
			&store.FormerCategory{ID: "zyx_cloth", PresentID: "zyx_sails", Version: 1},
			&store.FormerCategory{ID: "zyx_sails", PresentID: "zyx_sheets", Version: 1},
		}))
		if _, err := s.store.FinishRenames(ctx); err != nil {
			s.Fatal(err)
		}
		add("Zyx sails")
		want("Zyx cloth", "Zyx sheets")
	})
}

// TestCategories_UndoRename renames a category, undoes the rename, undoes this undo, and
// undoes the second undo. The product must get the name of the category each time.
func TestCategories_UndoRename(t *testing.T) {
	onUndoShop(t, func(u *undoTest) {
		category := func() string {
			p, err := u.access.ProductForChange(u.Context(), "p07")
			if err != nil {
				u.Fatal(err)
			}
			return p.Category
		}
		before := category()
		r, err := u.access.CategoryForChange(u.Context(), store.CategoryID(before))
		if err != nil {
			u.Fatal(err)
		}
		r.Name = "Seats"
		if err := u.access.SaveReference(u.Context(), *r, u.token()); err != nil {
			u.Fatal(err)
		}
		for _, want := range []string{before, "Seats", before} {
			e := u.renamed(store.CategoryID(category()))
			if err := u.undo(e); err != nil {
				u.Fatalf("undo: got %v, want no error", err)
			}
			if got := category(); got != want {
				u.Errorf("after undo: got a product of %q, want %q", got, want)
			}
			if err := u.undo(e); err == nil {
				u.Error("undo of the same event again: got no error, want one")
			}
		}
	})
}

// renamed returns the newest event of the category with the given ID.
func (u *undoTest) renamed(id string) *store.Event {
	u.Helper()
	found, err := u.access.Events(u.Context(), store.EventFilter{About: "cat#" + id}, store.Page{Limit: 1})
	if err != nil || len(found.Rows) == 0 {
		u.Fatalf("events of the category %s: got %+v, %v, want at least one event", id, found.Rows, err)
	}
	return &found.Rows[0]
}
