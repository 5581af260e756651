package storetest_test

import (
	"fmt"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
	"stockroom/store/table"
)

// undoable is a change that can be undone.
type undoable struct {
	prepare func(u *undoTest) error // makes the changes that must come first; may be nil
	do      func(u *undoTest) error // makes the change itself
	then    func(u *undoTest) error // makes a later change that prevents the undo; nil if only a second undo is rejected
}

// undoTest is a shop whose changes are undone.
type undoTest struct {
	*testing.T
	store  *store.Store
	access store.Access
	order  string // the order that changeOrder changes
	buyer  string // the customer of new orders
}

func (u *undoTest) token() string { return u.store.NewToken() }

// edit returns a function that reads a record, changes it with set, and saves it.
func edit[T any](read func(store.Access, *undoTest) (*T, error), save func(store.Access, *undoTest, T) error, set func(*T)) func(*undoTest) error {
	return func(u *undoTest) error {
		t, err := read(u.access, u)
		if err != nil {
			return err
		}
		set(t)
		return save(u.access, u, *t)
	}
}

func customer(set func(*store.Customer)) func(*undoTest) error {
	return edit(func(a store.Access, u *undoTest) (*store.Customer, error) {
		return a.CustomerForChange(u.Context(), "c03")
	},
		func(a store.Access, u *undoTest, c store.Customer) error {
			return a.SaveCustomer(u.Context(), c, u.token())
		}, set)
}

func kayak(set func(*store.Kayak)) func(*undoTest) error {
	return edit(func(a store.Access, u *undoTest) (*store.Kayak, error) { return a.KayakForChange(u.Context(), "k10") },
		func(a store.Access, u *undoTest, k store.Kayak) error { return a.SaveKayak(u.Context(), k, u.token()) }, set)
}

// withKayak returns a change of the kayak k10, which is available at s1.
func withKayak(change func(u *undoTest, k *store.Kayak) error) func(*undoTest) error {
	return func(u *undoTest) error {
		k, err := u.access.KayakForChange(u.Context(), "k10")
		if err != nil {
			return err
		}
		return change(u, k)
	}
}

func stock(warehouseID string, change func(u *undoTest, f store.StockForm) error) func(*undoTest) error {
	return func(u *undoTest) error {
		item, err := u.access.StockItem(u.Context(), "p07", warehouseID)
		if err != nil {
			return err
		}
		return change(u, store.StockForm{ProductID: "p07", WarehouseID: warehouseID, Seen: item.Version, Token: u.token(), Reason: "because"})
	}
}

// ofSubscription returns a change of the subscription of customer c08, which is active.
func ofSubscription(change func(u *undoTest, f store.SubscriptionForm) error) func(*undoTest) error {
	return func(u *undoTest) error {
		listed, err := u.access.SubscriptionsOfAccount(u.Context(), "c08", store.Page{})
		if err != nil {
			return err
		}
		s := listed.Rows[0]
		return change(u, store.SubscriptionForm{AccountID: "c08", ID: s.ID, SKU: s.SKU, Version: s.Version, Token: u.token()})
	}
}

func terms(amount int64, day int) func(*undoTest) error {
	return ofSubscription(func(u *undoTest, f store.SubscriptionForm) error {
		return u.access.ChangeSubscription(u.Context(), f, day, store.MinorUnits(amount))
	})
}

func savedViews(u *undoTest) []store.SavedView {
	views, err := u.access.CurrentSavedViews(u.Context())
	if err != nil {
		u.Fatal(err)
	}
	return views.Own
}

// withView returns a change of the user's first view by name.
func withView(change func(u *undoTest, v store.SavedView) error) func(*undoTest) error {
	return func(u *undoTest) error { return change(u, savedViews(u)[0]) }
}

func renameView(name string) func(*undoTest) error {
	return withView(func(u *undoTest, v store.SavedView) error {
		return u.access.RenameView(u.Context(), false, v.ID, name, v.Version, u.token())
	})
}

func saveView(name string) func(*undoTest) error {
	return func(u *undoTest) error {
		return u.access.SaveView(u.Context(), store.SavedView{Name: name, Path: "/orders?status=OPEN"}, false, u.token())
	}
}

func inOrder(steps ...func(*undoTest) error) func(*undoTest) error {
	return func(u *undoTest) error {
		for _, step := range steps {
			if err := step(u); err != nil {
				return err
			}
		}
		return nil
	}
}

func archived(read func(*undoTest) (int, error), archive func(*undoTest, store.Archiving) error, id string, restore bool) func(*undoTest) error {
	return func(u *undoTest) error {
		version, err := read(u)
		if err != nil {
			return err
		}
		return archive(u, store.Archiving{ID: id, Restore: restore, Version: version, Why: "x", Token: u.token()})
	}
}

func archivedProduct(restore bool) func(*undoTest) error {
	return archived(func(u *undoTest) (int, error) {
		p, err := u.access.ProductForChange(u.Context(), "p07")
		return p.Version, err
	}, func(u *undoTest, how store.Archiving) error { return u.access.ArchiveProduct(u.Context(), how) }, "p07", restore)
}

