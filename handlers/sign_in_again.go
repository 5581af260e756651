package handlers

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// signInAgain renders the sign-in page for a form that was submitted without a session. The
// argument kept is the form. If it is "", the sign-in leads back to the page with the form.
func (s *site) signInAgain(c echo.Context, kept, reason string) templ.Component {
	next := ""
	if kept == "" {
		next = referrerPath(c.Request())
	}
	return views.SignInPage(views.SignIn{
		Page: s.frame(c, "Sign in"), Form: kept, Reason: reason, Next: next,
		Provider: s.providerName(), ProviderOnly: s.isProviderOnly(), Forgot: s.sendsPasswordLinks(),
	})
}

// sentByHand contains the permissions of important forms. If the session ended before such
// a form was submitted, the user must sign in, review the form and submit it again. After a
// proof of identity, a script submits the form, because the user has just filled it in.
var sentByHand = []store.Permission{store.Administer, store.SetUp, store.Refund, store.RefundAny}

// offerKeptForm shows a kept form after sign-in or confirmation, with a button that submits
// it. If the same user filled it in, a script submits it immediately, except forms of
// sentByHand after sign-in. If another user filled it in, offerKeptForm discards it. The
// argument confirmed is true after a proof of identity.
func (r *request) offerKeptForm(kept string, user *store.User, confirmed bool) error {
	form := r.site.tools.ReadKeptForm(kept)
	if form == nil {
		return r.redirectWithFlash("Your form was not sent, because it was older than an hour. Fill it in again.", "/")
	}
	isSame := strings.EqualFold(form.User, user.Name)
	if form.User != "" && !isSame || r.site.tools.IsOfAnother(user.Name, form.Values.Get(web.FieldToken)) {
		return r.redirectWithFlash(fmt.Sprintf("The form was not sent, because another user filled it in. You are signed in as %s.", user.Name), "/")
	}
	var err error
	if r.settings, err = r.site.store.Settings(r.ctx()); err != nil { // the pages of a sign-in do not read them
		return err
	}
	r.signForm(form.Values)
	p := r.keptForm(form)
	p.Username, p.SendNow = user.Name, isSame && (confirmed || !slices.Contains(sentByHand, form.Permission))
	return r.site.tools.RenderStatus(r.Context, http.StatusOK, views.KeptFormPage(p))
}
