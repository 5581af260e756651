package handlers

import (
	"strings"
	"time"

	"stockroom/web"
)

func extend(r *request, storeID string, form web.Form) (string, error) {
	kayaks := scanned(form.Get("kayaks"))
	due, err := r.day(form, "due")
	if err != nil {
		return "", err
	}
	return "Out until " + due.Format(time.DateOnly) + ": " + strings.Join(kayaks, ", ") + ".", r.shop.Extend(r.ctx(), storeID, kayaks, due, form.Once())
}
