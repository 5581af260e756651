package views

import (
	"strings"

	"stockroom/store"
	"stockroom/views/ui"
)

// Settings is the page of the settings of the business. The form posts Fields to
// /admin/settings.
type Settings struct {
	Page
	Form
	Shards, ShardsRead int
	Fields             []EditField
	Seen               string // see FieldSeen
	Logo               string // digest of the logo; "" if there is none
	LogoFile           ui.Input
	LogoToken          string // form token of the two logo forms

	CurrencyInUse *store.CurrencyInUseError // why the currency can't be changed; set only after the user has tried to change it
}

func (p Settings) change() ui.Change { return p.to("/admin/settings", "Save settings", "") }

func (p Settings) logoField() ui.Field {
	return ui.Field{Name: store.FieldLogo, Label: "Logo", Input: p.LogoFile}
}

// inputs returns the fields of the form twice: grouped by heading, and as one list. If the
// currency can't be changed, its field links to the open amounts.
func (p Settings) inputs() (groups []editGroup, fields []ui.Field) {
	groups = p.groups(p.Fields)
	for _, group := range groups {
		for i := range group.fields {
			switch field := &group.fields[i]; {
			case field.Name == "currency" && p.CurrencyInUse != nil:
				field.Links = linksInUse(p.CurrencyInUse)
			case field.Name == "timezone":
				field.Suggestions = "time-zones"
			}
		}
		fields = append(fields, group.fields...)
	}
	return groups, fields
}

// timeZones lists the time zones that the form suggests. The user can enter any other
// time zone.
var timeZones = strings.Fields(`
	Africa/Cairo Africa/Casablanca Africa/Johannesburg Africa/Lagos Africa/Nairobi
	America/Anchorage America/Argentina/Buenos_Aires America/Bogota America/Chicago America/Denver America/Halifax America/Lima
	America/Los_Angeles America/Mexico_City America/New_York America/Phoenix America/Santiago America/Sao_Paulo America/Toronto America/Vancouver
	Asia/Bangkok Asia/Dhaka Asia/Dubai Asia/Hong_Kong Asia/Jakarta Asia/Jerusalem Asia/Karachi Asia/Kolkata Asia/Manila Asia/Riyadh Asia/Seoul
	Asia/Shanghai Asia/Singapore Asia/Taipei Asia/Tehran Asia/Tokyo
	Atlantic/Reykjavik Australia/Adelaide Australia/Brisbane Australia/Melbourne Australia/Perth Australia/Sydney
	Europe/Amsterdam Europe/Athens Europe/Berlin Europe/Brussels Europe/Bucharest Europe/Budapest Europe/Copenhagen Europe/Dublin Europe/Helsinki
	Europe/Istanbul Europe/Kyiv Europe/Lisbon Europe/London Europe/Madrid Europe/Oslo Europe/Paris Europe/Prague Europe/Riga Europe/Rome
	Europe/Stockholm Europe/Tallinn Europe/Vienna Europe/Vilnius Europe/Warsaw Europe/Zurich
	Pacific/Auckland Pacific/Honolulu UTC
`)

func linksInUse(e *store.CurrencyInUseError) []ui.FieldLink {
	var links []ui.FieldLink
	for _, status := range e.Subscriptions {
		links = append(links, ui.FieldLink{Path: "/subscriptions?status=" + string(status), Text: strings.ToLower(subscriptionBadge(status).Word) + " subscriptions"})
	}
	for _, status := range e.Invoices {
		links = append(links, ui.FieldLink{Path: "/invoices?status=" + string(status), Text: strings.ToLower(invoiceStatusBadge(status).Word) + " invoices"})
	}
	return links
}
