package handlers

import (
	"errors"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func showSettings(r *request) error {
	if _, err := r.query(); err != nil {
		return err
	}
	return r.showForm(r.settingsPage)
}

func (r *request) settingsPage(form web.Form, rejected *store.Error) (templ.Component, error) {
	p, err := r.settingsForm(form, rejected)
	return views.SettingsPage(p), err
}

func (r *request) settingsForm(form web.Form, rejected *store.Error) (views.Settings, error) {
	saved, err := r.shop.CurrentSettings(r.ctx())
	if err != nil {
		return views.Settings{}, err
	}
	p := views.Settings{
		Page: r.page("Settings"), Form: r.formState(form, rejected, saved.Version),
		Shards: saved.Shards, ShardsRead: saved.ShardsRead,
		Fields: editFields(store.SettingsFields, form, rejected, &saved, r.settings.Currency),
		Logo:   saved.Company.Logo, LogoToken: r.newFormToken(),
	}
	p.Seen = seenOf(p.Fields, form, rejected, form.Get)
	if rejected != nil {
		errors.As(rejected, &p.CurrencyInUse)
	}
	return p, nil
}

func changeSettings(r *request) error {
	form, err := r.readForm(append(store.SettingsFields.Names(), views.FieldSeen)...)
	if err != nil {
		return err
	}
	settings, shop := store.Settings{Version: form.Version()}, r.shop
	if err := shop.Wrong.Add(store.SettingsFields.Parse(&settings, form.Get)); err != nil {
		return err
	}
	err = shop.ChangeSettings(r.ctx(), settings, form.Token())
	return r.finishChange(err, "Settings saved.", "/admin/settings", r.rerender(form, r.settingsPage))
}
