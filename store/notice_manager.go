package store

import (
	"context"
	"slices"
	"time"
)

func (u *User) getsNotices() bool {
	return u.Role == Manager && !u.Disabled && !u.NoNotices && u.Email != ""
}

// ManagersToNotify returns the managers who get daily notices, sorted by name.
func (s *Store) ManagersToNotify(ctx context.Context) ([]User, error) {
	users, err := s.Users(ctx)
	return slices.DeleteFunc(users, func(u User) bool { return !u.getsNotices() }), err
}

// ManagerNotice returns a manager's notice for a day. It lists low stock, and what is
// overdue or expected on this day, in the manager's warehouses and stores. The notice is
// empty if there is nothing to report, or if the user gets no notices. ManagerNotice reads
// the user again, because an admin may have locked the user or assigned other warehouses or
// stores.
func (s *Store) ManagerNotice(ctx context.Context, name string, day time.Time) (*Notice, error) {
	n := &Notice{Kind: EmailManagerNotice, Recipient: name, EmailNotice: EmailNotice{Day: day}}
	user, err := s.userForChange(ctx, name)
	if KindOf(err) == NotFound || err == nil && !user.getsNotices() {
		return n, nil
	}
	if err != nil {
		return n, err
	}
	n.To = user.Email
	own := s.As(user)
	var expected Notice // the sections about expected deliveries and kayaks come last
	if len(user.Warehouses) > 0 {
		err = own.addWarehouses(ctx, n, &expected)
	}
	if err == nil && len(user.Stores) > 0 {
		err = own.addStores(ctx, n, &expected)
	}
	n.Sections = append(n.Sections, expected.Sections...)
	return n, err
}

// addWarehouses adds the sections about the manager's warehouses. It makes at most three
// queries for each warehouse.
func (a Access) addWarehouses(ctx context.Context, n, expected *Notice) error {
	low, err := a.LowStock(ctx, a.user.Warehouses, Page{Limit: MaxNoticeRows})
	if err != nil {
		return err
	}
	var rows []NoticeRow
	for i := range low.Rows {
		item := &low.Rows[i]
		rows = append(rows, NoticeRow{Name: nameOrID(item.Name, item.ProductID), Place: item.WarehouseID, Quantity: item.Quantity})
	}
	n.add(NoticeLowStock, rows, low.Next != nil)

	deliveries, err := a.ExpectedDeliveries(ctx, DeliveryFilter{Warehouses: a.user.Warehouses, Until: n.Day}, Page{Limit: MaxLimit})
	if err != nil {
		return err
	}
	var late, today []NoticeRow
	for i := range deliveries.Rows {
		d := &deliveries.Rows[i]
		row := NoticeRow{Name: nameOrID(d.Name, d.ProductID), Place: d.WarehouseID, Quantity: d.Open(), Day: d.Due}
		if d.IsOverdue(n.Day) {
			late = append(late, row)
		} else {
			today = append(today, row)
		}
	}
	n.add(NoticeLateDeliveries, late, deliveries.Next != nil)
	expected.add(NoticeDeliveries, today, deliveries.Next != nil)

	transfers, err := a.Transfers(ctx, TransferFilter{Warehouses: a.user.Warehouses, LateOn: n.Day}, Page{Limit: MaxNoticeRows})
	if err != nil {
		return err
	}
	rows = nil
	for i := range transfers.Rows {
		t := &transfers.Rows[i]
		rows = append(rows, NoticeRow{Name: nameOrID(t.Name, t.ProductID), Place: t.TargetID, Quantity: t.InTransit(), Day: t.Sent})
	}
	n.add(NoticeLateTransfers, rows, transfers.Next != nil)
	return nil
}

// addStores adds the sections about the manager's stores. It makes one query for each
// store.
func (a Access) addStores(ctx context.Context, n, expected *Notice) error {
	due, err := a.RentalsDue(ctx, time.Time{}, n.Day, Page{Limit: MaxLimit})
	if err != nil {
		return err
	}
	var late, today []NoticeRow
	for i := range due.Rows {
		if r := &due.Rows[i]; r.Due.Before(n.Day) {
			late = append(late, r.noticeRow())
		} else {
			today = append(today, r.noticeRow())
		}
	}
	n.add(NoticeLateKayaks, late, false)
	expected.add(NoticeKayaks, today, false)
	return nil
}
