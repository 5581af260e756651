package handlers

import (
	"net/http"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

const logoPath = views.LogoFormPath

// maxLogoForm is the maximum size of the form that uploads a logo, in bytes. It is much
// larger than store.MaxLogo, so that the form can show an error for a file that is too
// large.
const maxLogoForm = 8 << 20

// logoPolicy is the content security policy of a logo. If the logo is an SVG that a user
// opens as a page, it must not run scripts or load anything.
const logoPolicy = "default-src 'none'; sandbox; frame-ancestors 'none'"

// sendLogo sends the logo with this digest. Browsers may cache it for a year, because
// another logo has another address.
func sendLogo(r *request) error {
	logo, err := r.shop.Logo(r.ctx())
	if err == nil && logo.Digest != r.param("digest") {
		err = &store.Error{Kind: store.NotFound, Message: "This logo was replaced or removed."}
	}
	if err != nil {
		return err
	}
	header := r.Response().Header()
	header.Set("Content-Security-Policy", logoPolicy)
	header.Set("Cache-Control", "private, max-age=31536000, immutable")
	return r.Blob(http.StatusOK, logo.Type, logo.Content)
}

func uploadLogo(r *request) error {
	form, file, err := r.site.tools.ReadFile(r.Context, store.FieldLogo, store.MaxLogo)
	if err != nil {
		return err
	}
	var logo *store.Logo
	if len(file) == 0 {
		err = store.InvalidField(store.FieldLogo, "Choose a PNG or SVG file.")
	} else {
		logo, err = store.ParseLogo(file)
	}
	if err == nil {
		err = r.shop.ChangeLogo(r.ctx(), logo, form.Version(), form.Token())
	}
	return r.finishChange(err, "Logo uploaded.", "/admin/settings", r.rejectLogo(form))
}

func removeLogo(r *request) error {
	form, err := r.readForm()
	if err != nil {
		return err
	}
	err = r.shop.ChangeLogo(r.ctx(), nil, form.Version(), form.Token())
	return r.finishChange(err, "Logo removed.", "/admin/settings", r.rejectLogo(form))
}

// rejectLogo returns a function that shows the saved settings, with the error of the
// logo form.
func (r *request) rejectLogo(form web.Form) func(*store.Error) (templ.Component, error) {
	return func(rejected *store.Error) (templ.Component, error) {
		p, err := r.settingsForm(web.Form{}, nil)
		if err != nil {
			return nil, err
		}
		version := p.Version
		p.Form = r.formState(form, rejected, version)
		p.Version = version
		if rejected.Field == store.FieldLogo {
			p.LogoFile.Error = rejected.Message
		}
		return views.SettingsPage(p), nil
	}
}
