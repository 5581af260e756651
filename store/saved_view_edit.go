package store

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"stockroom/store/key"
)

// Limits of saved views. That of their number keeps menus short; it is counted
// before a view is saved, so two people at one moment may pass it by one.
const (
	MaxViews    = 20   // of one user, and again of those for all
	maxViewName = 60   // characters
	maxViewPath = 1000 // bytes
)

// Views are the saved lists of a user, and those for all, each by name.
type Views struct{ Own, Shared []View }

// Views reads what stands in the user's menu. What was read is kept for a
// moment, as settings are: most pages ask nothing for it.
func (a Access) Views(ctx context.Context) (Views, error) {
	var v Views
	if err := a.require(SignedIn); err != nil {
		return v, err
	}
	var err error
	if v.Own, err = a.store.keptViews(ctx, a.user.Name); err == nil {
		v.Shared, err = a.store.keptViews(ctx, "")
	}
	return v, err
}

// ViewsNow is Views as they are just now, whoever changed them where.
func (a Access) ViewsNow(ctx context.Context) (Views, error) {
	if err := a.require(SignedIn); err != nil {
		return Views{}, err
	}
	a.store.views.forget(a.user.Name)
	a.store.views.forget("")
	return a.Views(ctx)
}

func (s *Store) keptViews(ctx context.Context, owner string) ([]View, error) {
	return s.views.get(owner, s.now(), func() ([]View, error) { return s.readViews(ctx, owner) })
}

// readViews reads consistently: what is kept a moment must not be old already.
func (s *Store) readViews(ctx context.Context, owner string) ([]View, error) {
	pattern, values := getOwnViews, key.Map{"user": owner}
	if owner == "" {
		pattern, values = getSharedViews, nil
	}
	items, err := s.table.Partition(ctx, pattern, values, true)
	views, err := decodeAll(items, err, decodeAs[View])
	slices.SortFunc(views, func(a, b View) int {
		return strings.Compare(key.Fold(a.Name)+" "+a.ID, key.Fold(b.Name)+" "+b.ID)
	})
	return views, err
}

// View reads a view that the user may change, as it is in the table just now.
func (a Access) View(ctx context.Context, shared bool, id string) (*View, error) {
	owner, err := a.viewOwner(shared)
	if err != nil {
		return nil, err
	}
	return readConsistently[*View](ctx, a.store, getView, key.Map{"partition": viewsOf(owner), "viewID": id})
}

// viewOwner says whose view it is that the user wants to change.
func (a Access) viewOwner(shared bool) (string, error) {
	if shared {
		return "", a.require(Administer)
	}
	if err := a.require(Browse); err != nil {
		return "", err
	}
	return a.user.Name, nil
}

// SaveView keeps an address of a list under a name, for the user or for all.
// Whether the address is one of a list is for the caller to know.
func (a Access) SaveView(ctx context.Context, v View, shared bool, once string) error {
	owner, err := a.viewOwner(shared)
	if err != nil {
		return err
	}
	if v.ID, err = a.store.newID(once); err != nil {
		return err
	}
	v.Owner, v.Version = owner, 1
	if err := checkViewPath(v.Path); err != nil {
		return err
	}
	others, err := a.store.readViews(ctx, owner)
	if err != nil {
		return err
	}
	others = slices.DeleteFunc(others, func(o View) bool { return o.ID == v.ID }) // the form was sent before
	if err := checkViewName(&v, others); err != nil {
		return err
	}
	if len(others) >= MaxViews {
		return InvalidField("", "There are %d views already; delete one first.", MaxViews)
	}
	c, err := a.change(ctx, once)
	if err != nil {
		return err
	}
	c.Create(&v)
	c.recordEvent(Event{Partition: viewsOf(owner), What: "view saved", After: v.told()})
	return a.commitView(ctx, c, owner)
}

// RenameView gives a view another name, from the version that the form showed.
func (a Access) RenameView(ctx context.Context, shared bool, id, name string, version int, once string) error {
	v, err := a.View(ctx, shared, id)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, once)
	if err != nil {
		return err
	}
	if v.Version != version {
		return c.rejectOutdated(ctx, viewsOf(v.Owner))
	}
	others, err := a.store.readViews(ctx, v.Owner)
	if err != nil {
		return err
	}
	before := v.Name
	v.Name = name
	others = slices.DeleteFunc(others, func(o View) bool { return o.ID == v.ID })
	if err := checkViewName(v, others); err != nil || v.Name == before {
		return err
	}
	c.replaceNext(v, &v.Version)
	c.recordEvent(Event{Partition: viewsOf(v.Owner), What: "view renamed", Before: before, After: v.Name})
	return a.commitView(ctx, c, v.Owner)
}

// DeleteView deletes a view as the form showed it.
func (a Access) DeleteView(ctx context.Context, shared bool, id string, version int, once string) error {
	if err := a.require(Browse); err != nil {
		return err
	}
	c, err := a.change(ctx, once)
	if err != nil {
		return err
	}
	v, err := a.View(ctx, shared, id)
	switch {
	case KindOf(err) == NotFound:
		owner, _ := a.viewOwner(shared) // View has looked
		return a.store.okIfApplied(ctx, viewsOf(owner), once, err)
	case err != nil:
		return err
	case v.Version != version:
		return c.rejectOutdated(ctx, viewsOf(v.Owner))
	}
	c.DeleteVersion(v, v.Version)
	c.recordEvent(Event{Partition: viewsOf(v.Owner), What: "view deleted", Before: v.told()})
	return a.commitView(ctx, c, v.Owner)
}

func (a Access) commitView(ctx context.Context, c *change, owner string) error {
	err := c.Commit(ctx)
	a.store.views.forget(owner)
	return err
}

// told is the view in an event.
func (v *View) told() string { return v.Name + ", " + v.Path }

func checkViewName(v *View, others []View) error {
	v.Name = strings.TrimSpace(v.Name)
	switch {
	case v.Name == "":
		return InvalidField("name", "Write a name.")
	case utf8.RuneCountInString(v.Name) > maxViewName || !utf8.ValidString(v.Name) || strings.ContainsFunc(v.Name, unicode.IsControl):
		return InvalidField("name", "Write one line of at most %d characters.", maxViewName)
	case slices.ContainsFunc(others, func(o View) bool { return strings.EqualFold(o.Name, v.Name) }):
		return InvalidField("name", "Another view has this name.")
	}
	return nil
}

func checkViewPath(path string) error {
	switch {
	case len(path) > maxViewPath:
		return InvalidField("path", "This address is too long to be kept.")
	case !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r == '\\' || r > '~' }):
		return InvalidField("path", "This is no list of this site.")
	}
	return nil
}
