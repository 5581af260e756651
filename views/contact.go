package views

import (
	"net/url"
	"strings"

	"stockroom/views/ui"
)

// mail writes a link to an email address. A line may break only before @ and before
// dots.
func mail(address string) ui.Written {
	return func(m *ui.Markup) {
		if address == "" {
			m.HTML(`–`)
			return
		}
		m.HTML(`<a href="mailto:`)
		m.Text(url.PathEscape(address))
		m.HTML(`">`)
		for i := strings.IndexAny(address[1:], "@."); i >= 0; i = strings.IndexAny(address[1:], "@.") {
			m.Text(address[:i+1])
			m.HTML(`<wbr>`)
			address = address[i+1:]
		}
		m.Text(address)
		m.HTML(`</a>`)
	}
}
