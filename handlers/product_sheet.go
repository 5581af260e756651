package handlers

import (
	"net/http"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// productSheet is a form to which users add products one by one. Each product becomes a
// line.
type productSheet interface {
	// addProduct adds one piece to the line of a product. If the product has no line, it
	// adds a line with one piece.
	addProduct(product *store.Choice) error
	// page renders the form with the entered values and an error. The argument rejected
	// may be nil.
	page(r *request, rejected *store.Error) (templ.Component, error)
}

func emptyProduct() pick { return pick{name: "product", kind: store.ChooseProduct} }

// answerSheet handles the form of a sheet. If the user pressed the button whose value is
// submit, it returns true, and the caller then submits all lines. If the field still
// contains a product, it shows an error and returns false instead. For the other buttons,
// it adds the product in the field, responds with the form, and returns false.
func (r *request) answerSheet(s productSheet, field *pick, form web.Form, submit string) (submitted bool, err error) {
	product, rejection := r.readPick(form, "product", store.ChooseProduct)
	if *field = product; rejection != nil {
		return false, r.rejectSheet(s, rejection)
	}
	switch form.Get(views.ButtonParam) {
	case submit:
		if product.chosen != nil {
			return false, r.rejectSheet(s, store.InvalidField("product", "Add this product, or clear the field."))
		}
		return true, nil
	case views.ButtonAddProduct, "": // Enter submits the form without pressing a button
		if product.chosen != nil {
			if err := s.addProduct(product.chosen); err != nil {
				return false, r.rejectSheet(s, err)
			}
		}
		page, err := s.page(r, nil)
		if err != nil {
			return false, err
		}
		return false, r.show(page)
	}
	return false, echo.NewHTTPError(http.StatusBadRequest, "Unknown button.")
}

// rejectSheet shows the form again with the entered values and the error.
func (r *request) rejectSheet(s productSheet, err error) error {
	return r.rejectChange(err, func(rejected *store.Error) (templ.Component, error) { return s.page(r, rejected) })
}
