package handlers

import (
	"net/http"
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// showUndo shows what will change if the user undoes the change of an event.
func showUndo(r *request) error {
	if r.QueryParam("about") == "" {
		return r.Redirect(http.StatusSeeOther, "/") // only a typed address has no event
	}
	return r.showForm(r.undoPage(r.QueryParam("about"), r.QueryParam("event")))
}

// undo undoes the change of an event.
func undo(r *request) error {
	form, err := r.readForm("about", "event")
	if err != nil {
		return err
	}
	f := store.UndoForm{Partition: form.Get("about"), ID: form.Get("event"), Seen: form.Version(), Token: form.Token()}
	path := views.RecordPath(web.SignedInUser(r.Context), f.Partition)
	if strings.HasPrefix(f.Partition, "cat#") {
		path = "/reference/" + store.Category.List() // undoing a rename changes the address of the category, so use the list
	}
	err = r.shop.Undo(r.ctx(), f)
	return r.finishChange(err, "Change undone.", path, r.rerender(form, r.undoPage(f.Partition, f.ID)))
}

func (r *request) undoPage(partition, id string) formPage {
	return func(form web.Form, rejected *store.Error) (templ.Component, error) {
		plan, err := r.shop.PlanUndo(r.ctx(), partition, id)
		if err != nil {
			return nil, err
		}
		p := views.Undo{Page: r.page("Undo change"), Form: r.formState(form, rejected, plan.Seen), Plan: *plan}
		if rejected != nil {
			p.Version = plan.Seen
			if p.Problem == "" {
				p.Problem = rejected.Message
			}
		}
		return views.UndoPage(p), nil
	}
}
