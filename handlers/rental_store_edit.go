package handlers

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// storeChange makes the change in a submitted form, and returns the success message. If a
// value cannot be parsed, it adds the error to wrong and passes the zero value to the
// store. The store then rejects the change.
type storeChange func(r *request, storeID string, form web.Form, found picks, wrong *store.InputErrors) (message string, err error)

// storeSpecs returns the fields of a form that name a record.
func storeSpecs(kind views.StoreFormKind, storeID string) []store.FieldSpec {
	person := store.FieldSpec{Name: "person", Kind: store.InputPick, Choice: store.ChooseRenter}
	if kind == views.StoreEndEmployment {
		person.Choice = store.ChooseStaffAt(storeID)
	}
	return []store.FieldSpec{person}
}

// longDate formats a calendar day for messages, for example as 24 Nov 2026.
func longDate(day time.Time) string { return day.Format("2 Jan 2006") }

// day reads a calendar day from a form. For an empty field, it returns the zero time, which
// the store rejects if the day is required.
func (r *request) day(form web.Form, name string) (time.Time, error) {
	return r.dayOf(name, form.Get(name))
}

// dayOf is like day for the text of a field.
func (r *request) dayOf(name, text string) (time.Time, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return time.Time{}, nil
	}
	first, last, ok := web.ParseDays(text, r.now())
	if !ok || !first.Equal(last) {
		return time.Time{}, store.InvalidField(name, "“%s” is not a date. Try 2026-11-21.", text)
	}
	return first, nil
}

// dayInto is like day. For an invalid day, it adds the error to wrong and returns the zero
// time.
func (r *request) dayInto(form web.Form, name string, wrong *store.InputErrors) time.Time {
	day, err := r.day(form, name)
	_ = wrong.Add(err) // day returns only Invalid
	return day
}

// showStoreForm returns a handler that shows a form of a store. The query string can
// contain a person.
func showStoreForm(kind views.StoreFormKind) func(*request) error {
	return func(r *request) error {
		q, err := r.query("person")
		if err != nil {
			return err
		}
		p := views.StoreForm{Kind: kind, Person: queryInput(q, "person")}
		today := r.now()
		for _, spec := range storeSpecs(kind, r.id()) {
			chosen, err := r.chosenPick(spec.Name, spec.Choice, p.Person.Value)
			if err != nil {
				return err
			}
			p.Person.Value, p.Pick = chosen.input.Value, chosen.view()
		}
		p.From.Value, p.Last.Value = today.Format(time.DateOnly), today.Format(time.DateOnly)
		if kind == views.StoreEndEmployment {
			if err := r.addLastDay(&p, q.Get("person")); err != nil {
				return err
			}
			if !p.Until.IsZero() {
				p.Last.Value = p.Until.Format(time.DateOnly)
			}
		}
		page, err := r.storeForm(p)
		if err != nil {
			return err
		}
		return r.show(page)
	}
}

func changeStore(kind views.StoreFormKind, change storeChange) func(*request) error {
	return func(r *request) error {
		form, err := r.readForm(append([]string{"position", "from", "last", views.ButtonParam}, slices.Concat(pickParams("person"), newFields)...)...)
		if err != nil {
			return err
		}
		message := ""
		var wrong store.InputErrors
		found, err := r.readPicks(storeSpecs(kind, r.id()), form)
		switch {
		case err == nil:
			message, err = change(r, r.id(), form, found, &wrong)
			err = wrong.With(err)
		case !errors.Is(err, errUnsent):
			for _, name := range []string{"from", "last"} {
				r.dayInto(form, name, &wrong)
			}
			if kind == views.StoreHire && form.Get("from") == "" {
				wrong.Reject("from", "Enter the first day.")
			}
			if kind == views.StoreEndEmployment && form.Get("last") == "" {
				wrong.Reject("last", "Enter the last day.")
			}
			err = wrong.With(err)
		}
		return r.finishChange(err, message, views.StorePath(r.id()), func(rejected *store.Error) (templ.Component, error) {
			p := views.StoreForm{
				Kind: kind, Problem: formProblem(rejected), Person: formInput(form, rejected, "person"),
				Position: formInput(form, rejected, "position"), From: formInput(form, rejected, "from"), Last: formInput(form, rejected, "last"),
			}
			p.NewPerson = newPersonInput(form, rejected)
			if person := found["person"]; person != nil {
				p.Person.Value, p.Pick, p.SamePhone = person.input.Value, person.view(), person.samePhone
				if kind == views.StoreEndEmployment {
					if err := r.addLastDay(&p, person.id()); err != nil {
						return nil, err
					}
				}
			}
			return r.storeForm(p)
		})
	}
}

// addLastDay adds the last day of the person's employment to the form, if it is set.
func (r *request) addLastDay(p *views.StoreForm, personID string) error {
	if personID == "" {
		return nil
	}
	employee, err := r.shop.EmployeeOfStore(r.ctx(), r.id(), personID)
	if err != nil {
		if store.KindOf(err) == store.NotFound {
			return nil
		}
		return err
	}
	p.PersonID, p.Until = personID, employee.To
	return nil
}

// formProblem returns the message of an error that belongs to no field, or "".
func formProblem(rejected *store.Error) string {
	return rejected.About("")
}

func (r *request) storeForm(p views.StoreForm) (templ.Component, error) {
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p.Page, p.Store, p.Token = r.page(p.FormTitle()), *s, r.newFormToken()
	return views.StoreFormPage(p), nil
}
