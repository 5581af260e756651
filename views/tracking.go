package views

import (
	"net/url"
	"strings"

	"stockroom/views/ui"
)

// trackingPages maps the name of a carrier, in lower case, to the address of its
// tracking page. The tracking number is appended to the address.
var trackingPages = map[string]string{
	"bring":      "https://tracking.bring.com/tracking/",
	"dhl":        "https://www.dhl.com/global-en/home/tracking.html?tracking-id=",
	"dpd":        "https://tracking.dpd.de/status/en_US/parcel/",
	"fedex":      "https://www.fedex.com/fedextrack/?trknbr=",
	"gls":        "https://gls-group.eu/EU/en/parcel-tracking?match=",
	"postnord":   "https://tracking.postnord.com/en/tracking?id=",
	"royal mail": "https://www.royalmail.com/track-your-item#/tracking-results/",
	"ups":        "https://www.ups.com/track?tracknum=",
	"usps":       "https://tools.usps.com/go/TrackConfirmAction?tLabels=",
}

// trackingURL returns the address of the carrier's tracking page, or "" if the carrier is
// unknown or the number is empty.
func trackingURL(carrier, number string) string {
	page := trackingPages[strings.ToLower(strings.TrimSpace(carrier))]
	number = strings.Join(strings.Fields(number), "")
	if page == "" || number == "" {
		return ""
	}
	if strings.Contains(page, "?") {
		return page + url.QueryEscape(number)
	}
	return page + url.PathEscape(number)
}

// tracking writes a tracking number: as a link to the carrier's page if the carrier is
// known, otherwise with a button that copies the number. It writes "–" for "".
func tracking(carrier, number string) ui.Written {
	return func(m *ui.Markup) {
		if address := trackingURL(carrier, number); address != "" {
			m.HTML(`<a href="`)
			m.Text(address)
			m.HTML(`" rel="noreferrer" dir="ltr">`)
			m.Text(number)
			m.HTML(`</a>`)
			return
		}
		if number == "" {
			m.HTML(`–`)
			return
		}
		m.HTML(`<bdi>`)
		m.Text(number)
		m.HTML(`</bdi> <button class="btn small" type="button" data-copy="`)
		m.Text(number)
		m.HTML(`" hidden>Copy<span class="vh"> tracking number</span></button>`)
	}
}
