package store

import "stockroom/store/table"

// Company contains the details of the business that invoices and packing slips show.
type Company struct {
	Name      string   `json:",omitempty"`
	Address   []string `json:",omitempty"` // one element per line
	VATNumber string   `json:",omitempty"`
	Bank      []string `json:",omitempty"` // one element per line, with bank details
	Footer    []string `json:",omitempty"` // one element per line, at the end of each document
	Logo      string   `json:",omitempty"` // digest of the Logo; "" if there is none
	LogoType  string   `json:",omitempty"` // type of the Logo; "" if there is no logo, or if the logo is older than this field
}

// maxCompanyLines is the maximum number of lines of an address, bank details or footer.
const maxCompanyLines = 6

func (c *Company) attributes(a *table.Attributes) {
	a.Text("Name", &c.Name)
	a.Texts("Address", &c.Address)
	a.Text("VATNumber", &c.VATNumber)
	a.Texts("Bank", &c.Bank)
	a.Texts("Footer", &c.Footer)
	a.Text("Logo", &c.Logo)
	a.Text("LogoType", &c.LogoType)
}

// companyFields returns the fields of the settings that invoices and packing slips show.
func companyFields() []Field[Settings] {
	return inGroup("Documents",
		textField("company", "Company name", func(s *Settings) *string { return &s.Company.Name }).
			hint("Printed documents, such as invoices and packing slips, show the company name and address."),
		linesField("company-address", "Company address", maxCompanyLines, func(s *Settings) *[]string { return &s.Company.Address }).
			hint("Write the street, the city and the country on separate lines."),
		textField("vat-number", "VAT number", func(s *Settings) *string { return &s.Company.VATNumber }).
			hint("For example, DK12345678."),
		taxRateField("tax-rate", "VAT rate in percent", func(s *Settings) *TaxRate { return &s.TaxRate }).
			hint("Prices include this tax. New invoices show it; existing invoices keep their rate. 0 or empty: invoices show no tax."),
		linesField("bank", "Bank details", maxCompanyLines, func(s *Settings) *[]string { return &s.Company.Bank }).
			hint("One detail per line, such as the bank, the IBAN or the BIC. Invoices and statements show them below the amount due."),
		linesField("footer", "Footer", maxCompanyLines, func(s *Settings) *[]string { return &s.Company.Footer }).
			hint("Shown at the end of printed documents, such as invoices and packing slips."),
	)
}

func taxRateField[T any](name, label string, of func(*T) *TaxRate) Field[T] {
	f := newField(InputText, name, label, of)
	f.format = func(t *T) string {
		if of(t).IsZero() {
			return ""
		}
		return of(t).String()
	}
	f.parse = func(t *T, text string) (err error) { *of(t), err = ParseTaxRate(name, text); return err }
	f.check = func(*T) error { return nil }
	return f
}
