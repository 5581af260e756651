package handlers

import (
	"cmp"

	"stockroom/views"
	"stockroom/views/ui"
)

// showKayakLabels shows a printable sheet of labels for a store's kayaks. The QR code on a
// label contains the full URL of the kayak's page.
func showKayakLabels(r *request) error {
	s, err := r.shop.RentalStore(r.ctx(), r.id())
	if err != nil {
		return err
	}
	fleet, err := r.shop.Fleet(r.ctx(), s.ID)
	if err != nil {
		return err
	}
	origin := r.site.tools.Origin(r.Context)
	labels := make([]views.Label, len(fleet))
	for i, k := range fleet {
		labels[i].Kayak = k
		if labels[i].Code, err = ui.NewQR(origin+views.KayakPath(k.ID), "QR code for "+cmp.Or(k.Name, k.ID)); err != nil {
			return err
		}
	}
	return r.show(views.LabelsPage(views.Labels{Page: r.page("Kayak labels of " + cmp.Or(s.Name, s.ID)), Store: *s, Labels: labels}))
}