func addQuiet(u *undoTest) error {
	_, err := u.store.Load(u.Context(), []store.Entity{&store.Customer{ID: "quiet", Name: "Quiet", Version: 1}}, store.LoadOptions{})
	return err
}

// closedCustomer returns a change that closes or reopens a customer without orders.
func closedCustomer(reopen bool) func(*undoTest) error {
	return archived(func(u *undoTest) (int, error) {
		if err := addQuiet(u); err != nil {
			return 0, err
		}
		c, err := u.access.CustomerForChange(u.Context(), "quiet")
		return c.Version, err
	}, func(u *undoTest, how store.Archiving) error { return u.access.CloseCustomer(u.Context(), how) }, "quiet", reopen)
}

func archivedCategory(restore bool) func(*undoTest) error {
	return archived(func(u *undoTest) (int, error) {
		r, err := u.access.CategoryForChange(u.Context(), "chairs")
		return r.Version, err
	}, func(u *undoTest, how store.Archiving) error { return u.access.ArchiveCategory(u.Context(), how) }, "chairs", restore)
}

func archivedWarehouse(restore bool) func(*undoTest) error {
	return archived(func(u *undoTest) (int, error) {
		w, err := u.access.WarehouseForChange(u.Context(), "w2")
		return w.Version, err
	}, func(u *undoTest, how store.Archiving) error { return u.access.ArchiveWarehouse(u.Context(), how) }, "w2", restore)
}

func archivedStore(restore bool) func(*undoTest) error {
	return archived(func(u *undoTest) (int, error) {
		s, err := u.access.RentalStoreForChange(u.Context(), "s9")
		return s.Version, err
	}, func(u *undoTest, how store.Archiving) error { return u.access.ArchiveRentalStore(u.Context(), how) }, "s9", restore)
}

// Changes that undoables uses several times, some of them to prepare other changes.
var (
	editProduct = func(set func(*store.Product)) func(*undoTest) error {
		return edit(func(a store.Access, u *undoTest) (*store.Product, error) {
			return a.ProductForChange(u.Context(), "p07")
		},
			func(a store.Access, u *undoTest, p store.Product) error {
				return a.SaveProduct(u.Context(), p, u.token())
			}, set)
	}
	repair = withKayak(func(u *undoTest, k *store.Kayak) error {
		return u.access.Repair(u.Context(), k.ID, k.Version, "leaks", u.token())
	})
	repaired = withKayak(func(u *undoTest, k *store.Kayak) error {
		return u.access.CompleteRepair(u.Context(), k.ID, k.Version, "", u.token())
	})
	retire = withKayak(func(u *undoTest, k *store.Kayak) error {
		return u.access.Retire(u.Context(), k.ID, k.Version, "old", u.token())
	})
	restore = withKayak(func(u *undoTest, k *store.Kayak) error {
		return u.access.RestoreKayak(u.Context(), k.ID, k.Version, "", u.token())
	})
	moveTo = func(storeID string) func(*undoTest) error {
		return withKayak(func(u *undoTest, k *store.Kayak) error {
			return u.access.MoveKayak(u.Context(), k.ID, k.Version, storeID, u.token())
		})
	}
	count = func(n int) func(*undoTest) error {
		return stock("w0", func(u *undoTest, f store.StockForm) error { return u.access.CountStock(u.Context(), f, n) })
	}
	adjust = func(n int) func(*undoTest) error {
		return stock("w0", func(u *undoTest, f store.StockForm) error { return u.access.AdjustStock(u.Context(), f, n) })
	}
	reorder = func(n int, bin string) func(*undoTest) error {
		return stock("w0", func(u *undoTest, f store.StockForm) error { return u.access.SetReorderPoint(u.Context(), f, n, bin) })
	}
	pause  = ofSubscription(func(u *undoTest, f store.SubscriptionForm) error { return u.access.PauseSubscription(u.Context(), f) })
	resume = ofSubscription(func(u *undoTest, f store.SubscriptionForm) error { return u.access.ResumeSubscription(u.Context(), f) })
	cancel = ofSubscription(func(u *undoTest, f store.SubscriptionForm) error {
		return u.access.CancelSubscription(u.Context(), f, "x")
	})
	end = ofSubscription(func(u *undoTest, f store.SubscriptionForm) error {
		return u.access.EndSubscription(u.Context(), f, "x")
	})
	keep   = ofSubscription(func(u *undoTest, f store.SubscriptionForm) error { return u.access.KeepSubscription(u.Context(), f) })
	skip   = ofSubscription(func(u *undoTest, f store.SubscriptionForm) error { return u.access.SkipPayment(u.Context(), f, "x") })
	target = func(amount int64) func(*undoTest) error {
		period := store.QuarterOf(storetest.Now)
		return func(u *undoTest) error {
			q, err := u.access.QuotaForChange(u.Context(), "e00", period)
			if err != nil {
				return err
			}
			q.Version, q.Target = q.FormVersion(), store.MinorUnits(amount)
			return u.access.SaveTarget(u.Context(), *q, u.token())
		}
	}
	note = func(u *undoTest) error { return u.access.NoteOnOrder(u.Context(), "unshipped", evilText, u.token()) }
)

