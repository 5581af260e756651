package handlers

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// rentalForm is a form that changes rentals in two steps: first, the user enters the kayaks,
// then the form shows their rentals. Q is a quote with these rentals.
type rentalForm[Q any] struct {
	title string
	quote func(a store.Access, ctx context.Context, storeID string, kayaks []string) (*Q, error)
	page  func(form views.RentalForm, quote *Q) templ.Component // quote is nil in the first step
}

// show shows the form. If the query string contains kayaks, it shows the second step.
func (f *rentalForm[Q]) show(r *request) error {
	q, err := r.query("kayaks")
	if err != nil {
		return err
	}
	kayaks := queryInput(q, "kayaks")
	if kayaks.Value != "" {
		return f.find(r, kayaks)
	}
	page, err := f.render(r, views.RentalForm{}, nil)
	if err != nil {
		return err
	}
	return r.show(page)
}

// find shows the second step for the entered kayaks.
func (f *rentalForm[Q]) find(r *request, kayaks ui.Input) error {
	quote, err := f.quote(r.shop, r.ctx(), r.id(), parseKayakIDs(kayaks.Value))
	if err != nil {
		return r.rejectChange(err, func(rejected *store.Error) (templ.Component, error) {
			kayaks.Error = rejected.Message
			return f.render(r, views.RentalForm{Kayaks: kayaks}, nil)
		})
	}
	page, err := f.render(r, views.RentalForm{Kayaks: kayaks}, quote)
	if err != nil {
		return err
	}
	return r.show(page)
}

func (f *rentalForm[Q]) render(r *request, p views.RentalForm, quote *Q) (templ.Component, error) {
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p.Page, p.Store, p.Token = r.page(f.title), *s, r.newFormToken()
	return f.page(p, quote), nil
}

// errRentalsNotShown is the error for a submitted form that has not shown the rentals of all
// its kayaks.
func errRentalsNotShown() error {
	return store.InvalidField("", "Nothing was saved, because the form did not show all rentals. Check them, then submit the form again.")
}

// rerender shows the second step again after a rejected submission, with the present rentals.
// The form keeps the Identity of the rentals that it showed before, unless it showed only
// some of them, or the message has named the new renter. If some of the kayaks are not out, the
// form contains only the others.
func (f *rentalForm[Q]) rerender(r *request, form web.Form, rejected *store.Error) (templ.Component, error) {
	p := views.RentalForm{Kayaks: formInput(form, rejected, "kayaks"), Problem: formProblem(rejected)}
	kayaks := parseKayakIDs(p.Kayaks.Value)
	if shown := form.All(store.FieldShown); rejected.Code != store.CodeRentedAgain && store.WereShown(kayaks, shown) {
		p.Shown = shown
	}
	quote, err := f.quote(r.shop, r.ctx(), r.id(), kayaks)
	var refused *store.Error
	if errors.As(err, &refused) && refused.Kind == store.Conflict && rejected.Code != store.CodeOtherValues {
		out, outErr := r.shop.StillOut(r.ctx(), r.id(), kayaks)
		if outErr != nil {
			return nil, outErr
		}
		if len(out) > 0 {
			p.Kayaks = ui.Input{Value: strings.Join(out, "\n")}
			p.Problem = refused.Message + " Nothing was saved. Check the other kayaks, then submit the form again."
			quote, err = f.quote(r.shop, r.ctx(), r.id(), out)
		}
	}
	switch {
	case errors.As(err, &refused) && (refused.Kind == store.Invalid || refused.Kind == store.Conflict):
		p.Kayaks.Error = cmp.Or(p.Kayaks.Error, refused.Message)
		if rejected.Code == store.CodeOtherValues { // the form can't be submitted again without rentals
			p.Problem = ""
		}
	case err != nil:
		return nil, err
	}
	return f.render(r, p, quote)
}
