package storetest_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/storetest"
)

// transferring is a fixture for tests of transfers from w1 to w2. There are 14 of p07 in
// w1.
type transferring struct {
	*testing.T
	s     *store.Store
	admin store.Access
	clock *storetest.Clock
}

func transfer(t *testing.T, test func(*transferring)) {
	shops[2].OnEachEngine(t, func(t *testing.T, s *store.Store, clock *storetest.Clock) {
		test(&transferring{T: t, s: s, admin: s.As(admin), clock: clock})
	})
}

// sheet returns a transfer of p07 from w1 to w2.
func (f *transferring) sheet(pieces int) store.TransferSheet {
	return store.TransferSheet{SourceID: "w1", TargetID: "w2", Reason: "r", Token: f.s.NewToken(), Lines: []store.TransferLine{{ProductID: "p07", Quantity: pieces}}}
}

func (f *transferring) send(pieces int) store.Transfer {
	f.Helper()
	if err := f.admin.SendTransfer(f.Context(), f.sheet(pieces)); err != nil {
		f.Fatal(err)
	}
	l, err := f.admin.TransfersToStock(f.Context(), "p07", "w2", store.Page{})
	if err != nil || len(l.Rows) == 0 {
		f.Fatalf("got %d transfers, %v, want at least one", len(l.Rows), err)
	}
	return l.Rows[len(l.Rows)-1]
}

func (f *transferring) form(t store.Transfer) store.TransferForm {
	f.Helper()
	stored, err := f.admin.TransferForReceipt(f.Context(), t.ProductID, t.ID)
	if err != nil {
		f.Fatal(err)
	}
	return store.TransferForm{ProductID: t.ProductID, ID: t.ID, Seen: stored.Version, Token: f.s.NewToken(), Reason: "because"}
}

// require checks the stock of p07 in w1 and w2, the quantity in transit and the
// ledgers. It also runs the check of the business, of which it only uses the rules
// about transfers and stock quantities.
func (f *transferring) require(what string, source, target, transit int) {
	f.Helper()
	for warehouse, want := range map[string]int{"w1": source, "w2": target} {
		item := stockOf(f.T, f.admin, "p07", warehouse)
		if item.Quantity != want {
			f.Errorf("%s: got %d on hand in %s, want %d", what, item.Quantity, warehouse, want)
		}
		unbroken(f.T, ledger(f.T, f.admin, "p07", warehouse), item)
	}
	level, err := f.admin.StockLevelOf(f.Context(), "p07")
	if err != nil || level.Incoming != transit {
		f.Errorf("%s: got %d incoming, %v; want %d", what, level.Incoming, err, transit)
	}
	requireLevels(f.T, f.s)
	if _, err := f.s.CheckBusiness(f.Context(), store.BusinessCheck{Found: func(found store.CheckFinding) {
		if found.Rule == store.CheckTransfer || found.Rule == store.CheckTransferLedger || found.Rule == store.CheckStockQuantity {
			f.Errorf("%s: %s", what, found.Text)
		}
	}}); err != nil {
		f.Error(err)
	}
}