// evilText is text that would break a format that does not quote its values.
const evilText = "Åsa, – → \"x\"; <b>{\"n\":1}</b> #1, next on 2026-11-21"

// undoables has a change for each event code that can be undone.
var undoables = map[store.EventCode]undoable{
	store.EventCustomerEdited: {nil, customer(func(c *store.Customer) {
		c.Name, c.Phones, c.Address.Street, c.AccountRepID = evilText, []string{"+46 70 111 22 33", "+46 8 111 22 33"}, evilText, ""
	}), customer(func(c *store.Customer) { c.Name = "Other" })},
	store.EventProductEdited: {
		nil,
		editProduct(func(p *store.Product) {
			p.Name, p.Price, p.Description, p.Weight = evilText, store.MinorUnits(1234), strings.Repeat("long, ", 100)+"\nend", 12
		}),
		editProduct(func(p *store.Product) { p.Price = store.MinorUnits(1) }),
	},
	store.EventEmployeeEdited: {
		nil,
		edit(func(a store.Access, u *undoTest) (*store.Employee, error) {
			return a.EmployeeForChange(u.Context(), "e03")
		},
			func(a store.Access, u *undoTest, e store.Employee) error {
				return a.SaveEmployee(u.Context(), e, u.token())
			},
			func(e *store.Employee) {
				e.Name, e.JobID, e.Phones, e.Address.City = evilText, storetest.AccountRep, nil, "Malmö"
			}),
		edit(func(a store.Access, u *undoTest) (*store.Employee, error) {
			return a.EmployeeForChange(u.Context(), "e03")
		},
			func(a store.Access, u *undoTest, e store.Employee) error {
				return a.SaveEmployee(u.Context(), e, u.token())
			},
			func(e *store.Employee) { e.Address.City = "Lund" }),
	},
	store.EventPersonEdited: {
		nil,
		edit(func(a store.Access, u *undoTest) (*store.Person, error) { return a.PersonForChange(u.Context(), "pp0") },
			func(a store.Access, u *undoTest, p store.Person) error {
				return a.SavePerson(u.Context(), p, u.token())
			},
			func(p *store.Person) { p.Name, p.Email = "New", "new@example.com" }),
		edit(func(a store.Access, u *undoTest) (*store.Person, error) { return a.PersonForChange(u.Context(), "pp0") },
			func(a store.Access, u *undoTest, p store.Person) error {
				return a.SavePerson(u.Context(), p, u.token())
			},
			func(p *store.Person) { p.Email = "newer@example.com" }),
	},
	store.EventWarehouseEdited: {
		nil,
		edit(func(a store.Access, u *undoTest) (*store.Warehouse, error) {
			return a.WarehouseForChange(u.Context(), "w0")
		},
			func(a store.Access, u *undoTest, w store.Warehouse) error {
				return a.SaveWarehouse(u.Context(), w, u.token())
			},
			func(w *store.Warehouse) { w.Name, w.Address.City = evilText, "Lund" }),
		edit(func(a store.Access, u *undoTest) (*store.Warehouse, error) {
			return a.WarehouseForChange(u.Context(), "w0")
		},
			func(a store.Access, u *undoTest, w store.Warehouse) error {
				return a.SaveWarehouse(u.Context(), w, u.token())
			},
			func(w *store.Warehouse) { w.Name = "Other" }),
	},
	store.EventStoreEdited: {
		nil,
		edit(func(a store.Access, u *undoTest) (*store.RentalStore, error) {
			return a.RentalStoreForChange(u.Context(), "s1")
		}, saveStore,
			func(s *store.RentalStore) { s.Version, s.Name = s.FormVersion(), evilText }),
		edit(func(a store.Access, u *undoTest) (*store.RentalStore, error) {
			return a.RentalStoreForChange(u.Context(), "s1")
		}, saveStore,
			func(s *store.RentalStore) { s.Version, s.Name = s.FormVersion(), "Other" }),
	},
	store.EventReferenceEdited: {
		nil,
		edit(func(a store.Access, u *undoTest) (*store.Reference, error) {
			return a.ReferenceForChange(u.Context(), store.Country, "co1")
		},
			func(a store.Access, u *undoTest, r store.Reference) error {
				return a.SaveReference(u.Context(), r, u.token())
			},
			func(r *store.Reference) { r.Name, r.ParentID = evilText, "r2" }),
		edit(func(a store.Access, u *undoTest) (*store.Reference, error) {
			return a.ReferenceForChange(u.Context(), store.Country, "co1")
		},
			func(a store.Access, u *undoTest, r store.Reference) error {
				return a.SaveReference(u.Context(), r, u.token())
			},
			func(r *store.Reference) { r.ParentID = "" }),
	},
	store.EventOrderAddressEdited: {nil, shipTo("Malmö"), shipTo("Kalmar")},
	store.EventDeliveryEdited:     {expected, expectedPieces(7), expectedPieces(9)},
	store.EventQuotaTargetSet:     {nil, target(12_34), target(56_78)},
	store.EventKayakEdited: {
		nil,
		kayak(func(k *store.Kayak) { k.Name, k.DailyRate = evilText, store.MinorUnits(1) }),
		kayak(func(k *store.Kayak) { k.DailyRate = store.MinorUnits(2) }),
	},

	store.EventReorderPointSet: {nil, reorder(0, "A-1, B"), reorder(3, "")},
	store.EventStockAdjusted:   {nil, adjust(5), inOrder(adjust(-2), count(3))},
	store.EventStockCounted:    {nil, count(3), count(4)},
	store.EventStockReceived: {
		nil,
		stock("w0", func(u *undoTest, f store.StockForm) error { return u.access.ReceiveStock(u.Context(), f, 5) }),
		adjust(-17),
	},
	store.EventStockTransferred: {
		nil,
		stock("w0", func(u *undoTest, f store.StockForm) error { return u.access.TransferStock(u.Context(), f, "w1", 4) }),
		stock("w1", func(u *undoTest, f store.StockForm) error { return u.access.CountStock(u.Context(), f, 1) }),
	},

	store.EventNote:          {do: note},
	store.EventNoteWithdrawn: {prepare: note, do: undoLast},

	store.EventViewSaved:   {nil, saveView("One"), renameView("Two")},
	store.EventViewRenamed: {saveView("One"), renameView("Two"), renameView("Three")},
	store.EventViewDeleted: {prepare: saveView("One"), do: withView(func(u *undoTest, v store.SavedView) error {
		return u.access.DeleteView(u.Context(), false, v.ID, v.Version, u.token())
	})},

	store.EventKayakMoved:         {nil, moveTo("s0"), moveTo("s2")},
	store.EventKayakRepairStarted: {nil, repair, repaired},
	store.EventKayakRepaired:      {repair, repaired, retire},
	store.EventKayakRetired:       {repair, retire, restore},
	store.EventKayakRestored:      {retire, restore, repair},

	store.EventCustomerClosed:    {addQuiet, closedCustomer(false), closedCustomer(true)},
	store.EventCustomerReopened:  {closedCustomer(false), closedCustomer(true), closedCustomer(false)},
	store.EventCategoryArchived:  {nil, archivedCategory(false), archivedCategory(true)},
	store.EventCategoryRestored:  {archivedCategory(false), archivedCategory(true), archivedCategory(false)},
	store.EventProductArchived:   {nil, archivedProduct(false), archivedProduct(true)},
	store.EventProductRestored:   {archivedProduct(false), archivedProduct(true), archivedProduct(false)},
	store.EventWarehouseArchived: {nil, archivedWarehouse(false), archivedWarehouse(true)},
	store.EventWarehouseRestored: {archivedWarehouse(false), archivedWarehouse(true), archivedWarehouse(false)},
	store.EventStoreArchived:     {nil, archivedStore(false), archivedStore(true)},
	store.EventStoreRestored:     {archivedStore(false), archivedStore(true), archivedStore(false)},

	store.EventSubscriptionChanged:   {nil, terms(5_00, 1), terms(6_00, 2)},
	store.EventSubscriptionPaused:    {nil, pause, resume},
	store.EventSubscriptionResumed:   {pause, resume, pause},
	store.EventSubscriptionCancelled: {do: cancel},
	store.EventSubscriptionEnding:    {nil, end, keep},
	store.EventSubscriptionKept:      {end, keep, end},
	store.EventPaymentSkipped:        {nil, skip, skip},
}

