package handlers

import (
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
)

// extendForm returns the form that moves the due day of rentals. The argument due is the
// input for the new due day. If it is nil, the form suggests a day.
func extendForm(due *ui.Input) *rentalForm[store.ExtensionQuote] {
	return &rentalForm[store.ExtensionQuote]{
		title: "Change due date", quote: store.Access.QuoteExtension,
		page: func(form views.RentalForm, quote *store.ExtensionQuote) templ.Component {
			p := views.Extend{RentalForm: form, Quote: quote}
			switch {
			case due != nil:
				p.Due = *due
			case quote != nil && !quote.Due.IsZero():
				p.Due.Value = quote.Due.Format(time.DateOnly)
			}
			return views.ExtendPage(p)
		},
	}
}

func showExtend(r *request) error { return extendForm(nil).show(r) }

// extendRentals moves the due day of the rentals that the form showed.
func extendRentals(r *request) error {
	form, err := r.readForm("kayaks", store.FieldShown+"*", "due")
	if err != nil {
		return err
	}
	kayaks, shown := parseKayakIDs(form.Get("kayaks")), form.All(store.FieldShown)
	rerender := func(rejected *store.Error) (templ.Component, error) {
		input := formInput(form, rejected, "due")
		return extendForm(&input).rerender(r, form, rejected)
	}
	if !store.WereShown(kayaks, shown) {
		return r.rejectChange(errRentalsNotShown(), rerender)
	}
	var wrong store.InputErrors
	due := r.dayInto(form, "due", &wrong)
	rentals, err := r.shop.Extend(r.ctx(), store.Extension{StoreID: r.id(), Kayaks: kayaks, Due: due, Shown: shown}, form.Token())
	message := "Due date changed to " + longDate(due) + ": " + kayakLabels(rentals, kayaks) + "."
	return r.finishChange(wrong.With(err), message, views.StorePath(r.id()), rerender)
}