// TestTransfer_ReceivedInParts checks the stock while a transfer of ten pieces is
// received in parts, and after its last piece is written off.
func TestTransfer_ReceivedInParts(t *testing.T) {
	transfer(t, func(f *transferring) {
		sheet := f.sheet(10)
		for range 2 { // the second submission must change nothing
			if err := f.admin.SendTransfer(f.Context(), sheet); err != nil {
				f.Fatal(err)
			}
		}
		f.require("sent", 4, 0, 10)
		all, err := f.admin.TransfersOfProduct(f.Context(), "p07", store.Page{})
		if err != nil || len(all.Rows) != 1 {
			f.Fatalf("got %d transfers, %v; want 1", len(all.Rows), err)
		}
		sent := all.Rows[0]
		first := f.form(sent)
		first.Reason = ""
		for range 2 {
			if err := f.admin.ReceiveTransfer(f.Context(), first, 4, false); err != nil {
				f.Fatal(err)
			}
		}
		f.require("part received", 4, 4, 6)
		unexplained := f.form(sent)
		unexplained.Reason = " "
		if err := f.admin.ReceiveTransfer(f.Context(), unexplained, 5, true); store.KindOf(err) != store.Invalid || fieldOf(err) != "reason" {
			f.Errorf("a difference without a reason: got %v, want Invalid at reason", err)
		}
		if err := f.admin.ReceiveTransfer(f.Context(), f.form(sent), 5, true); err != nil {
			f.Fatal(err)
		}
		f.require("all received", 4, 9, 0)
		moves := ledger(f.T, f.admin, "p07", "w2")
		if got := fmt.Sprint(len(moves), moves[1].Delta, moves[2].Delta, " ", moves[2].Reason); got != "3 6 -1 Difference in transfer from Borås: because" {
			f.Errorf("got the ledger %s, want 6 received and 1 written off", got)
		}
		for what, err := range map[string]error{
			"receipt":      f.admin.ReceiveTransfer(f.Context(), f.form(sent), 1, false),
			"cancellation": f.admin.CancelTransfer(f.Context(), f.form(sent)),
			"old form":     f.admin.ReceiveTransfer(f.Context(), store.TransferForm{ProductID: "p07", ID: sent.ID, Seen: 1}, 1, false),
		} {
			if store.KindOf(err) != store.Conflict {
				f.Errorf("%s of a received transfer: got %v, want Conflict", what, err)
			}
		}
		if l, err := f.admin.Transfers(f.Context(), store.TransferFilter{Warehouses: []string{"w2"}}, store.Page{}); err != nil || len(l.Rows) != 0 {
			f.Errorf("got %d transfers in transit, %v; want none", len(l.Rows), err)
		}
	})
}

// TestTransfer_MoreOrNothingArrives checks the stock after a transfer of which more
// pieces arrive than were sent, and after one of which no pieces arrive.
func TestTransfer_MoreOrNothingArrives(t *testing.T) {
	transfer(t, func(f *transferring) {
		if err := f.admin.ReceiveTransfer(f.Context(), f.form(f.send(3)), 5, false); err != nil {
			f.Fatal(err)
		}
		f.require("more", 11, 5, 0)
		for want, last := range map[string]bool{"from 0 to": true, "from 1 to": false} {
			if err := f.admin.ReceiveTransfer(f.Context(), store.TransferForm{ProductID: "p07"}, -1, last); fieldOf(err) != "quantity" || !strings.Contains(err.Error(), want) {
				f.Errorf("-1, last %v: got %v, want an error of the quantity with %q", last, err, want)
			}
		}
		if err := f.admin.ReceiveTransfer(f.Context(), f.form(f.send(3)), 0, true); err != nil {
			f.Fatal(err)
		}
		f.require("nothing", 8, 5, 0)
	})
}

func TestTransfer_Cancelled(t *testing.T) {
	transfer(t, func(f *transferring) {
		sent := f.send(10)
		if err := f.admin.ReceiveTransfer(f.Context(), f.form(sent), 4, false); err != nil {
			f.Fatal(err)
		}
		form := f.form(sent)
		for range 2 {
			if err := f.admin.CancelTransfer(f.Context(), form); err != nil {
				f.Fatal(err)
			}
		}
		f.require("cancelled", 10, 4, 0)
	})
}

// TestTransfer_BothAtOnce receives and cancels a transfer at the same time. One of
// the two requests must get a conflict, and no piece may be lost.
func TestTransfer_BothAtOnce(t *testing.T) {
	transfer(t, func(f *transferring) {
		sent := f.send(10)
		forms := []store.TransferForm{f.form(sent), f.form(sent)}
		var received, cancelled error
		var both sync.WaitGroup
		both.Go(func() { received = f.admin.ReceiveTransfer(f.Context(), forms[0], 10, false) })
		both.Go(func() { cancelled = f.admin.CancelTransfer(f.Context(), forms[1]) })
		both.Wait()
		switch {
		case received == nil && store.KindOf(cancelled) == store.Conflict:
			f.require("received", 4, 10, 0)
		case cancelled == nil && store.KindOf(received) == store.Conflict:
			f.require("cancelled", 14, 0, 0)
		default:
			f.Errorf("got %v and %v, want one Conflict", received, cancelled)
		}
	})
}

