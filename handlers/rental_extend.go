package handlers

import (
	"strings"

	"stockroom/web"
)

func extendRentals(r *request, storeID string, form web.Form) (string, error) {
	kayaks := parseKayakIDs(form.Get("kayaks"))
	due, err := r.day(form, "due")
	if err != nil {
		return "", err
	}
	return "Extended until " + longDate(due) + ": " + strings.Join(kayaks, ", ") + ".", r.shop.Extend(r.ctx(), storeID, kayaks, due, form.Token())
}
