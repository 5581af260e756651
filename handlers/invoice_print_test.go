package handlers

import (
	"html"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// saveCompany saves the settings with company details and a VAT rate. The response must
// have the status want.
func saveCompany(t *testing.T, admin *browser, version, rate string, want int) answer {
	t.Helper()
	got := admin.post("/admin/settings", url.Values{
		"currency": {"EUR"}, "timezone": {"UTC"}, "payments": {"record"}, "reminder": {"7"}, "receipt": {"183"}, "access": {"396"}, "idle": {"30"}, "life": {"12"},
		"company": {"Kajak & Sø ApS " + evil}, "company-address": {"Havnegade 1\n5000 Odense"}, "vat-number": {"DK12345678"}, "tax-rate": {rate},
		"bank": {"IBAN DK50 0040 0440 1162 43"}, "footer": {"Thank you."}, "version": {version}, "once": {admin.token("/admin/settings")},
	})
	if got.status != want {
		t.Fatalf("VAT rate %q: got status %d, want %d: %s", rate, got.status, want, content(got.body))
	}
	return got
}

// TestInvoicePrint_HasMandatoryFields places an order. Its invoice must contain the
// fields that article 226 of the EU's VAT directive requires: Council Directive
// 2006/112/EC, https://eur-lex.europa.eu/eli/dir/2006/112/oj.
func TestInvoicePrint_HasMandatoryFields(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	for _, rate := range []string{"101", "-1", "25 %"} {
		if got := saveCompany(t, admin, "1", rate, http.StatusUnprocessableEntity); !strings.Contains(got.body, `id="field-tax-rate-error"`) || !strings.Contains(got.body, "Havnegade 1\n5000 Odense") {
			t.Errorf("VAT rate %q: got no error at the field, or a field without the input: %s", rate, content(got.body))
		}
	}
	saveCompany(t, admin, "1", "25", http.StatusSeeOther)
	placed := admin.post("/orders/new", url.Values{
		"customer": {"customer7@example.com"}, "product-1": {"SKU-7"}, "quantity-1": {"2"}, "do": {"take"}, "total": {"2.14"}, "once": {b.store.NewToken()},
	})
	if placed.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303: %s", placed.status, content(placed.body))
	}
	saveCompany(t, admin, "2", "12", http.StatusSeeOther)
	_, invoice, _ := strings.Cut(admin.get(placed.location).body, `href="/invoices/`)
	invoice, _, _ = strings.Cut(invoice, `"`)
	page := admin.get("/invoices/" + invoice + "/print").body
	for field, want := range map[string]string{
		"(1) date of issue":                      "<dt>Date</dt><dd>21 Nov 2026</dd>",
		"(2) sequential number":                  "<dt>Number</dt><dd>INV-1</dd>",
		"(3) VAT number of the supplier":         "VAT number DK12345678",
		"(5) name of the supplier":               "Kajak &amp; Sø ApS",
		"(5) address of the supplier":            "<bdi>5000 Odense</bdi>",
		"(5) address of the customer":            `aria-label="Billed to"`,
		"(6, 8) goods, unit price without VAT":   `<td dir="auto">c-product 7</td><td class="num">€0.86</td>`,
		"(8) unit price without VAT":             `Unit price without VAT`,
		"(8) taxable amount":                     "Net amount",
		"(9) VAT rate of the day of the order":   "VAT 25 %",
		"bank details":                           "IBAN DK50 0040 0440 1162 43",
		"footer":                                 "Thank you.",
		"name as text, although it has a script": "&lt;",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s: got no %q: %s", field, want, content(page))
		}
	}
	if executable(page) != "" {
		t.Errorf("got a page that runs the name of the company: %s", executable(page))
	}
	checkPDF(t, admin.get("/invoices/"+invoice+"/pdf"), page)
	checkCreditNote(t, admin, invoice)
	if slip := admin.get(placed.location + "/packing-slip").body; !strings.Contains(slip, "Havnegade 1") || strings.Contains(slip, "IBAN") || strings.Contains(slip, "€") {
		t.Errorf("packing slip: got %s\nwant the address of the company, no bank details and no prices", content(slip))
	}
	if got := admin.get("/invoices/" + invoice + ".json").body; !strings.Contains(got, `"TaxRate":25`) && !strings.Contains(got, `"TaxRate": 25`) {
		t.Errorf("got %s, want the tax rate 25", got)
	}
}

