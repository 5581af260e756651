package handlers

import (
	"net/url"
	"strings"

	"stockroom/store"
	"stockroom/web"
)

func checkOut(r *request, storeID string, form web.Form) (string, error) {
	kayaks := parseKayakIDs(form.Get("kayaks"))
	due, err := r.day(form, "due")
	if err != nil {
		return "", err
	}
	out := store.CheckOut{StoreID: storeID, Person: form.Get("person"), KayakIDs: kayaks, Due: due}
	rentals, err := r.shop.CheckOut(r.ctx(), out, form.Token())
	return "Checked out" + toRenter(" to ", rentals) + " until " + longDate(due) + ": " + kayakLabels(rentals, kayaks) + ".", err
}

// kayakLabels returns the names of the kayaks of the rentals. A form that was
// submitted twice has no rentals; it then returns the IDs.
func kayakLabels(rentals []store.Rental, ids []string) string {
	if len(rentals) == 0 {
		return strings.Join(ids, ", ")
	}
	labels := make([]string, len(rentals))
	for i := range rentals {
		labels[i] = rentals[i].KayakLabel()
	}
	return strings.Join(labels, ", ")
}

// toRenter returns word and the renter's name, or "" if the rentals have
// different renters.
func toRenter(word string, rentals []store.Rental) string {
	for i := range rentals {
		if rentals[i].PersonID != rentals[0].PersonID {
			return ""
		}
	}
	if len(rentals) == 0 {
		return ""
	}
	return word + rentals[0].Renter()
}

// parseKayakIDs returns the kayak IDs in a text, one per line. A line can also be
// the address of a kayak's page, which a scanner enters.
func parseKayakIDs(text string) []string {
	var ids []string
	for line := range strings.Lines(text) {
		id := strings.TrimSpace(line)
		if _, last, found := strings.Cut(id, kayakPages); found {
			last, _, _ = strings.Cut(last, "?")
			if unescaped, err := url.PathUnescape(last); err == nil {
				id = unescaped
			}
		}
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// kayakPages is the start of the path of a kayak's page.
const kayakPages = "/kayaks/"