func saveStore(a store.Access, u *undoTest, s store.RentalStore) error {
	return a.SaveRentalStore(u.Context(), s, u.token())
}

func shipTo(city string) func(*undoTest) error {
	return edit(func(a store.Access, u *undoTest) (*store.Order, error) {
		return a.ShipToForChange(u.Context(), "unshipped")
	},
		func(a store.Access, u *undoTest, o store.Order) error { return a.SaveShipTo(u.Context(), o, u.token()) },
		func(o *store.Order) { o.ShipTo.City, o.ShipTo.Street = city, evilText })
}

// expected adds an expected delivery.
func expected(u *undoTest) error {
	_, err := u.access.AddDelivery(u.Context(), store.ExpectedDelivery{ProductID: "p07", WarehouseID: "w0", Quantity: 5, Due: storetest.Day(2026, time.December, 1)}, u.token())
	return err
}

func expectedPieces(n int) func(*undoTest) error {
	return func(u *undoTest) error {
		listed, err := u.access.DeliveriesOfStock(u.Context(), "p07", "w0", store.Page{})
		if err != nil {
			return err
		}
		d := listed.Rows[0]
		d.Quantity, d.Supplier = n, evilText
		return u.access.SaveDelivery(u.Context(), d, u.token())
	}
}

func undoLast(u *undoTest) error {
	e := u.newest()
	return u.undo(e)
}

