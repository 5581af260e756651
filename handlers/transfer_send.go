package handlers

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// transferSheet is the form of a transfer that the user is filling in.
type transferSheet struct {
	store.TransferSheet
	product  pick
	added    string   // message about the product that was just added, or ""
	quantity []string // entered quantity of each line
}

// showTransferSheet shows the form of a new transfer from a warehouse. The query string
// can contain a product.
func showTransferSheet(r *request) error {
	q, err := r.query("product")
	if err != nil {
		return err
	}
	rejectSort(q)
	s := &transferSheet{TransferSheet: store.TransferSheet{SourceID: r.id()}, product: emptyProduct()}
	if name := q.Get("product"); name != "" {
		id, err := r.productID(name)
		switch {
		case err != nil:
			return err
		case id == "":
			q.Fail("product", "No product has this ID or SKU.")
			s.product.input = queryInput(q, "product")
		default:
			s.Lines, s.quantity = []store.TransferLine{{ProductID: id}}, []string{"1"}
		}
	}
	page, err := s.page(r, nil)
	if err != nil {
		return err
	}
	return r.site.tools.RenderStatus(r.Context, q.Status(), page)
}

// sendTransfer handles the form of a new transfer. Depending on the button, it adds the
// entered product, or sends all lines.
func sendTransfer(r *request) error {
	names := append(pickParams("product"), views.ButtonParam, "to", "reason")
	for n := 1; n <= store.MaxTransferLines; n++ {
		names = append(names, views.ProductParam(n), store.SheetField("quantity", n))
	}
	form, err := r.readForm(names...)
	if err != nil {
		return err
	}
	s := enteredTransfer(r.id(), form)
	if submitted, err := r.answerSheet(s, &s.product, form, views.ButtonSend); err != nil || !submitted {
		return err
	}
	pieces := s.readQuantities()
	err = r.shop.SendTransfer(r.ctx(), s.TransferSheet)
	if err == nil {
		return r.redirectWithFlash("Transfer of "+countPieces(pieces)+" sent.", views.SentTransfersPath(s.SourceID))
	}
	return r.rejectSheet(s, err)
}

func enteredTransfer(warehouseID string, form web.Form) *transferSheet {
	s := &transferSheet{TransferSheet: store.TransferSheet{SourceID: warehouseID, TargetID: form.Get("to"), Reason: form.Get("reason"), Token: form.Token()}}
	for n := 1; n <= store.MaxTransferLines && form.Get(views.ProductParam(n)) != ""; n++ {
		s.Lines = append(s.Lines, store.TransferLine{ProductID: form.Get(views.ProductParam(n))})
		s.quantity = append(s.quantity, form.Get(store.SheetField("quantity", n)))
	}
	return s
}

// addProduct adds one piece to the line of a product. If the product has no line, it adds
// a line with one piece.
func (s *transferSheet) addProduct(product *store.Choice) error {
	at := len(s.Lines)
	for i, line := range s.Lines {
		if line.ProductID == product.ID {
			at = i
		}
	}
	switch {
	case at == store.MaxTransferLines:
		return store.InvalidField("product", "A transfer can have at most %d lines. Send the products in the form first.", store.MaxTransferLines)
	case at == len(s.Lines):
		s.Lines, s.quantity = append(s.Lines, store.TransferLine{ProductID: product.ID}), append(s.quantity, "")
	}
	entered := strings.TrimSpace(s.quantity[at])
	n, err := strconv.Atoi(entered)
	if err != nil && entered != "" {
		return store.InvalidField(store.SheetField("quantity", at+1), "Enter a whole number, or leave it empty.")
	}
	s.quantity[at] = strconv.Itoa(n + 1)
	s.added = fmt.Sprintf("%s: %d.", product.Name, n+1)
	s.product = emptyProduct()
	return nil
}

// readQuantities parses the entered quantities of the lines, and adds errors to
// s.Wrong. It returns the sum of the quantities.
func (s *transferSheet) readQuantities() (pieces int) {
	for i := range s.Lines {
		if strings.TrimSpace(s.quantity[i]) == "" {
			continue
		}
		var err error
		s.Lines[i].Quantity, err = store.ParseWhole(store.SheetField("quantity", i+1), s.quantity[i])
		_ = s.Wrong.Add(err) // ParseWhole returns only Invalid
		pieces += s.Lines[i].Quantity
	}
	return pieces
}

func (s *transferSheet) page(r *request, rejected *store.Error) (templ.Component, error) {
	warehouse, err := r.shop.Warehouse(r.ctx(), s.SourceID)
	if err != nil {
		return nil, err
	}
	targets, err := r.shop.TransferTargets(r.ctx(), s.SourceID)
	if err != nil {
		return nil, err
	}
	details, err := r.shop.TransferStockDetails(r.ctx(), s.TransferSheet)
	if err != nil {
		return nil, err
	}
	at := func(input ui.Input, field string) ui.Input {
		input.Error = rejected.About(field)
		return input
	}
	p := views.TransferSheet{
		Page: r.page("Send transfer"), Form: r.formState(web.Form{}, rejected, 0), Warehouse: *warehouse, Targets: targets, Added: s.added,
		To: at(ui.Input{Value: s.TargetID}, "to"), Reason: at(ui.Input{Value: s.Reason}, "reason"),
		Product: views.PickInput{Input: at(s.product.input, "product"), ID: s.product.id(), Choices: s.product.view().Choices},
	}
	for i, line := range s.Lines {
		p.Lines = append(p.Lines, views.TransferLine{Stock: details[i].Stock, Quantity: at(ui.Input{Value: s.quantity[i]}, store.SheetField("quantity", i+1))})
		p.Lines[i].Stock.ProductID = line.ProductID
	}
	return views.TransferSheetPage(p), nil
}
