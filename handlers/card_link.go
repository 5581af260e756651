package handlers

import (
	"errors"
	"net/http"
	"strings"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// showCardLink shows the page of a card link to the customer. After the customer has
// entered a new card, the payment service redirects to this page, which then replaces
// the card of the subscription.
func showCardLink(r *request) error {
	change, err := r.site.jobs.FinishCardChange(r.ctx(), r.param("link"), r.param("code"))
	p := views.CardLink{Done: change.Done}
	if s := change.Subscription; s != nil {
		p.Plan, p.Card = s.Plan(), s.PaymentDetails.Card
	}
	return r.cardLinkPage(p, err)
}

// startCardChange redirects the customer to the payment service's page for entering a
// card.
func startCardChange(r *request) error {
	if _, err := r.readForm(); err != nil {
		return err
	}
	to, err := r.site.jobs.StartCardChange(r.ctx(), r.param("link"), r.param("code"))
	if err != nil {
		return r.cardLinkPage(views.CardLink{}, err)
	}
	if to == "" { // the card has already been replaced
		to = r.cardLinkPath()
	}
	return web.Redirect(r.Context, to)
}

func (r *request) cardLinkPath() string { return views.CardLinkPath(r.param("link"), r.param("code")) }

// cardLinkPage renders the page of a card link. If err is an error of the link, the page
// shows it. cardLinkPage extends the content security policy, so that the form can redirect
// to the payment service.
func (r *request) cardLinkPage(p views.CardLink, err error) error {
	status := http.StatusOK
	var known *store.Error
	switch {
	case err == nil:
	case errors.As(err, &known) && known.Kind == store.NotFound:
		p.Problem, status = known.Message, http.StatusNotFound
	case errors.As(err, &known) && known.Kind == store.Conflict:
		p.Problem, status = known.Message, http.StatusConflict
	default:
		return err
	}
	settings, err := r.site.store.Settings(r.ctx())
	if err != nil {
		return err
	}
	p.Page, p.Company, p.Path, p.Token = r.page("New card"), settings.Company.Name, r.cardLinkPath(), r.newFormToken()
	if origin := r.site.jobs.CardOrigin(); origin != "" {
		header := r.Response().Header()
		policy := header.Get("Content-Security-Policy")
		header["Content-Security-Policy"] = []string{strings.Replace(policy, "form-action 'self'", "form-action 'self' "+origin, 1)}
	}
	return r.site.tools.RenderStatus(r.Context, status, views.CardLinkPage(p))
}
