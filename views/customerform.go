package views

import (
	"strings"

	"stockroom/store"
	"stockroom/views/ui"
)

// CustomerForm is the form of a new customer or of one who is there.
type CustomerForm struct {
	Page
	Form
	Customer store.Customer // as they are now; without ID where they are new

	Name, Email, Phones, Rep ui.Input
	AddressForm
}

// AddressForm are the fields of an address.
type AddressForm struct{ Street, Number, Zip, City, County, Country ui.Input }

func (p *AddressForm) fill(a *store.Address) {
	p.Street.Value, p.Number.Value, p.Zip.Value = a.Street, a.Number, a.ZipCode
	p.City.Value, p.County.Value, p.Country.Value = a.City, a.County, a.Country
}

func (p *AddressForm) fields(f Form, a *store.Address) []ui.Field {
	field := func(name, label string, input ui.Input, now string) ui.Field {
		return ui.Field{Name: name, Label: label, Input: input, Now: f.now(input.Value, now)}
	}
	return []ui.Field{
		field("street", "Street", p.Street, a.Street), field("number", "Number", p.Number, a.Number),
		field("zip", "Postal code", p.Zip, a.ZipCode), field("city", "City", p.City, a.City),
		field("county", "County", p.County, a.County), field("country", "Country", p.Country, a.Country),
	}
}

// Filled fills the form with what is known of a customer.
func (p CustomerForm) Filled(c *store.Customer) CustomerForm {
	p.Name.Value, p.Email.Value, p.Phones.Value, p.Rep.Value = c.Name, c.Email, phoneLines(c), c.AccountRepID
	p.AddressForm.fill(&c.Address)
	return p
}

func phoneLines(c *store.Customer) string { return strings.Join(c.Phones, "\n") }

// fields are those of the person and those of the address.
func (p CustomerForm) fields() (person, address []ui.Field) {
	c := &p.Customer
	field := func(name, label string, input ui.Input, now string) ui.Field {
		return ui.Field{Name: name, Label: label, Input: input, Now: p.now(input.Value, now)}
	}
	name := field("name", "Name", p.Name, c.Name)
	name.Required = true
	email := field("email", "E-mail", p.Email, c.Email)
	email.Type = "email"
	phones := field("phones", "Phones", p.Phones, phoneLines(c))
	phones.Hint = "A number a line."
	rep := field("rep", "Account rep", p.Rep, c.AccountRepID)
	rep.Hint = "The ID of an employee; nothing for none."
	person = []ui.Field{name, email, phones, rep}
	address = p.AddressForm.fields(p.Form, &c.Address)
	return person, address
}

// path is the address of the page that the form belongs to, and action the one
// that it is sent to.
func (p CustomerForm) path() string {
	if p.Customer.ID == "" {
		return ""
	}
	return CustomerPath(p.Customer.ID)
}

func (p CustomerForm) change() ui.Change {
	if p.Customer.ID == "" {
		return p.to("/customers/new", "Add the customer", "/customers")
	}
	return p.to(p.path()+"/edit", "Save", p.path())
}

// ProductForm is the form of a new product or of one that is there.
type ProductForm struct {
	Page
	Form
	Product store.Product // as it is now; without ID where it is new

	Name, SKU, Category, Price, Description ui.Input
}

// Filled fills the form with what is known of a product.
func (p ProductForm) Filled(product *store.Product) ProductForm {
	p.Name.Value, p.SKU.Value, p.Category.Value = product.Name, product.SKU, product.Category
	p.Price.Value, p.Description.Value = product.Price.String(), product.Description
	return p
}

func (p ProductForm) fields() []ui.Field {
	product := &p.Product
	return []ui.Field{
		{Name: "name", Label: "Name", Required: true, Input: p.Name, Now: p.now(p.Name.Value, product.Name)},
		{Name: "price", Label: "Price", Required: true, Decimal: true, Input: p.Price, Now: p.now(p.Price.Value, product.Price.String())},
		{Name: "sku", Label: "SKU", Input: p.SKU, Now: p.now(p.SKU.Value, product.SKU)},
		{Name: "category", Label: "Category", Input: p.Category, Now: p.now(p.Category.Value, product.Category)},
		{Name: "description", Label: "Description", Input: p.Description, Now: p.now(p.Description.Value, product.Description)},
	}
}

func (p ProductForm) path() string {
	if p.Product.ID == "" {
		return ""
	}
	return ProductPath(p.Product.ID)
}

func (p ProductForm) change() ui.Change {
	if p.Product.ID == "" {
		return p.to("/products/new", "Add the product", "/products")
	}
	return p.to(p.path()+"/edit", "Save", p.path())
}