func (u *undoTest) undo(e *store.Event) error {
	plan, err := u.access.PlanUndo(u.Context(), e.Partition, e.ID)
	if err != nil {
		return err
	}
	return u.access.Undo(u.Context(), store.UndoForm{Partition: e.Partition, ID: e.ID, Seen: plan.Seen, Token: u.token()})
}

func (u *undoTest) events() []*store.Event {
	u.Helper()
	var events []*store.Event
	u.each(func(_ store.Item, e store.Entity) {
		if event, ok := e.(*store.Event); ok {
			events = append(events, event)
		}
	})
	slices.SortFunc(events, func(a, b *store.Event) int { return strings.Compare(a.ID, b.ID) })
	return events
}

func (u *undoTest) newest() *store.Event {
	u.Helper()
	events := u.events()
	return events[len(events)-1]
}

// state returns the entities as text, by key, without their versions. It leaves out the
// history and the ledger, and adds up the items of each total and each stock level.
func (u *undoTest) state() map[string]string {
	u.Helper()
	state, sums, amounts := map[string]string{}, map[string]int{}, map[string]store.Sum{}
	u.each(func(item store.Item, e store.Entity) {
		switch e := e.(type) {
		case *store.Event, *store.StockMove:
			return
		case *store.StockCount: // each change adds to any one of several items
			for name, n := range map[string]int{"on hand": e.OnHand, "committed": e.Committed, "incoming": e.Incoming} {
				sums["stock level of "+e.ProductID+", "+name] += n
			}
			return
		case *store.Total:
			sums[string(e.Kind)+" on "+e.Day.Format(time.DateOnly)] += e.Count
			amount := "amount " + string(e.Kind) + " on " + e.Day.Format(time.DateOnly)
			amounts[amount] = amounts[amount].Plus(e.Amount)
			return
		}
		if v := reflect.ValueOf(e).Elem().FieldByName("Version"); v.IsValid() && v.CanSet() {
			v.SetInt(0)
		}
		state[table.TextOf(item, table.AttrPK)+" "+table.TextOf(item, table.AttrSK)] = fmt.Sprintf("%+v", reflect.ValueOf(e).Elem().Interface())
	})
	for name, n := range sums {
		if n != 0 {
			state[name] = fmt.Sprint(n)
		}
	}
	for name, sum := range amounts {
		if text := sum.String(); text != "0" {
			state[name] = text
		}
	}
	return state
}

func (u *undoTest) each(visit func(store.Item, store.Entity)) {
	u.Helper()
	var mu sync.Mutex // Store.Everything calls the function concurrently
	err := u.store.Everything(u.Context(), func(items []store.Item) error {
		mu.Lock()
		defer mu.Unlock()
		for _, item := range items {
			e, err := store.Decode(item)
			if err != nil {
				return err
			}
			visit(item, e)
		}
		return nil
	})
	if err != nil {
		u.Fatal(err)
	}
}

// same fails the test if the states differ.
func (u *undoTest) same(what string, got, want map[string]string) {
	u.Helper()
	keys := slices.Sorted(maps.Keys(want))
	for k := range got {
		if _, ok := want[k]; !ok {
			keys = append(keys, k)
		}
	}
	for _, k := range keys {
		if got[k] != want[k] {
			u.Errorf("%s: %s: got\n%s\nwant\n%s", what, k, got[k], want[k])
		}
	}
}

// undoImage is a part of the shop with the records that undoables change.
var undoImage = storetest.NewImage(func(t testing.TB, s *store.Store) {
	shop := storetest.NewShop()
	all := slices.DeleteFunc(shop.Entities(), func(e store.Entity) bool {
		switch e := e.(type) {
		case *store.Warehouse, *store.Reference, *store.Employee, *store.Quota, *store.RentalStore:
			return false
		case *store.Product:
			return e.ID != "p07"
		case *store.WarehouseItem:
			return e.ProductID != "p07"
		case *store.Customer:
			return !slices.Contains([]string{"c01", "c03", "c08"}, e.ID)
		case *store.Subscription:
			return e.AccountID != "c08"
		case *store.Kayak:
			return e.ID != "k10"
		case *store.Person:
			return e.ID != "pp0"
		}
		return true
	})
	loadUndoable(t, s, all)
})

// loadUndoable loads these entities, an order that is not shipped and a store without
// kayaks.
func loadUndoable(t testing.TB, s *store.Store, all []store.Entity) {
	t.Helper()
	all = append(all,
		&store.RentalStore{ID: "s9", Name: "Empty", Version: 1},
		&store.Order{
			ID: "unshipped", CustomerID: "c01", CustomerName: "Åsa", Date: storetest.Now, Status: store.OrderOpen,
			Total: store.MinorUnits(107), ItemCount: 1, ShipTo: store.Address{City: "Lund"}, Version: 1,
		},
		&store.OrderItem{
			OrderID: "unshipped", ProductID: "p07", CustomerID: "c01", Date: storetest.Now, Name: "c-product 7",
			Price: store.MinorUnits(107), Quantity: 1, Version: 1,
		},
	)
	if loaded, err := s.Load(t.Context(), all, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
		t.Fatal(err, loaded.Rejected)
	}
}

