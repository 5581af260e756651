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
	return "Checked out until " + longDate(due) + ": " + strings.Join(kayaks, ", ") + ".", r.shop.CheckOut(r.ctx(), out, form.Token())
}

// parseKayakIDs returns the IDs in a text, one per line. A scanner enters the
// code of a label, which is the address of the kayak's page.
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
