package handlers

import (
	"cmp"
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

// askKayaksBack asks which kayaks come back, and then shows what they come to.
func askKayaksBack(r *request) error {
	q, err := r.query("kayaks")
	if err != nil {
		return err
	}
	p := views.Return{Kayaks: field(q, "kayaks")}
	if p.Kayaks.Value != "" {
		p.Returning, err = r.shop.Returning(r.ctx(), r.id(), scanned(p.Kayaks.Value))
	}
	if err != nil {
		return r.refused(err, func(refused *store.Error) (templ.Component, error) {
			p.Kayaks.Error = refused.Message
			return r.returnPage(p)
		})
	}
	page, err := r.returnPage(p)
	if err != nil {
		return err
	}
	return r.show(page)
}

func (r *request) returnPage(p views.Return) (templ.Component, error) {
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p.Page, p.Store, p.Once = r.page("Return"), *s, r.token()
	return views.ReturnPage(p), nil
}

// takeKayaksBack makes a return, for the charge that was shown.
func takeKayaksBack(r *request) error {
	form, err := r.form("kayaks", "charge")
	if err != nil {
		return err
	}
	kayaks := scanned(form.Get("kayaks"))
	charge, err := store.ParseAmount(cmp.Or(form.Get("charge"), "0"))
	if err != nil {
		return store.InvalidField("", "The form was changed on its way here.")
	}
	err = r.shop.Return(r.ctx(), r.id(), kayaks, charge, form.Once())
	return r.changed(err, "Returned: "+strings.Join(kayaks, ", ")+".", views.StorePath(r.id()), func(refused *store.Error) (templ.Component, error) {
		p := views.Return{Kayaks: typed(form, refused, "kayaks"), Refused: unplaced(refused)}
		if p.Refused != "" {
			var err error
			if p.Returning, err = r.shop.Returning(r.ctx(), r.id(), kayaks); err != nil {
				return nil, err
			}
		}
		return r.returnPage(p)
	})
}
