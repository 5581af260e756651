package handlers

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// matchesPerRequest is the maximum number of rows without a difference that one request
// records.
const matchesPerRequest = 95

func showCountReview(r *request) error { return r.showForm(r.countReviewForm) }

// applyCount handles the form of the review. With one button, it applies the selected rows
// to the stock, and records the rows whose count matches the stock. With the other button,
// it clears the selected rows so that they can be counted again.
func applyCount(r *request) error {
	names := []string{views.ButtonParam}
	for n := 1; n <= store.MaxCountRows; n++ {
		names = append(names, store.SheetField("tick", n), store.SheetField("version", n), store.SheetField("reason", n))
	}
	form, err := r.readForm(names...)
	if err != nil {
		return err
	}
	var message string
	switch form.Get(views.ButtonParam) {
	case views.ButtonApply, "":
		message, err = r.applySelected(form)
	case views.ButtonRecount:
		message, err = r.recountSelected(form)
	default:
		return echo.NewHTTPError(http.StatusBadRequest, "Unknown button.")
	}
	return r.finishChange(err, message, views.CountReviewPath(r.id()), r.rerender(form, r.countReviewForm))
}

func ticked(form web.Form) []int {
	var numbers []int
	for n := 1; n <= store.MaxCountRows && len(numbers) <= views.ShownDifferences; n++ {
		if form.Get(store.SheetField("tick", n)) != "" {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

func (r *request) recountSelected(form web.Form) (string, error) {
	numbers := ticked(form)
	if len(numbers) == 0 {
		return "", store.InvalidField(views.SelectedRows, "Select the rows to count again.")
	}
	shown := make([]store.CountCorrection, len(numbers))
	for i, number := range numbers {
		version, err := versionOfRow(form, number)
		if err != nil {
			return "", err
		}
		shown[i] = store.CountCorrection{Number: number, Version: version}
	}
	cleared, err := r.shop.ClearCount(r.ctx(), r.id(), shown)
	message := rowCount(cleared) + " cleared. Enter new counts on the sheet."
	if left := len(shown) - cleared; left > 0 {
		message += " " + rowCount(left) + " not cleared, because of a change by someone else."
	}
	return message, err
}

// versionOfRow returns the version of a row that the form showed.
func versionOfRow(form web.Form, number int) (int, error) {
	version, err := strconv.Atoi(form.Get(store.SheetField("version", number)))
	if err != nil {
		return 0, echo.NewHTTPError(http.StatusBadRequest, "Invalid version.")
	}
	return version, nil
}

func rowCount(n int) string { return store.NumberOf(n, "row", "rows") }

func (r *request) applySelected(form web.Form) (string, error) {
	n, err := r.shop.Count(r.ctx(), r.id())
	if err != nil {
		return "", err
	}
	results, err := r.shop.ReviewCount(r.ctx(), n)
	if err != nil {
		return "", err
	}
	numbers := ticked(form)
	if len(numbers) == 0 && slices.ContainsFunc(results, needsDecision) {
		return "", store.InvalidField(views.SelectedRows, "Select the rows to apply.")
	}
	var chosen, matches []store.CountCorrection
	for _, row := range results {
		switch {
		case slices.Contains(numbers, row.Number):
			version, err := versionOfRow(form, row.Number)
			if err != nil {
				return "", err
			}
			reason := form.Get(store.SheetField("reason", row.Number))
			if row.State == store.CountDiffers && reason == "" {
				return "", store.InvalidField(store.SheetField("reason", row.Number), "Choose a reason.")
			}
			chosen = append(chosen, store.CountCorrection{Number: row.Number, Version: version, Reason: reason})
		case row.State == store.CountMatches && len(matches) < matchesPerRequest:
			matches = append(matches, store.CountCorrection{Number: row.Number, Version: row.Version})
		}
	}
	if len(chosen)+len(matches) == 0 && !slices.ContainsFunc(results, func(row store.CountResult) bool { return row.State == store.CountApplied }) {
		return "", store.InvalidField(views.SelectedRows, "Select the rows to apply.")
	}
	applied, leftOut, err := r.shop.ApplyCount(r.ctx(), r.id(), chosen)
	if err != nil {
		return "", err
	}
	recorded, _, err := r.shop.ApplyCount(r.ctx(), r.id(), matches)
	message := fmt.Sprintf("Applied %s, recorded %s.", store.NumberOf(applied, "correction", "corrections"), store.NumberOf(recorded, "match", "matches"))
	if len(leftOut) > 0 {
		message += " " + rowCount(len(leftOut)) + " not applied, because the stock or the count has changed. Count again."
	}
	return message, err
}

// needsDecision reports whether the user must apply the row or count it again. The review
// lists only such rows.
func needsDecision(row store.CountResult) bool {
	return row.State == store.CountDiffers || row.State == store.CountMoved || row.State == store.CountDisputed
}

func (r *request) countReviewForm(form web.Form, rejected *store.Error) (templ.Component, error) {
	n, warehouse, err := r.count()
	if err != nil {
		return nil, err
	}
	results, err := r.shop.ReviewCount(r.ctx(), n)
	if err != nil {
		return nil, err
	}
	p := views.CountReview{Page: r.page("Review count"), Form: r.formState(web.Form{}, rejected, 0), Count: *n, Warehouse: warehouse, States: map[store.CountState]int{}, Selected: formInput(web.Form{}, rejected, views.SelectedRows)}
	for _, row := range results {
		p.States[row.State]++
		if row.State == store.CountDiffers && row.Difference() > 0 {
			p.Gained = p.Gained.Plus(row.Value())
		} else if row.State == store.CountDiffers {
			p.Lost = p.Lost.Plus(row.Value())
		}
		if !needsDecision(row) {
			continue
		}
		if len(p.Open) == views.ShownDifferences {
			p.More++
			continue
		}
		shown := views.CountReviewRow{CountResult: row, Ticked: row.State == store.CountDiffers && !row.IsLarge()}
		if rejected != nil {
			field := store.SheetField("reason", row.Number)
			shown.Ticked, shown.Reason = form.Get(store.SheetField("tick", row.Number)) != "", ui.Input{Value: form.Get(field)}
			if rejected.Field == field {
				shown.Reason.Error = rejected.Message
			}
		}
		p.Open = append(p.Open, shown)
	}
	return views.CountReviewPage(p), nil
}
