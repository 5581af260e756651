package handlers

import (
	"errors"
	"net/http"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

const secondFactorPath = "/account/second-factor"

func showSecondFactor(r *request) error {
	return r.secondFactorPage(http.StatusOK, views.SecondFactor{})
}

// secondFactorPage renders the page on which users set up their second factor. If the user
// has no authenticator app, the page contains a new secret for an app each time, except
// after a wrong code.
func (r *request) secondFactorPage(status int, p views.SecondFactor) error {
	user := web.SignedInUser(r.Context)
	factor, err := r.site.store.SecondFactorOf(r.ctx(), user.Name)
	if err != nil {
		return err
	}
	p.Factor, p.Required = *factor, r.settings.RequiresFactor(user.Role)
	if !factor.HasApp() {
		if p.Secret == "" {
			p.Secret = store.NewAppSecret()
		}
		if p.SignedSecret, err = r.site.tools.SignSecret(user, p.Secret); err != nil {
			return err
		}
		if p.Code, err = ui.NewQR(store.AppURL(user.Name, p.Secret), "QR code for the authenticator app"); err != nil {
			return err
		}
	}
	handle := factor.Handle
	if handle == "" {
		handle = store.NewHandle()
	}
	request, err := r.site.tools.RequestNewPasskey(r.Context, factor, handle)
	if err != nil {
		return err
	}
	p.Add = views.PasskeyForm{Action: "/account/passkeys", Label: "Add passkey", Options: request.Options, State: request.State}
	p.Page = r.page("Second factor")
	return r.site.tools.RenderStatus(r.Context, status, views.SecondFactorPage(p))
}

func addApp(r *request) error {
	form, err := web.ReadForm(r.Context, "secret", "code")
	if err != nil {
		return err
	}
	user := web.SignedInUser(r.Context)
	secret := r.site.tools.ReadSecret(user, form.Get("secret"))
	if secret == "" {
		return r.secondFactorPage(http.StatusUnprocessableEntity, views.SecondFactor{Problem: "This page was open for too long. Scan the new code."})
	}
	changed, codes, err := r.site.store.AddApp(r.ctx(), web.Session(r.Context), secret, form.Get("code"))
	var rejected *store.Error
	if errors.As(err, &rejected) && rejected.Field == "code" {
		return r.secondFactorPage(http.StatusUnprocessableEntity, views.SecondFactor{Secret: secret, CodeInput: ui.Input{Error: rejected.Message}})
	}
	return r.finishFactor(err, changed, store.FactorApp, codes, "Authenticator app set up.")
}

func removeApp(r *request) error {
	if _, err := web.ReadForm(r.Context); err != nil {
		return err
	}
	changed, err := r.site.store.RemoveApp(r.ctx(), web.Session(r.Context))
	return r.finishFactor(err, changed, web.Session(r.Context).Factor, nil, "Authenticator app removed.")
}

// addPasskey adds a passkey that the browser has created.
func addPasskey(r *request) error {
	form, err := web.ReadForm(r.Context, "state", "credential", "name")
	if err != nil {
		return err
	}
	user := web.SignedInUser(r.Context)
	factor, err := r.site.store.SecondFactorOf(r.ctx(), user.Name)
	if err != nil {
		return err
	}
	handle, passkey, err := r.site.tools.ReadNewPasskey(r.Context, factor, form.Get("state"), form.Get("credential"))
	if store.KindOf(err) == store.Forbidden {
		return r.secondFactorPage(http.StatusUnprocessableEntity, views.SecondFactor{Problem: messageOf(err)})
	}
	if err != nil {
		return err
	}
	passkey.Name = form.Get("name")
	changed, codes, err := r.site.store.AddPasskey(r.ctx(), web.Session(r.Context), handle, passkey)
	var rejected *store.Error
	if errors.As(err, &rejected) && rejected.Field == "name" {
		return r.secondFactorPage(http.StatusUnprocessableEntity, views.SecondFactor{Name: ui.Input{Value: form.Get("name"), Error: rejected.Message}})
	}
	return r.finishFactor(err, changed, store.FactorPasskey, codes, "Passkey added.")
}

func removePasskey(r *request) error {
	form, err := web.ReadForm(r.Context, "passkey")
	if err != nil {
		return err
	}
	changed, err := r.site.store.RemovePasskey(r.ctx(), web.Session(r.Context), form.Get("passkey"))
	return r.finishFactor(err, changed, web.Session(r.Context).Factor, nil, "Passkey removed.")
}

func renewRecoveryCodes(r *request) error {
	if _, err := web.ReadForm(r.Context); err != nil {
		return err
	}
	changed, codes, err := r.site.store.RenewRecoveryCodes(r.ctx(), web.Session(r.Context))
	return r.finishFactor(err, changed, web.Session(r.Context).Factor, codes, "Recovery codes replaced.")
}

// finishFactor finishes a change of the user's second factor. It starts a new session,
// because the change has ended all sessions of the user. It then shows new recovery
// codes, or redirects. If the change was rejected, it shows the page again with the
// error. The argument factor is the second factor of the new session, or store.NoFactor,
// and err is the error of the change.
func (r *request) finishFactor(err error, changed *store.User, factor store.Factor, codes []string, message string) error {
	var rejected *store.Error
	if errors.As(err, &rejected) && rejected.Kind != store.Unconfirmed {
		return r.secondFactorPage(http.StatusConflict, views.SecondFactor{Problem: rejected.Message})
	}
	if err != nil {
		return err
	}
	session := web.Session(r.Context)
	if !changed.SecondFactor && session.Factor != store.FactorProvider {
		factor = store.NoFactor
	}
	if err := r.site.tools.ContinueSession(r.Context, changed, factor); err != nil {
		return err
	}
	if len(codes) == 0 {
		return r.redirectWithFlash(message, secondFactorPath)
	}
	p := views.RecoveryCodes{Codes: codes, Message: message}
	p.Page = r.page("Recovery codes")
	return r.show(views.RecoveryCodesPage(p))
}

// resetSecondFactor removes the second factor of another user.
func resetSecondFactor(r *request) error {
	form, err := r.readForm()
	if err != nil {
		return err
	}
	err = r.shop.ResetSecondFactor(r.ctx(), r.id(), form.Version(), form.Token())
	return r.finishChange(err, "Second factor reset.", views.UserPath(r.id()), r.userAgain)
}
