package handlers

import (
	"strings"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

func askNewCustomer(r *request) error { return r.ask(r.customerForm) }

func addCustomer(r *request) error {
	form, err := r.form(customerFields...)
	if err != nil {
		return err
	}
	id, err := r.shop.AddCustomer(r.ctx(), typedCustomer(form), form.Once())
	return r.changed(err, "The customer was added.", views.CustomerPath(id), r.again(form, r.customerForm))
}

func askCustomer(r *request) error { return r.ask(r.customerForm) }

func saveCustomer(r *request) error {
	form, err := r.form(customerFields...)
	if err != nil {
		return err
	}
	customer := typedCustomer(form)
	customer.ID, customer.Version = r.id(), form.Version()
	err = r.shop.SaveCustomer(r.ctx(), customer, form.Once())
	return r.changed(err, "The customer was saved.", views.CustomerPath(r.id()), r.again(form, r.customerForm))
}

var (
	addressFields  = []string{"street", "number", "zip", "city", "county", "country"}
	customerFields = append([]string{"name", "email", "phones", "rep"}, addressFields...)
)

func typedCustomer(form web.Form) store.Customer {
	return store.Customer{
		Name: form.Get("name"), Email: strings.TrimSpace(form.Get("email")), Phones: filledLines(form.Get("phones")), AccountRepID: form.Get("rep"),
		Address: typedAddress(form),
	}
}

func typedAddress(form web.Form) store.Address {
	return store.Address{
		Street: form.Get("street"), Number: form.Get("number"), ZipCode: form.Get("zip"),
		City: form.Get("city"), County: form.Get("county"), Country: form.Get("country"),
	}
}

func addressForm(form web.Form, refused *store.Error) views.AddressForm {
	return views.AddressForm{
		Street: typed(form, refused, "street"), Number: typed(form, refused, "number"), Zip: typed(form, refused, "zip"),
		City: typed(form, refused, "city"), County: typed(form, refused, "county"), Country: typed(form, refused, "country"),
	}
}

// filledLines are the lines of a text that say something.
func filledLines(text string) []string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// customerForm is the form of the customer in the address, or of a new one.
func (r *request) customerForm(form web.Form, refused *store.Error) (templ.Component, error) {
	p := views.CustomerForm{
		Name: typed(form, refused, "name"), Email: typed(form, refused, "email"),
		Phones: typed(form, refused, "phones"), Rep: typed(form, refused, "rep"), AddressForm: addressForm(form, refused),
	}
	title := "New customer"
	if r.route.ofOne() {
		customer, err := r.shop.CustomerForChange(r.ctx(), r.id())
		if err != nil {
			return nil, err
		}
		title, p.Customer = "Edit", *customer
		if refused == nil {
			p = p.Filled(customer)
		}
	}
	p.Page, p.Form = r.page(title), r.formOf(form, refused, p.Customer.Version)
	return views.CustomerFormPage(p), nil
}

func askNewProduct(r *request) error { return r.ask(r.productForm) }

func addProduct(r *request) error {
	form, product, err := r.typedProduct()
	if err != nil {
		return r.changed(err, "", "", r.again(form, r.productForm))
	}
	id, err := r.shop.AddProduct(r.ctx(), product, form.Once())
	return r.changed(err, "The product was added.", views.ProductPath(id), r.again(form, r.productForm))
}

func askProduct(r *request) error { return r.ask(r.productForm) }

func saveProduct(r *request) error {
	form, product, err := r.typedProduct()
	if err == nil {
		product.ID, product.Version = r.id(), form.Version()
		err = r.shop.SaveProduct(r.ctx(), product, form.Once())
	}
	return r.changed(err, "The product was saved.", views.ProductPath(r.id()), r.again(form, r.productForm))
}

func (r *request) typedProduct() (web.Form, store.Product, error) {
	form, err := r.form("name", "price", "sku", "category", "description")
	if err != nil {
		return form, store.Product{}, err
	}
	product := store.Product{
		Name: form.Get("name"), SKU: form.Get("sku"), Category: form.Get("category"), Description: form.Get("description"),
	}
	product.Price, err = money(form, "price")
	return form, product, err
}

// productForm is the form of the product in the address, or of a new one.
func (r *request) productForm(form web.Form, refused *store.Error) (templ.Component, error) {
	p := views.ProductForm{
		Name: typed(form, refused, "name"), Price: typed(form, refused, "price"), SKU: typed(form, refused, "sku"),
		Category: typed(form, refused, "category"), Description: typed(form, refused, "description"),
	}
	title := "New product"
	if r.route.ofOne() {
		product, err := r.shop.ProductForChange(r.ctx(), r.id())
		if err != nil {
			return nil, err
		}
		title, p.Product = "Edit", *product
		if refused == nil {
			p = p.Filled(product)
		}
	}
	p.Page, p.Form = r.page(title), r.formOf(form, refused, p.Product.Version)
	return views.ProductFormPage(p), nil
}
