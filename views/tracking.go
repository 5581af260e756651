package views

import (
	"net/url"
	"strings"
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

// trackingURL returns the address of the carrier's tracking page, or "" if the carrier
// is unknown.
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
