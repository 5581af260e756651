package store

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"stockroom/store/key"
)

// Limits of saved views. MaxViews keeps menus short. Concurrent requests can exceed
// MaxViews, because SaveView counts the views before it saves a view.
const (
	MaxViews    = 20   // maximum for each user, and for shared views
	maxViewName = 60   // characters
	maxViewPath = 1000 // bytes
)

// SavedView makes a consistent read of a view for a change. It returns NotFound, or
// Forbidden if the view is shared and the user is not an admin.
func (a Access) SavedView(ctx context.Context, shared bool, id string) (*SavedView, error) {
	owner, err := a.viewOwner(shared)
	if err != nil {
		return nil, err
	}
	return readConsistently[*SavedView](ctx, a.store, getView, key.Map{"partition": viewsOf(owner), "viewID": id})
}

// viewOwner returns the owner of a view: "" for a shared view, otherwise the user. It
// returns Forbidden for a shared view unless the user is an admin.
func (a Access) viewOwner(shared bool) (string, error) {
	if shared {
		return "", a.require(Administer)
	}
	if err := a.require(Browse); err != nil {
		return "", err
	}
	return a.user.Name, nil
}

// SaveView saves the path of a list under a name, for the user or for all users. The
// caller must check that the path belongs to a list. SaveView returns Invalid if the
// path is invalid, the name is missing or taken, or there are too many views.
func (a Access) SaveView(ctx context.Context, v SavedView, shared bool, token string) error {
	owner, err := a.viewOwner(shared)
	if err != nil {
		return err
	}
	if v.ID, err = a.store.newID(token); err != nil {
		return err
	}
	v.Owner, v.Email = owner, ViewNever // SetViewEmail turns on emails
	return a.addView(ctx, v, token)
}

// addView saves a view of an owner; see SaveView.
func (a Access) addView(ctx context.Context, v SavedView, token string) error {
	v.Version = 1
	if err := checkViewPath(v.Path); err != nil {
		return err
	}
	if !slices.Contains(ViewFrequencies, v.Email) {
		v.Email = ViewNever
	}
	others, err := a.otherViews(ctx, &v)
	if err != nil {
		return err
	}
	if err := checkViewName(&v, others); err != nil {
		return err
	}
	if len(others) >= MaxViews && v.Owner == "" {
		return InvalidField("", "There can be at most %d shared views. Delete one first.", MaxViews)
	}
	if len(others) >= MaxViews {
		return InvalidField("", "You can have at most %d views of your own. Delete one first.", MaxViews)
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	c.Create(&v)
	c.recordEvent(Event{Partition: viewsOf(v.Owner), What: EventViewSaved, After: v.nameAndPath(), Values: viewValues(&SavedView{ID: v.ID}, &v)})
	return a.commitView(ctx, c, v.Owner)
}

// RenameView renames a view. It returns NotFound, Conflict if the version is outdated, or
// Invalid if the name is missing or taken.
func (a Access) RenameView(ctx context.Context, shared bool, id, name string, version int, token string) error {
	v, err := a.SavedView(ctx, shared, id)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	if v.Version != version {
		return c.rejectOutdated(ctx, viewsOf(v.Owner))
	}
	others, err := a.otherViews(ctx, v)
	if err != nil {
		return err
	}
	before := *v
	v.Name = name
	if err := checkViewName(v, others); err != nil || v.Name == before.Name {
		return err
	}
	c.replaceNext(v, &v.Version)
	c.recordEvent(Event{Partition: viewsOf(v.Owner), What: EventViewRenamed, Before: before.Name, After: v.Name, Values: viewValues(&before, v)})
	return a.commitView(ctx, c, v.Owner)
}

// DeleteView deletes a view. It returns NotFound, or Conflict if the version is
// outdated.
func (a Access) DeleteView(ctx context.Context, shared bool, id string, version int, token string) error {
	if err := a.require(Browse); err != nil {
		return err
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	v, err := a.SavedView(ctx, shared, id)
	switch {
	case KindOf(err) == NotFound:
		owner, _ := a.viewOwner(shared) // SavedView has already checked the permission
		return a.store.okIfApplied(ctx, viewsOf(owner), token, err)
	case err != nil:
		return err
	case v.Version != version:
		return c.rejectOutdated(ctx, viewsOf(v.Owner))
	}
	c.DeleteVersion(v, v.Version)
	c.recordEvent(Event{Partition: viewsOf(v.Owner), What: EventViewDeleted, Before: v.nameAndPath(), Values: viewValues(v, &SavedView{ID: v.ID})})
	return a.commitView(ctx, c, v.Owner)
}

func (a Access) commitView(ctx context.Context, c *change, owner string) error {
	err := c.Commit(ctx)
	a.store.views.forget(owner)
	return err
}

// otherViews returns the views of v's owner without v itself. If the form was submitted
// before, v is already stored.
func (a Access) otherViews(ctx context.Context, v *SavedView) ([]SavedView, error) {
	views, err := a.store.readViews(ctx, v.Owner)
	return slices.DeleteFunc(views, func(o SavedView) bool { return o.ID == v.ID }), err
}

func (v *SavedView) nameAndPath() string { return v.Name + ", " + v.Path }

func checkViewName(v *SavedView, others []SavedView) error {
	v.Name = strings.TrimSpace(v.Name)
	switch {
	case v.Name == "":
		return InvalidField("name", "Enter a name.")
	case utf8.RuneCountInString(v.Name) > maxViewName || !utf8.ValidString(v.Name) || strings.ContainsAny(v.Name, "\r\n"):
		return InvalidField("name", "Enter one line of at most %d characters.", maxViewName)
	case strings.ContainsFunc(v.Name, unicode.IsControl):
		return InvalidField("name", invisibleCharacters)
	case slices.ContainsFunc(others, func(o SavedView) bool { return strings.EqualFold(o.Name, v.Name) }):
		return InvalidField("name", "Another view has this name. Enter a different one.")
	}
	return nil
}

func checkViewPath(path string) error {
	switch {
	case len(path) > maxViewPath:
		return InvalidField("path", "This view has too many filters. Remove some of them.")
	case !strings.HasPrefix(path, "/") || strings.HasPrefix(path, "//") || strings.ContainsFunc(path, func(r rune) bool { return r <= ' ' || r == '\\' || r > '~' }):
		return InvalidField("path", "Only lists of this site can be saved.")
	}
	return nil
}
