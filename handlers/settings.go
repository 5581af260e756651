package handlers

import (
	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

func showSettings(r *request) error {
	if _, err := r.query(); err != nil {
		return err
	}
	page, err := r.settingsPage(nil, nil)
	if err != nil {
		return err
	}
	return r.show(page)
}

// settingsPage is the page of the settings; where its form was refused, as
// typed, with what somebody else made of it meanwhile.
func (r *request) settingsPage(form *web.Form, refused *store.Error) (templ.Component, error) {
	saved, err := r.shop.CurrentSettings(r.ctx())
	if err != nil {
		return nil, err
	}
	p := views.Settings{
		Page: r.page("Settings"), Version: saved.Version, Shards: saved.Shards, ShardsRead: saved.ShardsRead, Token: r.token(),
		Code: ui.Input{Value: saved.Currency}, TimeZone: ui.Input{Value: saved.TimeZone},
	}
	if form != nil {
		p.Code, p.TimeZone = typed(*form, refused, "currency"), typed(*form, refused, "timezone")
	}
	if refused != nil && refused.Kind == store.Conflict {
		p.CodeNow, p.TimeZoneNow = now(p.Code, saved.Currency), now(p.TimeZone, saved.TimeZone)
	}
	return views.SettingsPage(p), nil
}

func changeSettings(r *request) error {
	form, err := r.form("currency", "timezone")
	if err != nil {
		return err
	}
	err = r.shop.ChangeSettings(r.ctx(), form.Version(), func(s *store.Settings) {
		s.Currency, s.TimeZone = form.Get("currency"), form.Get("timezone")
	}, form.Once())
	return r.changed(err, "The settings were saved.", "/admin/settings", func(refused *store.Error) (templ.Component, error) {
		return r.settingsPage(&form, refused)
	})
}
