package handlers

import (
	"cmp"
	"net/url"
	"strings"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// storeChange makes what the form of a kind asks for, and says what was done.
type storeChange func(r *request, storeID string, form web.Form) (done string, err error)

func checkOut(r *request, storeID string, form web.Form) (string, error) {
	kayaks := scanned(form.Get("kayaks"))
	due, err := r.day(form, "due")
	if err != nil {
		return "", err
	}
	out := store.CheckOut{StoreID: storeID, Person: form.Get("person"), KayakIDs: kayaks, Due: due}
	return "Out until " + due.Format(time.DateOnly) + ": " + strings.Join(kayaks, ", ") + ".", r.shop.CheckOut(r.ctx(), out, form.Once())
}

func extend(r *request, storeID string, form web.Form) (string, error) {
	kayaks := scanned(form.Get("kayaks"))
	due, err := r.day(form, "due")
	if err != nil {
		return "", err
	}
	return "Out until " + due.Format(time.DateOnly) + ": " + strings.Join(kayaks, ", ") + ".", r.shop.Extend(r.ctx(), storeID, kayaks, due, form.Once())
}

func hire(r *request, storeID string, form web.Form) (string, error) {
	from, err := r.day(form, "from")
	if err != nil {
		return "", err
	}
	h := store.Hiring{StoreID: storeID, Person: form.Get("person"), Position: strings.TrimSpace(form.Get("position")), From: from}
	return "Works here from " + from.Format(time.DateOnly) + ".", r.shop.Hire(r.ctx(), h, form.Once())
}

func leave(r *request, storeID string, form web.Form) (string, error) {
	last, err := r.day(form, "last")
	if err != nil {
		return "", err
	}
	return "Works here until " + last.Format(time.DateOnly) + ".", r.shop.Leave(r.ctx(), storeID, form.Get("person"), last, form.Once())
}

// day reads a calendar day; none is the zero day, of which the store says what
// it is needed for.
func (r *request) day(form web.Form, name string) (time.Time, error) {
	text := strings.TrimSpace(form.Get(name))
	if text == "" {
		return time.Time{}, nil
	}
	first, last, ok := web.ParseDays(text, r.now())
	if !ok || !first.Equal(last) {
		return time.Time{}, store.InvalidField(name, "%q is no day: write one as 2026-11-21.", text)
	}
	return first, nil
}

// scanned are the IDs that a scanner or a person typed, one a line. The code
// on a label is the address of the kayak's page, which ends in its ID.
func scanned(text string) []string {
	var ids []string
	for line := range strings.Lines(text) {
		id := strings.TrimSpace(line)
		if _, last, found := strings.Cut(id, kayakPages); found {
			last, _, _ = strings.Cut(last, "?")
			if plain, err := url.PathUnescape(last); err == nil {
				id = plain
			}
		}
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// kayakPages is what the addresses of kayaks' pages have in common.
const kayakPages = "/kayaks/"

// askStore shows the form of a kind, with what its address says already.
func askStore(kind views.StoreFormKind) func(*request) error {
	return func(r *request) error {
		q, err := r.query("kayaks", "person")
		if err != nil {
			return err
		}
		p := views.StoreForm{Kind: kind, Kayaks: field(q, "kayaks"), Person: field(q, "person")}
		today := r.now()
		p.Due.Value, p.From.Value, p.Last.Value = today.AddDate(0, 0, 1).Format(time.DateOnly), today.Format(time.DateOnly), today.Format(time.DateOnly)
		page, err := r.storeForm(p)
		if err != nil {
			return err
		}
		return r.show(page)
	}
}

// changeStore makes what a form of a kind asks for.
func changeStore(kind views.StoreFormKind, change storeChange) func(*request) error {
	return func(r *request) error {
		form, err := r.form("kayaks", "person", "due", "position", "from", "last")
		if err != nil {
			return err
		}
		done, err := change(r, r.id(), form)
		return r.changed(err, done, views.StorePath(r.id()), func(refused *store.Error) (templ.Component, error) {
			return r.storeForm(views.StoreForm{
				Kind: kind, Refused: unplaced(refused), Kayaks: typed(form, refused, "kayaks"), Person: typed(form, refused, "person"),
				Due: typed(form, refused, "due"), Position: typed(form, refused, "position"), From: typed(form, refused, "from"), Last: typed(form, refused, "last"),
			})
		})
	}
}

// unplaced is a refusal that no field of the form is to blame for.
func unplaced(refused *store.Error) string {
	if refused.Field != "" {
		return ""
	}
	return refused.Message
}

func (r *request) storeForm(p views.StoreForm) (templ.Component, error) {
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p.Page, p.Store, p.Once = r.page(p.Kind.Title()), *s, r.token()
	return views.StoreFormPage(p), nil
}

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

// showLabels is the sheet of labels of a store's kayaks. Their codes lead to
// where this page was asked for.
func showLabels(r *request) error {
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return err
	}
	fleet, err := r.shop.Fleet(r.ctx(), s.ID)
	if err != nil {
		return err
	}
	origin := r.site.tools.Origin(r.Context)
	labels := make([]views.Label, len(fleet))
	for i, k := range fleet {
		labels[i].Kayak = k
		if labels[i].Code, err = ui.NewQR(origin+views.KayakPath(k.ID), "Code of "+cmp.Or(k.Name, k.ID)); err != nil {
			return err
		}
	}
	return r.show(views.LabelsPage(views.Labels{Page: r.page("Labels of " + cmp.Or(s.Name, s.ID)), Store: *s, Labels: labels}))
}
