package handlers

import (
	"cmp"
	"slices"
	"strings"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// Fields of a manager's scope. In fieldScope, the user names one more warehouse or store.
// The form has one field fieldPlaces for each warehouse or store that is already chosen.
const (
	fieldScope  = "scope"
	fieldPlaces = "places"
)

// scopeFields are the form fields of a manager's scope.
var scopeFields = append(pickParams(fieldScope), fieldPlaces+"*", views.ButtonParam)

// scopeForm is the entered scope of a manager.
type scopeForm struct {
	parts []string // chosen warehouses and stores, such as w#12345
	added pick     // field with one more warehouse or store
	adds  bool     // the user pressed the button Add for the field, and has not submitted the form yet
}

// readScope reads a manager's scope, including the warehouse or store in fieldScope. It
// returns Invalid if the text in this field does not identify one.
func (r *request) readScope(form web.Form) (scopeForm, error) {
	s := scopeForm{parts: slices.Clone(form.All(fieldPlaces))}
	var err error
	s.added, err = r.readPick(form, fieldScope, store.ChoosePlace)
	if err != nil || s.added.chosen == nil {
		return s, err
	}
	s.adds = form.Get(views.ButtonParam) == views.ButtonAdd
	if id := s.added.id(); !slices.Contains(s.parts, id) {
		s.parts = append(s.parts, id)
	}
	s.added = r.newPick(fieldScope, store.ChoosePlace)
	return s, nil
}

func (s *scopeForm) places() (warehouses, stores []string, err error) {
	return store.ParseScope(strings.Join(s.parts, ","))
}

// scopeOf returns the saved scope of a user.
func (r *request) scopeOf(user *store.User) scopeForm {
	return scopeForm{parts: user.ScopeParts(), added: r.newPick(fieldScope, store.ChoosePlace)}
}

// view returns the fields of the scope for the page. Pass the saved scope of the user, or
// nil for a new user, and the warehouses and stores by ID.
func (s *scopeForm) view(rejected *store.Error, saved []string, names map[string]store.Choice) views.Scope {
	v := views.Scope{Add: s.added.input, Pick: s.added.view()}
	if message := rejected.About(fieldScope); message != "" {
		v.Add.Error = message
	}
	for _, id := range slices.Concat(s.parts, missingFrom(saved, s.parts)) {
		v.Places = append(v.Places, views.ScopePlace{Choice: placeNamed(names, id), Chosen: slices.Contains(s.parts, id)})
	}
	if rejected != nil && rejected.Kind == store.Conflict && !slices.Equal(s.parts, saved) {
		var now []string
		for _, id := range saved {
			now = append(now, placeNamed(names, id).Name)
		}
		v.Now = cmp.Or(strings.Join(now, ", "), "empty")
	}
	return v
}

// missingFrom returns the elements of the first slice that the second one does not
// contain.
func missingFrom(all, some []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(id string) bool { return slices.Contains(some, id) })
}

// placeNamed returns the warehouse or store with this ID. If it is unknown, its name is
// the ID.
func placeNamed(names map[string]store.Choice, id string) store.Choice {
	if c, known := names[id]; known {
		return c
	}
	return store.Choice{ID: id, Name: id}
}

// scopeNames returns the warehouses and stores in a form and in the scopes of users, by ID.
func (r *request) scopeNames(s *scopeForm, users ...store.User) (map[string]store.Choice, error) {
	entered := store.User{}
	var err error
	if entered.Warehouses, entered.Stores, err = s.places(); err == nil {
		users = append(users, entered)
	}
	return r.shop.ScopePlaces(r.ctx(), users)
}