func onUndoShop(t *testing.T, test func(u *undoTest)) {
	t.Helper()
	undoImage.OnEachEngine(t, func(t *testing.T, s *store.Store, _ *storetest.Clock) {
		test(&undoTest{T: t, store: s, access: s.As(admin)})
	})
}

// TestUndo_RestoresTheState makes each change that can be undone, undoes it, and undoes
// the undo. The first undo must restore the state before the change, and the second undo
// the state after it.
func TestUndo_RestoresTheState(t *testing.T) {
	for _, code := range slices.Sorted(maps.Keys(undoables)) {
		t.Run(string(code), func(t *testing.T) {
			onUndoShop(t, func(u *undoTest) {
				before, e, after := u.doOnce(code)
				if e.What != code {
					u.Fatalf("got the event %s, want %s", e.What, code)
				}
				if err := u.undo(e); err != nil {
					u.Fatalf("undo: got %v, want no error", err)
				}
				u.same("after undo", u.state(), before)
				undone := u.newest()
				if undone.Undoes != e.ID || undone.By != admin.Name {
					u.Errorf("got an undo of %q by %q, want of %q", undone.Undoes, undone.By, e.ID)
				}
				u.ledgerAgrees()
				if first, err := u.access.PlanUndo(u.Context(), e.Partition, e.ID); err != nil || first.Refusal == "" || first.Event.UndoneBy != admin.Name || !first.Event.Undone.Equal(undone.When) {
					u.Errorf("got %+v, %v, want an event that was undone at %v", first, err, undone.When)
				}
				if err := u.undo(e); store.KindOf(err) != store.Conflict {
					u.Errorf("second undo: got %v, want Conflict", err)
				}
				if err := u.undo(undone); err != nil {
					u.Fatalf("undo of the undo: got %v, want no error", err)
				}
				u.same("after undo of the undo", u.state(), after)
				u.ledgerAgrees()
			})
		})
	}
}

// doOnce prepares and makes the change with this event code. It returns the state before
// the change, the event, and the state after the change.
func (u *undoTest) doOnce(code store.EventCode) (before map[string]string, e *store.Event, after map[string]string) {
	u.Helper()
	if prepare := undoables[code].prepare; prepare != nil {
		if err := prepare(u); err != nil {
			u.Fatalf("preparation: got %v, want no error", err)
		}
	}
	before = u.state()
	if err := undoables[code].do(u); err != nil {
		u.Fatalf("change: got %v, want no error", err)
	}
	return before, u.newest(), u.state()
}

// TestUndo_RestoresImportedValues edits values that an import stored but a form rejects, and
// undoes the edits.
func TestUndo_RestoresImportedValues(t *testing.T) {
	for name, tt := range map[string]struct {
		imported store.Customer
		set      func(*store.Customer)
	}{
		"phone": {store.Customer{Name: "Kim Ek", Phones: []string{"ask at the office"}}, func(c *store.Customer) { c.Phones = []string{"070 555 01 42"} }},
		"email": {store.Customer{Name: "Kim Ek", Email: "kim at example.com"}, func(c *store.Customer) { c.Email = "kim@example.com" }},
		"name":  {store.Customer{Email: "kim@example.com"}, func(c *store.Customer) { c.Name = "Kim Ek" }},
	} {
		t.Run(name, func(t *testing.T) {
			onUndoShop(t, func(u *undoTest) {
				imported := tt.imported
				imported.ID, imported.Version = "imported", 1
				if loaded, err := u.store.Load(u.Context(), []store.Entity{&imported}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
					u.Fatal(err, loaded.Rejected)
				}
				before, err := u.access.CustomerForChange(u.Context(), "imported")
				if err != nil {
					u.Fatal(err)
				}
				edited := *before
				if tt.set(&edited); u.access.SaveCustomer(u.Context(), edited, u.token()) != nil {
					u.Fatal("got an error for the edit, want none")
				}
				if err := u.undo(u.newest()); err != nil {
					u.Errorf("undo: got %v, want no error", err)
				}
				after, err := u.access.CustomerForChange(u.Context(), "imported")
				if err != nil {
					u.Fatal(err)
				}
				if after.Name != before.Name || after.Email != before.Email || !slices.Equal(after.Phones, before.Phones) {
					u.Errorf("got %+v after the undo, want %+v", after, before)
				}
			})
		})
	}
}

