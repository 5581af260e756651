package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// kayakChange makes the change in a submitted form, and returns the success message.
type kayakChange func(r *request, id string, form web.Form) (message string, err error)

func moveKayak(r *request, id string, form web.Form) (string, error) {
	to := form.Get("store")
	return "Kayak moved to store " + to + ".", r.shop.MoveKayak(r.ctx(), id, form.Version(), to, form.Token())
}

func sendKayakToRepair(r *request, id string, form web.Form) (string, error) {
	err := r.shop.Repair(r.ctx(), id, form.Version(), form.Get("why"), form.Token())
	if err != nil {
		return "", err
	}
	return "Kayak sent for repair." + r.bookedInRepair(id), nil
}

// bookedInRepair returns the part of the success message that names the next booking of
// each of these kayaks, which were just sent for repair. It returns "" if they have none.
func (r *request) bookedInRepair(ids ...string) string {
	message := ""
	for _, id := range ids {
		// The change is already made, so an error must not reject it. The page of the
		// kayak lists its bookings too.
		if next, _ := r.shop.NextBooking(r.ctx(), id, r.today()); next != nil {
			message += " " + next.Sentence() + " Move the booking if the kayak is not repaired in time."
		}
	}
	return message
}

func finishRepair(r *request, id string, form web.Form) (string, error) {
	return "Repair finished.", r.shop.CompleteRepair(r.ctx(), id, form.Version(), form.Get("why"), form.Token())
}

func retireKayak(r *request, id string, form web.Form) (string, error) {
	return "Kayak retired.", r.shop.Retire(r.ctx(), id, form.Version(), form.Get("why"), form.Token())
}

func restoreKayak(r *request, id string, form web.Form) (string, error) {
	return "Kayak restored.", r.shop.RestoreKayak(r.ctx(), id, form.Version(), form.Get("why"), form.Token())
}

func showKayakForm(kind views.KayakFormKind) func(*request) error {
	return func(r *request) error { return r.showForm(r.kayakForm(kind)) }
}

// changeKayak returns a handler that makes a change to a kayak.
func changeKayak(kind views.KayakFormKind, change kayakChange) func(*request) error {
	return func(r *request) error {
		form, err := r.readForm("store", "why")
		if err != nil {
			return err
		}
		message, err := change(r, r.id(), form)
		return r.finishChange(err, message, views.KayakPath(r.id()), r.rerender(form, r.kayakForm(kind)))
	}
}

func (r *request) kayakForm(kind views.KayakFormKind) formPage {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		k, err := r.shop.Kayak(r.ctx(), r.id())
		if err != nil {
			return nil, err
		}
		p := views.KayakForm{Kind: kind, Kayak: *k, To: formInput(form, rejected, "store"), Why: formInput(form, rejected, "why")}
		if kind == views.KayakMove {
			if p.Stores, err = r.shop.RentalStores(r.ctx(), store.NotArchived); err != nil {
				return nil, err
			}
		}
		p.Page, p.Form = r.page(kind.Title()), r.formState(form, rejected, k.Version)
		return views.KayakFormPage(p), nil
	}
}
