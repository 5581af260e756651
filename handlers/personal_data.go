package handlers

import (
	"cmp"
	"errors"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// erasureRecords is the maximum number of orders, of rentals and of bookings that the page
// reads for the dry run of an erasure.
const erasureRecords = 8

// personalDataReads is the maximum number of table requests of the page.
const personalDataReads = 24 + 3*erasureRecords

// showPersonalData shows what an erasure of a person would erase, and whether one is
// running.
func showPersonalData(r *request) error { return r.showForm(r.personalData) }

func (r *request) personalData(form web.Form, rejected *store.Error) (templ.Component, error) {
	erasing, err := r.shop.IsErasing(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	p := views.PersonalData{ID: r.id(), Erasing: erasing}
	if p.Erasure, err = r.shop.ErasureOf(r.ctx(), r.id(), erasureRecords); err != nil {
		return nil, err
	}
	if len(p.Erasure.Others) > 0 {
		if p.Others, err = r.shop.SamePerson(r.ctx(), r.id()); err != nil {
			return nil, err
		}
	}
	if rejected == nil && !erasing && p.Erasure.Records() > 0 {
		if p.Failed, err = r.shop.FailedErasure(r.ctx(), r.id()); err != nil {
			return nil, err
		}
	}
	if erasing {
		r.Response().Header().Set("Refresh", refreshSeconds) // reloads the page, also without JavaScript
	}
	p.Name = p.Erasure.Name
	p.Page, p.Form = r.page("Personal data of "+cmp.Or(p.Name, p.ID)), r.formState(form, rejected, 0)
	if rejected != nil && p.Problem == "" {
		p.Problem = rejected.Message
	}
	return views.PersonalDataPage(p), nil
}

// exportPersonalData sends everything about a person as a zip file. The user can include
// other records of the same person.
func exportPersonalData(r *request) error {
	form, err := r.readForm(views.FieldJoined)
	if err != nil {
		return err
	}
	var others []string
	if form.Get(views.FieldJoined) != "" {
		if others, err = r.shop.OthersOf(r.ctx(), r.id()); err != nil {
			return err
		}
	}
	if err := r.shop.RecordPersonalExport(r.ctx(), r.id(), others...); err != nil {
		return err
	}
	_, err = r.shop.WritePersonalArchive(r.ctx(), r.id(), web.Download(r.Context, "person-"+r.id()+".zip", "application/zip"), others...)
	return err
}

// erasePersonalData erases the data of a person in the background.
func erasePersonalData(r *request) error {
	form, err := r.readForm()
	if err != nil {
		return err
	}
	erasure, err := r.shop.ErasureOf(r.ctx(), r.id(), erasureRecords)
	if err != nil {
		return err
	}
	if len(erasure.Blockers) > 0 {
		err = &store.Error{Kind: store.Conflict, Message: "This person can't be erased yet. See the reasons below."}
		return r.rejectChange(err, r.rerender(form, r.personalData))
	}
	err = r.site.jobs.StartErasure(r.ctx(), r.shop, r.id())
	if err != nil && !errors.Is(err, store.ErrLeased) {
		return err
	}
	return web.Redirect(r.Context, views.PersonalDataPath(r.id()))
}
