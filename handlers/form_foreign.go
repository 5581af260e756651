package handlers

import (
	"net/http"
	"net/url"

	"github.com/labstack/echo/v4"

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

// showForeignForm refuses a form that was not opened in this session. It shows what the
// user entered, with a button that submits it with a new token. A script gets the new token
// instead.
func (r *request) showForeignForm() error {
	if web.IsScript(r.Request()) {
		return r.JSON(http.StatusForbidden, struct {
			Error string `json:"error"`
			Token string `json:"once"`
		}{messageForeign, r.newFormToken()})
	}
	openAgain := echo.NewHTTPError(http.StatusForbidden, messageForeign+" Open the form again and fill it in.")
	if r.route.permission == store.Anyone || r.route.permission == store.SignedIn { // the form may contain a password
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
	return r.site.tools.RenderStatus(r.Context, http.StatusForbidden, views.KeptFormPage(views.KeptForm{
		Page: r.page("Send form"), Path: form.Path, Values: form.Values, Refused: messageForeign + " Check what you entered, and then send it.",
	}))
}
