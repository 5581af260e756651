package handlers

import "stockroom/web"

func extendRentals(r *request, storeID string, form web.Form, _ picks) (string, error) {
	kayaks := parseKayakIDs(form.Get("kayaks"))
	due, err := r.day(form, "due")
	if err != nil {
		return "", err
	}
	rentals, err := r.shop.Extend(r.ctx(), storeID, kayaks, due, form.Token())
	return "Rental extended until " + longDate(due) + ": " + kayakLabels(rentals, kayaks) + ".", err
}
