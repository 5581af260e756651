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

	CurrencyInUse *store.CurrencyInUseError // why the currency can't be changed; nil unless a change was rejected for this reason
}

func (p Settings) change() ui.Change { return p.to("/admin/settings", "Save settings", "") }

// inputs returns the fields of the form. If the currency cannot be changed, its error has
// links to the open amounts.
func (p Settings) inputs() []ui.Field {
	fields := p.fields(p.Fields)
	for i := range fields {
		if fields[i].Name == "currency" && p.CurrencyInUse != nil {
			fields[i].Links = linksInUse(p.CurrencyInUse)
		}
	}
	return fields
}

func linksInUse(e *store.CurrencyInUseError) []ui.FieldLink {
	var links []ui.FieldLink
	for _, status := range e.Subscriptions {
		links = append(links, ui.FieldLink{Path: "/subscriptions?status=" + string(status), Text: strings.ToLower(subscriptionBadge(status).Word) + " subscriptions"})
	}
	for _, status := range e.Invoices {
		links = append(links, ui.FieldLink{Path: "/invoices?status=" + string(status), Text: strings.ToLower(invoiceBadge(status).Word) + " invoices"})
	}
	return links
}
