package handlers

import (
	"time"

	"stockroom/store"
	"stockroom/views"
)

func readPastCustomer(r *request, ids []string, at time.Time) (*pastRecord, error) {
	found, err := r.shop.CustomerAt(r.ctx(), ids[0], at)
	if err != nil {
		return nil, err
	}
	if !r.wantsFile() {
		if err := r.relate(store.RelatedIDs{Employees: []string{found.Customer.AccountRepID}}); err != nil {
			return nil, err
		}
	}
	return &pastRecord{past: found.Past, state: found.Customer, view: func(p *views.Page) views.PastRecord { return views.PastCustomer(p, found) }}, nil
}

func readPastKayak(r *request, ids []string, at time.Time) (*pastRecord, error) {
	found, err := r.shop.KayakAt(r.ctx(), ids[0], at)
	if err != nil {
		return nil, err
	}
	var place *store.RentalStore
	if !r.wantsFile() {
		if err := ifFound(&place)(r.shop.RentalStore(r.ctx(), found.Kayak.StoreID)); err != nil {
			return nil, err
		}
	}
	return &pastRecord{past: found.Past, state: found.Kayak, view: func(p *views.Page) views.PastRecord { return views.PastKayak(p, found, place) }}, nil
}

func readPastAccount(r *request, ids []string, at time.Time) (*pastRecord, error) {
	found, err := r.shop.AccountAt(r.ctx(), ids[0], at)
	if err != nil {
		return nil, err
	}
	state := struct{ Subscriptions []store.Subscription }{found.Subscriptions}
	return &pastRecord{past: found.Past, state: state, view: func(p *views.Page) views.PastRecord { return views.PastAccount(p, ids[0], found) }}, nil
}

func readPastUser(r *request, ids []string, at time.Time) (*pastRecord, error) {
	found, err := r.shop.UserAt(r.ctx(), ids[0], at)
	if err != nil {
		return nil, err
	}
	state := struct {
		Name               string
		Role               store.Role
		Warehouses, Stores []string `json:",omitempty"`
		Disabled           bool
	}{found.User.Name, found.User.Role, found.User.Warehouses, found.User.Stores, found.User.Disabled}
	return &pastRecord{past: found.Past, state: state, view: func(p *views.Page) views.PastRecord { return views.PastUser(p, found) }}, nil
}
