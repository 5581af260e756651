package handlers

import (
	"cmp"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

// showCheckIn asks for the kayaks and, once they are known, shows their charges.
func showCheckIn(r *request) error {
	q, err := r.query("kayaks")
	if err != nil {
		return err
	}
	p := views.CheckIn{Kayaks: queryInput(q, "kayaks")}
	if p.Kayaks.Value != "" {
		p.Quote, err = r.shop.QuoteCheckIn(r.ctx(), r.id(), parseKayakIDs(p.Kayaks.Value))
	}
	if err != nil {
		return r.rejectChange(err, func(rejected *store.Error) (templ.Component, error) {
			p.Kayaks.Error = rejected.Message
			return r.checkInPage(p)
		})
	}
	page, err := r.checkInPage(p)
	if err != nil {
		return err
	}
	return r.show(page)
}

func (r *request) checkInPage(p views.CheckIn) (templ.Component, error) {
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p.Page, p.Store, p.Token = r.page("Check in"), *s, r.newFormToken()
	return views.CheckInPage(p), nil
}

// checkIn checks kayaks in at the charge that the form showed.
func checkIn(r *request) error {
	form, err := r.readForm("kayaks", "charge")
	if err != nil {
		return err
	}
	kayaks := parseKayakIDs(form.Get("kayaks"))
	charge, err := store.ParseAmount(cmp.Or(form.Get("charge"), "0"))
	if err != nil {
		return store.InvalidField("", "The charge in this form is not valid. Go back to the store and check in again.")
	}
	rentals, err := r.shop.CheckIn(r.ctx(), r.id(), kayaks, charge, form.Token())
	return r.finishChange(err, "Checked in"+toRenter(" from ", rentals)+": "+kayakLabels(rentals, kayaks)+".", views.StorePath(r.id()), func(rejected *store.Error) (templ.Component, error) {
		p := views.CheckIn{Kayaks: formInput(form, rejected, "kayaks"), Problem: formProblem(rejected)}
		if p.Problem != "" {
			var err error
			if p.Quote, err = r.shop.QuoteCheckIn(r.ctx(), r.id(), kayaks); err != nil {
				return nil, err
			}
		}
		return r.checkInPage(p)
	})
}