// TestTransfer_LastPieces sends 10 of the 14 pieces twice at once. One of the two
// transfers must be rejected.
func TestTransfer_LastPieces(t *testing.T) {
	transfer(t, func(f *transferring) {
		errs := make([]error, 2)
		var both sync.WaitGroup
		for i := range errs {
			sheet := f.sheet(10)
			both.Go(func() { errs[i] = f.admin.SendTransfer(f.Context(), sheet) })
		}
		both.Wait()
		if (errs[0] == nil) == (errs[1] == nil) || store.KindOf(errs[0]) != store.Invalid && store.KindOf(errs[1]) != store.Invalid {
			f.Errorf("got %v and %v, want one Invalid", errs[0], errs[1])
		}
		f.require("sent once", 4, 0, 10)
	})
}

// TestTransfer_Managers checks that the manager of the source can send a transfer,
// and the manager of the target can receive it.
func TestTransfer_Managers(t *testing.T) {
	transfer(t, func(f *transferring) {
		sender := f.s.As(&store.User{Name: "a", Role: store.Manager, Warehouses: []string{"w1"}})
		receiver := f.s.As(&store.User{Name: "b", Role: store.Manager, Warehouses: []string{"w2"}})
		if err := receiver.SendTransfer(f.Context(), f.sheet(1)); store.KindOf(err) != store.NotFound {
			f.Errorf("sending from another warehouse: got %v, want NotFound", err)
		}
		targets, err := sender.TransferTargets(f.Context(), "w1")
		if err != nil || len(targets) < 2 {
			f.Errorf("got %d warehouses to send to, %v; want those of others, too", len(targets), err)
		}
		if _, err := sender.TransferTargets(f.Context(), "w2"); store.KindOf(err) != store.NotFound {
			f.Errorf("targets of another warehouse: got %v, want NotFound", err)
		}
		if err := sender.SendTransfer(f.Context(), f.sheet(6)); err != nil {
			f.Fatal(err)
		}
		l, err := sender.Transfers(f.Context(), store.TransferFilter{Warehouses: []string{"w1"}, FromThem: true}, store.Page{})
		if err != nil || len(l.Rows) != 1 {
			f.Fatalf("got %d transfers from w1, %v; want 1", len(l.Rows), err)
		}
		sent := l.Rows[0]
		for what, change := range map[string]func(context.Context) error{
			"receipt by the sender":        func(ctx context.Context) error { return sender.ReceiveTransfer(ctx, f.form(sent), 1, false) },
			"cancellation by the receiver": func(ctx context.Context) error { return receiver.CancelTransfer(ctx, f.form(sent)) },
		} {
			if err := change(f.Context()); store.KindOf(err) != store.NotFound {
				f.Errorf("%s: got %v, want NotFound", what, err)
			}
		}
		if err := receiver.ReceiveTransfer(f.Context(), f.form(sent), 6, false); err != nil {
			f.Fatal(err)
		}
		f.require("received", 8, 6, 0)
		events, err := f.s.As(admin).Events(f.Context(), store.EventFilter{About: "w#w1"}, store.Page{Limit: 1})
		if want := "6 pieces of 1 product"; err != nil || len(events.Rows) != 1 || events.Rows[0].After != want {
			f.Errorf("got events %+v, %v; want one with %q", events.Rows, err, want)
		}
	})
}