// checkCreditNote pays the invoice and refunds 1.00 of 2.14. The credit note must
// contain the fields that articles 219 and 226 of the VAT directive require.
func checkCreditNote(t *testing.T, admin *browser, invoice string) {
	t.Helper()
	path := "/invoices/" + invoice
	paid := admin.post(path+"/pay", url.Values{"rest-amount": {"2.14"}, "rest-method": {"Visa"}, "rest-reference": {"4242"}, "version": {"1"}, "once": {admin.token(path + "/pay")}})
	_, payment, _ := strings.Cut(admin.get(path+"/refund").body, `<option value="0`)
	payment, _, _ = strings.Cut(payment, `"`)
	form := url.Values{"payment": {"0" + payment}, "amount": {"1.00"}, "credit": {"1"}, "why": {"scratched"}, "version": {"2"}, "once": {admin.token(path + "/refund")}}
	for range 2 {
		if refunded := admin.post(path+"/refund", form); paid.status != http.StatusSeeOther || refunded.status != http.StatusSeeOther {
			t.Fatalf("got status %d for the payment and %d for the refund, want 303: %s", paid.status, refunded.status, content(refunded.body))
		}
	}
	body := admin.get(path).body
	_, id, _ := strings.Cut(body, `href="/credit-notes/`)
	id, _, _ = strings.Cut(id, `"`)
	if strings.Count(body, `href="/credit-notes/`) != 1 {
		t.Fatalf("got an invoice without exactly one credit note: %s", content(body))
	}
	page := admin.get("/credit-notes/" + id + "/print").body
	for field, want := range map[string]string{
		"its name":                         "<h1>Credit note</h1>",
		"(1) date of issue":                "<dt>Date</dt><dd>21 Nov 2026</dd>",
		"(2) sequential number":            "<dt>Number</dt><dd>CN-1</dd>",
		"(219) the invoice that it amends": "<dt>For invoice</dt><dd>INV-1</dd>",
		"(3) VAT number of the supplier":   "VAT number DK12345678",
		"(5) name of the supplier":         "Kajak &amp; Sø ApS",
		"(5) address of the supplier":      "<bdi>5000 Odense</bdi>",
		"(5) name of the customer":         `aria-label="Billed to"><p><b dir="auto">`,
		"(6, 8) what is credited, no VAT":  `<td dir="auto">Refund for invoice INV-1</td><td class="num">€0.80</td><td class="num">€1.00</td>`,
		"(8) taxable amount":               `Net amount</th><td class="num">€0.80</td>`,
		"(9, 10) VAT rate and amount":      `VAT 25 %</th><td class="num">€0.20</td>`,
		"the sum of net amount and VAT":    `Credited amount</th><td class="num">€1.00</td>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("credit note, %s: got no %q: %s", field, want, content(page))
		}
	}
	checkPDF(t, admin.get("/credit-notes/"+id+"/pdf"), page)
	again := admin.get(path + "/print").body
	for _, want := range []string{`Invoice amount</th><td class="num">€2.14</td>`, `Credit note CN-1, including €0.20 VAT</th><td class="num">−€1.00</td>`, `To pay</th><td class="num">€0.00</td>`} {
		if !strings.Contains(again, want) {
			t.Errorf("invoice after the refund: got no %q: %s", want, content(again))
		}
	}
	checkPDF(t, admin.get(path+"/pdf"), again)
}

// printedText matches the text of a printed page that its PDF must also contain.
var printedText = regexp.MustCompile(`<(?:td|th|dd|dt|b|bdi|h1)(?: [^>]*)?>([^<]+)<`)

// checkPDF checks that a PDF contains the text and amounts of the printed page. It reads
// the PDF with pdftotext, whose path is in STOCKROOM_TEST_PDFTOTEXT.
func checkPDF(t *testing.T, got answer, page string) {
	t.Helper()
	if got.status != http.StatusOK || got.header.Get("Content-Type") != "application/pdf" || !strings.HasPrefix(got.body, "%PDF-") {
		t.Fatalf("got status %d, %s, want a PDF", got.status, got.header.Get("Content-Type"))
	}
	text := checkPDFTexts(t, got.body, page, 20)
	if text == "" {
		return
	}
	for _, want := range []string{"VATnumberDK12345678", "Thankyou."} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q in the PDF: %s", want, text)
		}
	}
}

// checkPDFTexts checks that a PDF contains the text of each element of the printed page.
// The page must have at least the given number of such elements. It returns the text of the
// PDF without spaces. Without pdftotext, it checks nothing and returns "".
func checkPDFTexts(t *testing.T, file, page string, least int) string {
	t.Helper()
	if !strings.HasPrefix(file, "%PDF-") {
		t.Fatalf("got %.20q, want a PDF", file)
	}
	program := os.Getenv("STOCKROOM_TEST_PDFTOTEXT")
	if program == "" {
		return ""
	}
	command := exec.Command(program, "-layout", "-", "-")
	command.Stdin = strings.NewReader(file)
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(string(out)), "")
	paper, _, _ := strings.Cut(page, "</main>")
	texts := printedText.FindAllStringSubmatch(paper, -1)
	if len(texts) < least {
		t.Fatalf("got %d texts in the printed page, want at least %d", len(texts), least)
	}
	for _, match := range texts {
		if want := strings.Join(strings.Fields(html.UnescapeString(match[1])), ""); !strings.Contains(text, want) {
			t.Errorf("got no %q in the PDF: %s", match[1], out)
		}
	}
	return text
}
