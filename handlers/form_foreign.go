package handlers

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// messageForeign is the message about a form that was not opened in this session.
const messageForeign = "This form was opened in another session, so nothing was saved."

// signForm signs the token of a kept form for the session of the request.
func (r *request) signForm(values url.Values) {
	if token := values.Get(web.FieldToken); token != "" && token != web.ViewingToken {
		values.Set(web.FieldToken, r.site.tools.SignFormToken(r.Context, token))
	}
}

// showForeignForm refuses a form that was not opened in this session. If the same user
// opened it in another session, the page shows what the user entered, with a button that
// submits the form with a new token. The user must open the form again if it may contain
// a password, contains files or is too long. A script gets the new token instead of a
// page.
func (r *request) showForeignForm(foreign *web.ForeignForm) error {
	if web.IsScript(r.Request()) {
		answer := struct {
			Error string `json:"error"`
			Token string `json:"once,omitempty"`
		}{Error: messageForeign}
		if foreign.SameUser {
			answer.Token = r.newFormToken()
		}
		return r.JSON(http.StatusForbidden, answer)
	}
	openAgain := &store.Error{Kind: store.Forbidden, Code: views.CodeForeignForm, Message: messageForeign + " Open the form again and fill it in."}
	if !foreign.SameUser || r.route.permission == store.Anyone || r.route.permission == store.SignedIn { // the form may contain a password
		return openAgain
	}
	kept, _, err := r.site.tools.KeepForm(r.Context, r.route.permission)
	if err != nil {
		return err
	}
	form := r.site.tools.ReadKeptForm(kept)
	if form == nil { // the form contains files or is too long
		return openAgain
	}
	form.Values.Set(web.FieldToken, r.newFormToken())
	p := r.keptForm(form)
	p.Refused, p.Order = messageForeign+" Check what you entered, and then send it.", foreign.Fields
	return r.site.tools.RenderStatus(r.Context, http.StatusForbidden, views.KeptFormPage(p))
}

// formFields contains the fields of forms, by the prefix of their paths.
var formFields = map[string][]store.FieldSpec{
	"/accounts/":      store.NewSubscriptionFields.Specs(),
	"/admin/settings": store.SettingsFields.Specs(),
	"/customers/":     store.CustomerFields.Specs(),
	"/deliveries/":    store.DeliveryFields.Specs(),
	"/employees/":     store.EmployeeFields.Specs(),
	"/kayaks/":        store.KayakFields.Specs(),
	"/people/":        store.PersonFields.Specs(),
	"/products/":      store.ProductFields.Specs(),
	"/stores/":        store.RentalStoreFields.Specs(),
	"/warehouses/":    store.WarehouseFields.Specs(),
}

// keptForm returns the page with which the user submits a form again.
func (r *request) keptForm(form *web.KeptForm) views.KeptForm {
	p := views.KeptForm{Page: r.page("Send form"), Path: form.Path, Values: form.Values, Order: form.Order, Specs: map[string]store.FieldSpec{}}
	for prefix, specs := range formFields {
		for _, spec := range specs {
			if strings.HasPrefix(form.Path, prefix) {
				p.Specs[spec.Name] = spec
			}
		}
	}
	p.Name, p.RecordName, p.RecordPath = r.site.formAt(form.Path)
	return p
}

// formAt returns the name of the form at an address. A form can belong to a record: its
// path then begins with the path of the record's page. In this case, formAt also returns
// the name and the path of the record. If several pages match, it uses the one with the
// longest path.
func (s *site) formAt(address string) (name, record, recordPath string) {
	path, _, _ := strings.Cut(address, "?")
	segments := strings.Split(path, "/")
	form := s.formRoute(segments)
	if form == nil {
		return "", "", ""
	}
	parts := strings.Split(form.path, "/")
	for n := len(parts); n > 1; n-- {
		if row := s.rowOf(http.MethodGet, strings.Join(parts[:n], "/")); row != nil && row.record() != "" {
			id, _ := url.PathUnescape(segments[n-1]) // the router has accepted the path
			return form.name, row.record() + " " + id, strings.Join(segments[:n], "/")
		}
	}
	return form.name, "", ""
}

// formRoute returns the route of a submitted form, or nil. If several routes match the
// path, it returns the one with the fewest parameters.
func (s *site) formRoute(segments []string) (found *route) {
	for i := range s.rows {
		row := &s.rows[i]
		fits := row.method == http.MethodPost && slices.EqualFunc(strings.Split(row.path, "/"), segments, func(part, segment string) bool {
			return part == segment || strings.HasPrefix(part, ":")
		})
		if fits && (found == nil || strings.Count(row.path, ":") < strings.Count(found.path, ":")) {
			found = row
		}
	}
	return found
}
