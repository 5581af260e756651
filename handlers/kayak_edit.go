package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// kayakChange makes what the form of a kind asks for, and says what was done.
type kayakChange func(r *request, id string, form web.Form) (done string, err error)

func moveKayak(r *request, id string, form web.Form) (string, error) {
	to := form.Get("store")
	return "Moved to store " + to + ".", r.shop.Move(r.ctx(), id, form.Version(), to, form.Once())
}

func repairKayak(r *request, id string, form web.Form) (string, error) {
	return "Taken out for repair.", r.shop.Repair(r.ctx(), id, form.Version(), form.Get("why"), form.Once())
}

func kayakRepaired(r *request, id string, form web.Form) (string, error) {
	return "Back in service.", r.shop.Repaired(r.ctx(), id, form.Version(), form.Get("why"), form.Once())
}

func retireKayak(r *request, id string, form web.Form) (string, error) {
	return "Retired.", r.shop.Retire(r.ctx(), id, form.Version(), form.Get("why"), form.Once())
}

// askKayak shows the form of a kind.
func askKayak(kind views.KayakFormKind) func(*request) error {
	return func(r *request) error {
		page, err := r.kayakForm(views.KayakForm{Kind: kind})
		if err != nil {
			return err
		}
		return r.show(page)
	}
}

// changeKayak makes what a form of a kind asks for. Where somebody else was
// first, the form says so, and what it is made for is the kayak as it is now.
func changeKayak(kind views.KayakFormKind, change kayakChange) func(*request) error {
	return func(r *request) error {
		form, err := r.form("store", "why")
		if err != nil {
			return err
		}
		done, err := change(r, r.id(), form)
		path := views.KayakPath(r.id())
		return r.changed(err, done, path, func(refused *store.Error) (templ.Component, error) {
			return r.kayakForm(views.KayakForm{Kind: kind, Refused: unplaced(refused), To: typed(form, refused, "store"), Why: typed(form, refused, "why")})
		})
	}
}

func (r *request) kayakForm(p views.KayakForm) (templ.Component, error) {
	k, err := r.shop.Kayak(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	if p.Kind == views.KayakMove {
		if p.Stores, err = r.shop.RentalStores(r.ctx()); err != nil {
			return nil, err
		}
	}
	p.Page, p.Kayak, p.Seen, p.Once = r.page(p.Kind.Title()), *k, k.Version, r.token()
	return views.KayakFormPage(p), nil
}
