package handlers

import (
	"net/url"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/web"
)

func checkOut(r *request, storeID string, form web.Form) (string, error) {
	kayaks := scanned(form.Get("kayaks"))
	due, err := r.day(form, "due")
	if err != nil {
		return "", err
	}
	out := store.CheckOut{StoreID: storeID, Person: form.Get("person"), KayakIDs: kayaks, Due: due}
	return "Out until " + due.Format(time.DateOnly) + ": " + strings.Join(kayaks, ", ") + ".", r.shop.CheckOut(r.ctx(), out, form.Once())
}

// scanned are the IDs that a scanner or a person typed, one a line. The code
// on a label is the address of the kayak's page, which ends in its ID.
func scanned(text string) []string {
	var ids []string
	for line := range strings.Lines(text) {
		id := strings.TrimSpace(line)
		if _, last, found := strings.Cut(id, kayakPages); found {
			last, _, _ = strings.Cut(last, "?")
			if plain, err := url.PathUnescape(last); err == nil {
				id = plain
			}
		}
		if id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// kayakPages is what the addresses of kayaks' pages have in common.
const kayakPages = "/kayaks/"
