package handlers

import (
	"stockroom/store"
	"stockroom/web"
)

func extendRentals(r *request, storeID string, form web.Form, _ picks, wrong *store.InputErrors) (string, error) {
	kayaks := parseKayakIDs(form.Get("kayaks"))
	due := r.dayInto(form, "due", wrong)
	rentals, err := r.shop.Extend(r.ctx(), store.Extension{StoreID: storeID, Kayaks: kayaks, Due: due, Shown: form.All(store.FieldShown)}, form.Token())
	return "Rental extended until " + longDate(due) + ": " + kayakLabels(rentals, kayaks) + ".", err
}
