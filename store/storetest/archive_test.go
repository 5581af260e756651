package storetest_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestArchive_LeavesListsAndForms checks that lists and forms do not offer an
// archived product, warehouse or store, and that all of them can be restored.
func TestArchive_LeavesListsAndForms(t *testing.T) {
	storetest.SmallShopImage.OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		ctx := t.Context()
		boss := s.As(admin)
		place, err := boss.AddRentalStore(ctx, store.RentalStore{Name: "Zyx pier"}, s.NewToken())
		must(t, err)
		other, err := boss.AddRentalStore(ctx, store.RentalStore{Name: "Other pier"}, s.NewToken())
		must(t, err)
		kayak, err := boss.AddKayak(ctx, store.Kayak{StoreID: other, Name: "Heron", DailyRate: euros("30")}, s.NewToken())
		must(t, err)
		depot, err := boss.AddWarehouse(ctx, store.Warehouse{Name: "Zyx depot"}, s.NewToken())
		must(t, err)
		product, err := boss.AddProduct(ctx, store.Product{Name: "Zyx paddle", Price: euros("20"), Category: "Paddles", SKU: "ZYX-1"}, s.NewToken())
		must(t, err)

		// listed returns which of the three records appear in lists.
		listed := func(which store.Archived) string {
			t.Helper()
			var found []string
			add := func(what string, in bool) {
				if in {
					found = append(found, what)
				}
			}
			products, err := boss.Products(ctx, store.ProductFilter{Archived: which == store.OnlyArchived}, store.Page{Limit: store.MaxLimit})
			must(t, err)
			add("products", slices.ContainsFunc(products.Rows, func(p store.Product) bool { return p.ID == product }))
			warehouses, err := boss.Warehouses(ctx, which, store.Page{Limit: store.MaxLimit})
			must(t, err)
			add("warehouses", slices.ContainsFunc(warehouses.Rows, func(w store.Warehouse) bool { return w.ID == depot }))
			stores, err := boss.RentalStores(ctx, which)
			must(t, err)
			add("stores", slices.ContainsFunc(stores, func(s store.RentalStore) bool { return s.ID == place }))
			return strings.Join(found, " ")
		}
		suggested := func() int {
			t.Helper()
			n := 0
			for kind, id := range map[store.ChoiceKind]string{store.ChooseProduct: product, store.ChooseWarehouse: depot, store.ChooseStore: place} {
				for _, text := range []string{"zyx", id} {
					found, err := boss.Choices(ctx, kind, text)
					must(t, err)
					n += len(found)
				}
			}
			found, err := boss.Choices(ctx, store.ChooseProduct, "ZYX-1")
			must(t, err)
			return n + len(found)
		}
		const all = "products warehouses stores"
		if got, n := listed(store.NotArchived), suggested(); got != all || n != 7 {
			t.Fatalf("before: got %q and %d suggestions, want all", got, n)
		}

		type archiving func(context.Context, store.Archiving) error
		for id, archive := range map[string]archiving{product: boss.ArchiveProduct, depot: boss.ArchiveWarehouse, place: boss.ArchiveRentalStore} {
			how := store.Archiving{ID: id, Version: 1, Why: "sold out", Token: s.NewToken()}
			for range 2 {
				must(t, archive(ctx, how))
			}
			how.Token = s.NewToken()
			if err := archive(ctx, how); store.KindOf(err) != store.Conflict {
				t.Errorf("old version: got %v, want Conflict", err)
			}
		}
		if got, archived, both, n := listed(store.NotArchived), listed(store.OnlyArchived), listed(store.AlsoArchived), suggested(); got != "" || archived != all || both != "warehouses stores" || n != 0 {
			t.Errorf("archived: got lists %q, archived %q, both %q and %d suggestions, want none, %q, warehouses and stores, and 0", got, archived, both, n, all)
		}
		inCategory, err := boss.Products(ctx, store.ProductFilter{Category: "Paddles"}, store.Page{})
		if err != nil || len(inCategory.Rows) != 0 {
			t.Errorf("category: got %+v, %v, want none", inCategory.Rows, err)
		}

		// Forms must reject archived records, even if their IDs are entered.
		quote, err := boss.Quote(ctx, store.Basket{Customer: "c01", Lines: []store.BasketLine{{Product: "ZYX-1", Quantity: 1}}})
		if err != nil || !strings.Contains(quote.Lines[0].ProductError, "archived") {
			t.Errorf("order: got %+v, %v, want an error at the line", quote, err)
		}
		_, checkOut := boss.CheckOut(ctx, store.CheckOut{StoreID: place, Person: "c01", KayakIDs: []string{kayak}, Due: clock.Now().AddDate(0, 0, 1).Truncate(24 * time.Hour)}, s.NewToken())
		_, newKayak := boss.AddKayak(ctx, store.Kayak{StoreID: place, Name: "Tern"}, s.NewToken())
		for what, err := range map[string]error{
			"receive the product":      boss.ReceiveStock(ctx, store.StockForm{ProductID: product, WarehouseID: "w1", Reason: "r", Token: s.NewToken()}, 1),
			"receive in the warehouse": boss.ReceiveStock(ctx, store.StockForm{ProductID: "p01", WarehouseID: depot, Reason: "r", Token: s.NewToken()}, 1),
			"transfer":                 boss.TransferStock(ctx, store.StockForm{ProductID: "p01", WarehouseID: "w1", Reason: "r", Token: s.NewToken()}, depot, 1),
			"check out":                checkOut,
			"add a kayak":              newKayak,
			"move a kayak":             boss.MoveKayak(ctx, kayak, 1, place, s.NewToken()),
			"hire":                     boss.StartEmployment(ctx, store.NewEmployment{StoreID: place, Person: "c01", From: clock.Now()}, s.NewToken()),
			"archive with kayaks":      boss.ArchiveRentalStore(ctx, store.Archiving{ID: other, Version: 2, Token: s.NewToken()}),
		} {
			var refused *store.Error
			if !errors.As(err, &refused) || refused.Kind != store.Invalid {
				t.Errorf("%s: got %v, want Invalid", what, err)
			}
		}

		for id, archive := range map[string]archiving{product: boss.ArchiveProduct, depot: boss.ArchiveWarehouse, place: boss.ArchiveRentalStore} {
			must(t, archive(ctx, store.Archiving{ID: id, Restore: true, Version: 2, Token: s.NewToken()}))
		}
		if got, n := listed(store.NotArchived), suggested(); got != all || n != 7 {
			t.Errorf("restored: got %q and %d suggestions, want all", got, n)
		}
	})
}

