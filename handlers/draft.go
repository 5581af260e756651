package handlers

import (
	"stockroom/views"
	"stockroom/web"
)

// The address of a form with several steps contains the key of a draft. On the way back to
// an earlier step, the form shows the values of the draft; see web.Tools.SaveDraft.

// draftPath returns the address of the request, with the key of a draft.
func (r *request) draftPath() string {
	query := r.QueryParams()
	if !query.Has(views.DraftParam) {
		query.Set(views.DraftParam, r.site.store.NewToken())
	}
	return r.Request().URL.EscapedPath() + "?" + query.Encode()
}

// draft returns the draft of the form. It returns an empty form if there is none.
func (r *request) draft() web.Form {
	return r.site.tools.Draft(r.Context, r.QueryParam(views.DraftParam))
}

// saveDraft saves what the user entered. saved is false if the address contains no key, or
// if the form is too long.
func (r *request) saveDraft(form web.Form) (saved bool, err error) {
	key := r.QueryParam(views.DraftParam)
	if key == "" {
		return false, nil
	}
	return r.site.tools.SaveDraft(r.Context, key, form)
}

func (r *request) deleteDraft() {
	r.site.tools.DeleteDraft(r.Context, r.QueryParam(views.DraftParam))
}
