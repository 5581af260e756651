package views

import (
	"net/url"
	"strings"

	"stockroom/store"
	"stockroom/views/ui"
)

// contact writes phone numbers and an email address.
func contact(numbers []string, address string) ui.Written {
	return func(m *ui.Markup) {
		for _, number := range numbers {
			m.HTML(`<span class="call">`)
			m.Icon(ui.IconPhone)
			phone(number)(m)
			m.HTML(`</span>`)
		}
		if address != "" {
			m.HTML(`<span class="call">`)
			m.Icon(ui.IconMail)
			mail(address)(m)
			m.HTML(`</span>`)
		}
	}
}

// phone writes a phone number, as a link if it contains digits.
func phone(number string) ui.Written {
	return func(m *ui.Markup) {
		if digits := telDigits(number); digits != "" {
			m.HTML(`<a href="tel:`)
			m.Text(digits)
			m.HTML(`" dir="ltr">`)
			m.Text(number)
			m.HTML(`</a>`)
			return
		}
		m.HTML(`<bdi>`)
		m.Text(number)
		m.HTML(`</bdi>`)
	}
}

// customerContact writes a link to a customer, with phone numbers and email address. If c
// is nil, it writes only a link with the ID.
func customerContact(id string, c *store.Customer) ui.Written {
	return func(m *ui.Markup) {
		m.HTML(`<a href="`)
		m.Path("/customers/", id)
		if c == nil {
			m.HTML(`"><bdi>`)
			m.Text(id)
			m.HTML(`</bdi></a>`)
			return
		}
		m.HTML(`"><b dir="auto">`)
		m.Text(nameOr(c.Name, id))
		m.HTML(`</b></a><span class="sub">`)
		m.Text(id)
		m.HTML(`</span>`)
		contact(c.Phones, c.Email)(m)
	}
}

// postal writes a postal address, each part on a line of its own.
func postal(lines []string) ui.Written {
	return func(m *ui.Markup) {
		if len(lines) == 0 {
			m.HTML(`–`)
		}
		for i, line := range lines {
			if i > 0 {
				m.HTML(`<br>`)
			}
			m.HTML(`<bdi>`)
			m.Text(line)
			m.HTML(`</bdi>`)
		}
	}
}

// mail writes a link to an email address, or "–" for "". A line may break only before @
// and before dots.
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
