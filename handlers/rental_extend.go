package handlers

import (
	"cmp"
	"errors"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

// showExtend shows the form that moves the due day of rentals. If the query string contains kayaks, it
// also shows who rents them, and suggests a new due day.
func showExtend(r *request) error {
	q, err := r.query("kayaks")
	if err != nil {
		return err
	}
	p := views.Extend{Kayaks: queryInput(q, "kayaks")}
	if p.Kayaks.Value != "" {
		p.Quote, err = r.shop.QuoteExtension(r.ctx(), r.id(), parseKayakIDs(p.Kayaks.Value))
	}
	if err != nil {
		return r.rejectChange(err, func(rejected *store.Error) (templ.Component, error) {
			p.Kayaks.Error = rejected.Message
			return r.extendPage(p)
		})
	}
	if p.Quote != nil && !p.Quote.Due.IsZero() {
		p.Due.Value = p.Quote.Due.Format(time.DateOnly)
	}
	page, err := r.extendPage(p)
	if err != nil {
		return err
	}
	return r.show(page)
}

func (r *request) extendPage(p views.Extend) (templ.Component, error) {
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p.Page, p.Store, p.Token = r.page("Change due date"), *s, r.newFormToken()
	return views.ExtendPage(p), nil
}

// extendRentals moves the due day of the rentals that the form showed. After a rejected
// submission, the form shows the present rentals. It keeps the Identity of the rentals that
// it showed before, unless the message has named the new renter.
func extendRentals(r *request) error {
	form, err := r.readForm("kayaks", store.FieldShown+"*", "due")
	if err != nil {
		return err
	}
	var wrong store.InputErrors
	kayaks := parseKayakIDs(form.Get("kayaks"))
	due := r.dayInto(form, "due", &wrong)
	rentals, err := r.shop.Extend(r.ctx(), store.Extension{StoreID: r.id(), Kayaks: kayaks, Due: due, Shown: form.All(store.FieldShown)}, form.Token())
	message := "Due date changed to " + longDate(due) + ": " + kayakLabels(rentals, kayaks) + "."
	return r.finishChange(wrong.With(err), message, views.StorePath(r.id()), func(rejected *store.Error) (templ.Component, error) {
		p := views.Extend{Kayaks: formInput(form, rejected, "kayaks"), Due: formInput(form, rejected, "due"), Problem: formProblem(rejected)}
		if rejected.Code != store.CodeRentedAgain {
			p.Shown = form.All(store.FieldShown)
		}
		var err error
		var refused *store.Error
		p.Quote, err = r.shop.QuoteExtension(r.ctx(), r.id(), kayaks)
		switch {
		case errors.As(err, &refused) && (refused.Kind == store.Invalid || refused.Kind == store.Conflict):
			p.Kayaks.Error = cmp.Or(p.Kayaks.Error, refused.Message)
		case err != nil:
			return nil, err
		}
		return r.extendPage(p)
	})
}