// TestArchivedProducts_HavePages reads a list of archived products that is longer than a
// page. The pages together must contain all products, sorted by name.
func TestArchivedProducts_HavePages(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		boss := s.As(admin)
		const products = 30
		for i := range products {
			id, err := boss.AddProduct(t.Context(), store.Product{Name: fmt.Sprintf("Lamp %02d", i)}, s.NewToken())
			must(t, err)
			must(t, boss.ArchiveProduct(t.Context(), store.Archiving{ID: id, Version: 1, Why: "sold out", Token: s.NewToken()}))
		}
		page := store.Page{Limit: 7}
		var names []string
		for {
			found, err := boss.Products(t.Context(), store.ProductFilter{Archived: true}, page)
			must(t, err)
			for _, p := range found.Rows {
				names = append(names, p.Name)
			}
			if found.Next == nil {
				break
			}
			page.At = found.Next
		}
		if len(names) != products || !slices.IsSorted(names) {
			t.Errorf("got %d products %q, want %d by name", len(names), names, products)
		}
	})
}

func TestKayak_IsRestored(t *testing.T) {
	storetest.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		ctx := t.Context()
		boss := s.As(admin)
		place, err := boss.AddRentalStore(ctx, store.RentalStore{Name: "Pier"}, s.NewToken())
		must(t, err)
		kayak, err := boss.AddKayak(ctx, store.Kayak{StoreID: place, Name: "Heron", DailyRate: euros("30")}, s.NewToken())
		must(t, err)
		counts := func(which store.Archived) (listed, in int) {
			t.Helper()
			kayaks, err := boss.KayaksOfStore(ctx, place, which, store.Page{})
			must(t, err)
			at, err := boss.RentalStore(ctx, place)
			must(t, err)
			return len(kayaks.Rows), at.In
		}
		must(t, boss.Retire(ctx, kayak, 1, "worn out", s.NewToken()))
		if listed, in := counts(store.NotArchived); listed != 0 || in != 0 {
			t.Errorf("retired: got %d kayaks listed and %d available, want none", listed, in)
		}
		if listed, _ := counts(store.OnlyArchived); listed != 1 {
			t.Errorf("retired: got %d retired kayaks, want 1", listed)
		}
		token := s.NewToken()
		for range 2 {
			must(t, boss.RestoreKayak(ctx, kayak, 2, "", token))
		}
		if listed, in := counts(store.NotArchived); listed != 1 || in != 1 {
			t.Errorf("restored: got %d kayaks listed and %d available, want 1", listed, in)
		}
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestArchiveRentalStore_WhileKayakComes archives a store without kayaks while a kayak is
// being added, moved or restored there. The kayak must not get into the archived store.
func TestArchiveRentalStore_WhileKayakComes(t *testing.T) {
	for name, change := range map[string]func(ctx context.Context, a store.Access, token string) error{
		"add": func(ctx context.Context, a store.Access, token string) error {
			_, err := a.AddKayak(ctx, store.Kayak{StoreID: "old", Name: "Heron", DailyRate: store.MinorUnits(2500)}, token)
			return err
		},
		"move": func(ctx context.Context, a store.Access, token string) error {
			return a.MoveKayak(ctx, "k1", 1, "old", token)
		},
		"restore": func(ctx context.Context, a store.Access, token string) error {
			return a.RestoreKayak(ctx, "k2", 1, "", token)
		},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
				s := storetest.OpenTable(t, db, table, clock)
				all := []store.Entity{
					&store.RentalStore{ID: "old", Name: "Old", Version: 1}, &store.RentalStore{ID: "from", Name: "From", In: 1, Version: 1},
					&store.Kayak{ID: "k1", StoreID: "from", Name: "Heron 1", Status: store.KayakIn, Version: 1},
					&store.Kayak{ID: "k2", StoreID: "old", Name: "Heron 2", Status: store.KayakRetired, Version: 1},
				}
				if loaded, err := s.Load(t.Context(), all, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
					t.Fatal(err, loaded.Rejected)
				}
				boss := &store.User{Name: "admin", Role: store.Admin}
				r := &renaming{DB: db, rename: func() {
					old, err := s.As(boss).RentalStoreForChange(t.Context(), "old")
					if err == nil {
						err = s.As(boss).ArchiveRentalStore(t.Context(), store.Archiving{ID: "old", Version: old.Version, Token: s.NewToken()})
					}
					if err != nil {
						t.Error(err)
					}
				}}
				if err := change(t.Context(), storetest.OpenTable(t, r, table, clock).As(boss), s.NewToken()); store.KindOf(err) != store.Conflict {
					t.Errorf("got %v, want Conflict", err)
				}
				old, err := s.As(boss).RentalStoreForChange(t.Context(), "old")
				if err != nil || !old.Archived || old.Kayaks() > 0 {
					t.Errorf("got %+v, %v; want an archived store without kayaks", old, err)
				}
			})
		})
	}
}
