package views

import (
	"strconv"

	"stockroom/store"
)

// paper is a document to print, such as an invoice or a credit note. Its HTML page and its
// PDF show the same text and amounts.
type paper struct {
	title     string
	back      string // path of the document's page
	facts     []paperFact
	addressee []string
	caption   string // caption of the table of lines
	columns   []string
	rows      [][]string
	sums      []paperSum
	bank      []string
}

// paperFact is a fact at the top of a document, such as its number.
type paperFact struct{ name, value string }

// paperSum is a sum below the lines of a document.
type paperSum struct {
	name   string
	amount store.Amount
	due    bool // printed in bold, such as the amount that the customer must pay
}

// sumColumns returns the number of columns that the label of a sum spans.
func (d *paper) sumColumns() string { return strconv.Itoa(len(d.columns) - 1) }

// addLines adds the table of lines. If the prices include tax, it also shows the prices
// without tax.
func (d *paper) addLines(p *Page, lines []store.DocumentLine, rate store.TaxRate) {
	d.columns = []string{"Product", "Unit price", "Quantity", "Amount"}
	if !rate.IsZero() {
		d.columns = []string{"Product", "Unit price without VAT", "Unit price", "Quantity", "Amount"}
	}
	for i := range lines {
		line := &lines[i]
		row := append(make([]string, 0, len(d.columns)), nameOr(line.Name, line.ProductID))
		if !rate.IsZero() {
			net, _ := rate.Split(line.Price, p.Currency)
			row = append(row, p.money(net))
		}
		d.rows = append(d.rows, append(row, p.money(line.Price), string(AppendCount(nil, line.Quantity)), p.money(line.Total())))
	}
}

func (d *paper) addSum(name string, amount store.Amount) {
	d.sums = append(d.sums, paperSum{name: name, amount: amount})
}

// addTax adds the net amount and the VAT of an amount that includes VAT. It adds nothing if
// the tax rate is zero.
func (d *paper) addTax(p *Page, amount store.Amount, rate store.TaxRate) {
	if !rate.IsZero() {
		net, tax := rate.Split(amount, p.Currency)
		d.addSum("Net amount", net)
		d.addSum("VAT "+rate.String()+" %", tax)
	}
}
