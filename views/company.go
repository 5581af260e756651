package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// LogoPath is the start of the path of the logo. The digest of the logo completes the path.
const LogoPath = "/logo/"

func logoImage(digest, alt string) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<img class="logo" src="`)
		m.Path(LogoPath, digest)
		m.HTML(`" alt="`)
		m.Text(alt)
		m.HTML(`"/>`)
	}
}

// LogoFormPath is the path to which the form with the logo posts.
const LogoFormPath = "/admin/settings/logo"

// logoText returns the alternative text of the logo, for screen readers. It is "" if the
// name of the company follows the logo.
func logoText(c *store.Company) string {
	if c.Name != "" {
		return ""
	}
	return "Logo"
}