func TestTransfer_Rejected(t *testing.T) {
	transfer(t, func(f *transferring) {
		if loaded, err := f.s.Load(f.Context(), []store.Entity{&store.Warehouse{ID: "shut", Name: "Shut", Archived: true, Version: 1}}, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			f.Fatal(err, loaded.Rejected)
		}
		line := store.TransferLine{ProductID: "p07", Quantity: 1}
		for what, tt := range map[string]struct {
			to    string
			lines []store.TransferLine
			field string
		}{
			"same warehouse":     {"w1", []store.TransferLine{line}, "to"},
			"unknown warehouse":  {"none", []store.TransferLine{line}, "to"},
			"archived warehouse": {"shut", []store.TransferLine{line}, "to"},
			"too many":           {"w2", []store.TransferLine{{ProductID: "p07", Quantity: 15}}, "quantity-1"},
			"negative":           {"w2", []store.TransferLine{line, {ProductID: "p08", Quantity: -1}}, "quantity-2"},
			"no stock":           {"w2", []store.TransferLine{line, {ProductID: "p08", Quantity: 1}}, "quantity-2"},
			"unknown product":    {"w2", []store.TransferLine{line, {ProductID: "none", Quantity: 1}}, "quantity-2"},
			"twice":              {"w2", []store.TransferLine{line, line}, "quantity-2"},
			"nothing":            {"w2", []store.TransferLine{{ProductID: "p07"}}, store.FieldLines},
			"too many lines":     {"w2", make([]store.TransferLine, store.MaxTransferLines+1), store.FieldLines},
		} {
			err := f.admin.SendTransfer(f.Context(), store.TransferSheet{SourceID: "w1", TargetID: tt.to, Lines: tt.lines, Token: f.s.NewToken()})
			if store.KindOf(err) != store.Invalid || fieldOf(err) != tt.field {
				f.Errorf("%s: got %v at %q, want Invalid at %q", what, err, fieldOf(err), tt.field)
			}
		}
		f.require("rejected transfers", 14, 0, 0)
	})
}

// TestTransfer_Largest checks that a transfer with the maximum number of lines fits into
// one transaction.
func TestTransfer_Largest(t *testing.T) {
	transfer(t, func(f *transferring) {
		var entities []store.Entity
		sheet := store.TransferSheet{SourceID: "big", TargetID: "w2", Token: f.s.NewToken()}
		entities = append(entities, &store.Warehouse{ID: "big", Name: "Big", Version: 1})
		for n := range store.MaxTransferLines {
			id := fmt.Sprintf("p%02d", n)
			entities = append(entities, &store.WarehouseItem{ProductID: id, WarehouseID: "big", Quantity: 3, Version: 1})
			sheet.Lines = append(sheet.Lines, store.TransferLine{ProductID: id, Quantity: 3})
		}
		if loaded, err := f.s.Load(f.Context(), entities, store.LoadOptions{}); err != nil || len(loaded.Rejected) > 0 {
			f.Fatal(err, loaded.Rejected)
		}
		if err := f.admin.SendTransfer(f.Context(), sheet); err != nil {
			f.Fatal(err)
		}
		l, err := f.admin.Transfers(f.Context(), store.TransferFilter{Warehouses: []string{"w2"}}, store.Page{})
		if err != nil || len(l.Rows) != store.MaxTransferLines {
			f.Errorf("got %d transfers, %v; want %d", len(l.Rows), err, store.MaxTransferLines)
		}
		requireLevels(f.T, f.s)
	})
}

// TestTransfer_Overdue checks that the list of overdue transfers contains those that
// have been in transit for more than seven days.
func TestTransfer_Overdue(t *testing.T) {
	transfer(t, func(f *transferring) {
		f.send(1)
		for days, want := range map[int]int{7: 0, 8: 1} {
			today := storetest.Day(2026, time.November, 21).AddDate(0, 0, days)
			l, err := f.admin.Transfers(f.Context(), store.TransferFilter{Warehouses: []string{"w0", "w2"}, LateOn: today}, store.Page{})
			if err != nil || len(l.Rows) != want {
				f.Errorf("after %d days: got %d overdue transfers, %v; want %d", days, len(l.Rows), err, want)
			}
		}
	})
}