// TestUndo_FirstAddress adds the delivery address of an order that has none, and undoes this.
func TestUndo_FirstAddress(t *testing.T) {
	onUndoShop(t, func(u *undoTest) {
		bare := &store.Order{ID: "bare", CustomerID: "c01", Date: storetest.Now, Status: store.OrderOpen, Total: store.MinorUnits(107), ItemCount: 1, Version: 1}
		item := &store.OrderItem{OrderID: "bare", ProductID: "p07", CustomerID: "c01", Date: storetest.Now, Price: store.MinorUnits(107), Quantity: 1, Version: 1}
		if loaded, err := u.store.Load(t.Context(), []store.Entity{bare, item}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			u.Fatal(err, loaded.Rejected)
		}
		o, err := u.access.ShipToForChange(t.Context(), "bare")
		if err != nil {
			u.Fatal(err)
		}
		o.ShipTo.City = "Lund"
		if err := u.access.SaveShipTo(t.Context(), *o, u.token()); err != nil {
			u.Fatal(err)
		}
		if err := u.undo(u.newest()); err != nil {
			u.Fatalf("undo: got %v, want no error", err)
		}
		if o, err = u.access.ShipToForChange(t.Context(), "bare"); err != nil || o.ShipTo != (store.Address{}) {
			u.Errorf("got address %+v, %v, want none", o.ShipTo, err)
		}
	})
}

// ledgerAgrees fails the test unless the entries of the ledgers of p07 follow each
// other, and the last entries agree with the stock.
func (u *undoTest) ledgerAgrees() {
	u.Helper()
	for _, w := range []string{"w0", "w1"} {
		moves := ledger(u.T, u.access, "p07", w)
		for i := range moves {
			if i > 0 && moves[i].From != moves[i-1].To || moves[i].To-moves[i].From != moves[i].Delta {
				u.Errorf("%s: got the ledger entry %+v after %+v, want entries that start where the previous one ended", w, moves[i], moves[max(0, i-1)])
			}
		}
		if item := stockOf(u.T, u.access, "p07", w); len(moves) > 0 && moves[len(moves)-1].To != item.Quantity {
			u.Errorf("%s: got %d in stock, want %d as in the ledger", w, item.Quantity, moves[len(moves)-1].To)
		}
	}
}

// TestUndo_RefusesConflicts checks that an undo is refused after a later change that
// prevents it.
func TestUndo_RefusesConflicts(t *testing.T) {
	for _, code := range slices.Sorted(maps.Keys(undoables)) {
		if undoables[code].then == nil {
			continue
		}
		t.Run(string(code), func(t *testing.T) {
			onUndoShop(t, func(u *undoTest) {
				_, e, _ := u.doOnce(code)
				plan, err := u.access.PlanUndo(u.Context(), e.Partition, e.ID)
				if err != nil || plan.Refusal != "" {
					u.Fatalf("got %+v, %v before the later change, want a plan", plan, err)
				}
				form := store.UndoForm{Partition: e.Partition, ID: e.ID, Seen: plan.Seen, Token: u.token()}
				if err := undoables[code].then(u); err != nil {
					u.Fatalf("later change: got %v, want no error", err)
				}
				state := u.state()
				if err := u.access.Undo(u.Context(), form); store.KindOf(err) != store.Conflict {
					u.Errorf("got %v, want Conflict", err)
				}
				u.same("after the refusal", u.state(), state)
				plan, err = u.access.PlanUndo(u.Context(), e.Partition, e.ID)
				if err != nil || plan.Refusal == "" {
					u.Fatalf("got %+v, %v, want a refusal", plan, err)
				}
				if !slices.ContainsFunc(plan.Values, func(v store.UndoValue) bool { return v.Conflict && v.Done != v.Now }) {
					u.Errorf("got the values %+v, want one that differs from that of the change", plan.Values)
				}
			})
		})
	}
}

// TestUndo_CoversEveryReversibleEvent checks that every event code in the source code is
// either in undoables or has a specific reason why it cannot be undone.
func TestUndo_CoversEveryReversibleEvent(t *testing.T) {
	source, err := os.ReadFile("../event_code.go")
	if err != nil {
		t.Fatal(err)
	}
	codes := regexp.MustCompile(`EventCode = "([^"]+)"`).FindAllStringSubmatch(string(source), -1)
	if len(codes) < 100 {
		t.Fatalf("got %d codes, want all", len(codes))
	}
	for _, found := range codes {
		e := store.Event{What: store.EventCode(found[1]), Values: "[]"}
		_, tested := undoables[e.What]
		if why := e.WhyNotUndone(); (why == "") != tested {
			t.Errorf("%s: got a test: %v, and the reason %q; want one of the two", e.What, tested, why)
		}
		if why := e.WhyNotUndone(); strings.Contains(why, "exact values from before") {
			t.Errorf("%s: got the general reason, want an undo or a specific reason", e.What)
		}
	}
}

// TestUndo_OnceForManyForms checks that a change is undone only once if several forms
// undo it at the same time.
func TestUndo_OnceForManyForms(t *testing.T) {
	onUndoShop(t, func(u *undoTest) {
		before, e, _ := u.doOnce(store.EventStockAdjusted)
		plan, err := u.access.PlanUndo(u.Context(), e.Partition, e.ID)
		if err != nil {
			u.Fatal(err)
		}
		const n = 8
		results := make([]error, n)
		var forms sync.WaitGroup
		for i := range n {
			forms.Go(func() {
				results[i] = u.access.Undo(u.Context(), store.UndoForm{Partition: e.Partition, ID: e.ID, Seen: plan.Seen, Token: u.token()})
			})
		}
		forms.Wait()
		done := 0
		for _, err := range results {
			if err == nil {
				done++
			} else if store.KindOf(err) != store.Conflict && store.KindOf(err) != store.Busy {
				u.Errorf("got %v, want Conflict", err)
			}
		}
		if done != 1 {
			u.Errorf("got %d forms that undid the change, want 1", done)
		}
		u.same("after the undos", u.state(), before)
		u.ledgerAgrees()
	})
}

