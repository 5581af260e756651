package store

import "context"

// viewFields are the values of a saved view in its events.
var viewFields = Fields[SavedView]{
	textField("name", "Name", func(v *SavedView) *string { return &v.Name }),
	textField("path", "List", func(v *SavedView) *string { return &v.Path }),
	textField("email", "Emails", func(v *SavedView) *string { return (*string)(&v.Email) }),
}

func (v *SavedView) version() *int { return &v.Version }

// viewValues returns the values of an event that saves, renames or deletes a view. A
// view that does not exist has empty values.
func viewValues(before, after *SavedView) string {
	return eventValues(viewFields.values(before, after, before.ID)...)
}

// viewUndo is the reversal of saving, renaming and deleting a view.
var viewUndo = fieldUndo[SavedView, *SavedView]{
	permission: Browse,
	fields:     always(viewFields),
	read:       viewOf,
	save:       Access.restoreView,
}

// viewOf makes a consistent read of the view of an event. It returns an empty view with
// Version 0 if the view does not exist, and NotFound for a view of another user.
func viewOf(ctx context.Context, a Access, e *Event) (*SavedView, error) {
	shared := e.Partition == viewsOf("")
	if !shared && e.Partition != viewsOf(a.user.Name) {
		return nil, fail(NotFound, "Only the owner of the view can undo this change.")
	}
	v, err := a.SavedView(ctx, shared, e.onlyPart())
	if KindOf(err) == NotFound {
		owner, err := a.viewOwner(shared)
		return &SavedView{ID: e.onlyPart(), Owner: owner}, err
	}
	return v, err
}

// restoreView saves, renames or deletes a view, so that it equals v.
func (a Access) restoreView(ctx context.Context, v SavedView, token string) error {
	shared := v.Owner == ""
	switch {
	case v.Name == "":
		return a.DeleteView(ctx, shared, v.ID, v.Version, token)
	case v.Version == 0:
		return a.addView(ctx, v, token)
	}
	return a.RenameView(ctx, shared, v.ID, v.Name, v.Version, token)
}
