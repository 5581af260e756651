package views_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/views"
)

// TestInvoicePrint_PDFPrintsScripts checks a long invoice with names in several scripts.
// The PDF shows question marks for characters that its font lacks.
func TestInvoicePrint_PDFPrintsScripts(t *testing.T) {
	p := views.InvoicePrint{
		Page:     views.Page{Currency: "EUR", Zone: time.UTC, Now: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)},
		Invoice:  store.Invoice{Number: 7, Amount: store.MinorUnits(12_00)},
		Customer: &store.Customer{Name: "Ελένη Παπαδοπούλου", Address: store.Address{City: "Київ", Street: "Žižkov"}},
	}
	for n := range 80 {
		p.Order.Items = append(p.Order.Items, store.OrderItem{Name: fmt.Sprintf("Байдарка %d 船🛶", n), Price: store.MinorUnits(15), Quantity: 1})
	}
	file, err := p.PDF(nil)
	if err != nil || !bytes.HasPrefix(file, []byte("%PDF-")) {
		t.Fatalf("got %d bytes, %v, want a PDF", len(file), err)
	}
	again, err := p.PDF(nil)
	if err != nil || !bytes.Equal(file, again) {
		t.Errorf("got another PDF of the same invoice, %v", err)
	}
	program := os.Getenv("STOCKROOM_TEST_PDFTOTEXT")
	if program == "" {
		return
	}
	command := exec.Command(program, "-layout", "-", "-")
	command.Stdin = bytes.NewReader(file)
	text, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"INV-7", "Ελένη Παπαδοπούλου", "Київ", "Žižkov", "Байдарка 0 ??", "Байдарка 79 ??", "€12.00"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("got no %q: %s", want, text)
		}
	}
	pages := strings.Split(strings.TrimRight(string(text), "\f"), "\f")
	for n, page := range pages[:2] {
		if len(pages) < 2 || !strings.Contains(page, "Product") {
			t.Errorf("page %d of %d: got no names of columns: %s", n+1, len(pages), page)
		}
	}
}

// TestPaper_WarnsOfWords checks the warnings on pages of a document with letters that the
// font of PDFs lacks. A warning must contain whole words.
func TestPaper_WarnsOfWords(t *testing.T) {
	for name, words := range map[string]string{"Ελένη Žižkov Київ": "", "דוד": "דוד", "أحمد": "أحمد", "王小明 Wang": "王小明", "Anna शर्मा": "शर्मा"} {
		p := views.InvoicePrint{Page: signedIn(), Invoice: store.Invoice{Number: 7}, Customer: &store.Customer{Name: name}}
		form := views.DocumentSend{Page: signedIn(), Kind: store.EmailInvoice, Customer: p.Customer}
		if menu := rendered(t, views.InvoicePage(views.Invoice{Page: signedIn(), Customer: p.Customer})).text(); strings.Contains(menu, "PDF (can't show "+words+")") != (words != "") {
			t.Errorf("%s: got no warning of the words %q in the menu, or one too many", name, words)
		}
		for page, text := range map[string]string{"print": rendered(t, views.InvoicePrintPage(p)).text(), "email": rendered(t, views.DocumentSendPage(form)).text()} {
			warns := strings.Contains(text, "The PDF can't show words such as")
			if warns != (words != "") || words != "" && !strings.Contains(text, "words such as "+words) {
				t.Errorf("%s: %s: got %q, want a warning of the words %q", page, name, text, words)
			}
		}
	}
}