// TestUndo_RepeatedForm checks that a form that is submitted twice, as by a double click,
// undoes the change once.
func TestUndo_RepeatedForm(t *testing.T) {
	for _, code := range []store.EventCode{store.EventStockAdjusted, store.EventProductEdited, store.EventNote, store.EventKayakMoved, store.EventStoreEdited} {
		t.Run(string(code), func(t *testing.T) {
			onUndoShop(t, func(u *undoTest) {
				before, e, _ := u.doOnce(code)
				plan, err := u.access.PlanUndo(u.Context(), e.Partition, e.ID)
				if err != nil {
					u.Fatal(err)
				}
				form := store.UndoForm{Partition: e.Partition, ID: e.ID, Seen: plan.Seen, Token: u.token()}
				for range 2 {
					if err := u.access.Undo(u.Context(), form); err != nil {
						u.Fatal(err)
					}
				}
				u.same("after both", u.state(), before)
			})
		})
	}
}

// TestUndo_KeepsSeals undoes a change of a sealed day. The seal must stay valid, although
// the change is then marked as undone.
func TestUndo_KeepsSeals(t *testing.T) {
	h := newHistory(t)
	events := h.add(30)
	boss := h.store.As(admin)
	account := events[len(events)-1]
	if _, err := h.store.Load(t.Context(), []store.Entity{&store.Customer{ID: strings.TrimPrefix(account.Partition, "c#"), Name: "Åsa", Version: 1}}, store.LoadOptions{}); err != nil {
		t.Fatal(err)
	}
	plan, err := boss.PlanUndo(t.Context(), account.Partition, account.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := boss.Undo(t.Context(), store.UndoForm{Partition: account.Partition, ID: account.ID, Seen: plan.Seen, Token: h.store.NewToken()}); err != nil {
		t.Fatal(err)
	}
	if plan, err = boss.PlanUndo(t.Context(), account.Partition, account.ID); err != nil || plan.Event.UndoneBy != admin.Name {
		t.Fatalf("got %+v, %v, want an event that was undone", plan, err)
	}
	h.want()
}

// TestUndo_RestoredCount undoes a stock count, undoes the undo, and repeats this. The
// adjustment before the count can be undone only while the count is undone.
func TestUndo_RestoredCount(t *testing.T) {
	onUndoShop(t, func(u *undoTest) {
		if err := adjust(5)(u); err != nil {
			u.Fatal(err)
		}
		adjusted := u.newest()
		if err := count(30)(u); err != nil {
			u.Fatal(err)
		}
		for i := range 4 {
			isCounted := i%2 == 0
			if plan, err := u.access.PlanUndo(u.Context(), adjusted.Partition, adjusted.ID); err != nil || (plan.Refusal != "") != isCounted {
				u.Errorf("after %d undos of the count: got %+v, %v; want a refusal: %v", i, plan, err, isCounted)
			}
			if err := u.undo(u.newest()); err != nil {
				u.Fatal(err)
			}
		}
	})
}

// TestUndo_PauseAfterDecline pauses a subscription while an attempt is pending. After the
// attempt was declined, undoing the pause must make the subscription past due.
func TestUndo_PauseAfterDecline(t *testing.T) {
	onUndoShop(t, func(u *undoTest) {
		b, err := u.access.BillingOf(u.Context(), "c08")
		if err != nil {
			u.Fatal(err)
		}
		s := &b.Subscriptions[0]
		run := store.RunContext{Job: store.PaymentsJob, Date: s.NextPaymentDate}
		attempted, err := u.store.RecordAttempt(u.Context(), s, store.ServiceRecord, run)
		if err != nil {
			u.Fatal(err)
		}
		pause := ofSubscription(func(u *undoTest, f store.SubscriptionForm) error { return u.access.PauseSubscription(u.Context(), f) })
		if err := pause(u); err != nil {
			u.Fatal(err)
		}
		paused := u.newest()
		if _, err := u.store.RecordDecline(u.Context(), attempted, "card expired", run); err != nil {
			u.Fatal(err)
		}
		if err := u.undo(paused); err != nil {
			u.Fatalf("undo of the pause: got %v, want no error", err)
		}
		got, err := u.access.Subscription(u.Context(), "c08", s.ID, s.SKU)
		if err != nil || got.Status != store.SubscriptionPastDue || got.Attempt != 1 || !got.HasOpenPayment() {
			u.Errorf("got %+v, %v, want a past due subscription with one declined attempt", got, err)
		}
	})
}
