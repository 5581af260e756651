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

// draftKey returns the key of the draft in the address, or "". It includes the path,
// because the draft of one form must not appear in another.
func (r *request) draftKey() string {
	key := r.QueryParam(views.DraftParam)
	if key == "" {
		return ""
	}
	return r.Request().URL.Path + " " + key
}

// draft returns the draft of the form. It returns an empty form if there is none.
func (r *request) draft() web.Form { return r.site.tools.Draft(r.Context, r.draftKey()) }

// tokenOfStep returns the form token for the next step of a form. All steps have the
// same ULID. If the user goes back and submits the last step again, it is therefore
// recognized as the second submission of the same form.
func (r *request) tokenOfStep(form web.Form) string {
	if form.TokenID() == "" || web.IsViewing(r.Context) {
		return r.newFormToken()
	}
	return r.site.tools.SignFormToken(r.Context, form.TokenID())
}

// saveDraft saves what the user entered. The result saved is false if the address
// contains no key, or if the form is too long.
func (r *request) saveDraft(form web.Form) (saved bool, err error) {
	key := r.draftKey()
	if key == "" {
		return false, nil
	}
	return r.site.tools.SaveDraft(r.Context, key, form)
}

func (r *request) deleteDraft() {
	r.site.tools.DeleteDraft(r.Context, r.draftKey())
}
