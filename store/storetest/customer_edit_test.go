package storetest_test

import (
	"strings"
	"testing"

	"stockroom/store"
)

func TestEdit_Customer(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, token := s.Context(), s.store.NewToken()
		customer := s.shop.Customers[7]
		customer.Name, customer.Phones, customer.Address.City = " Åsa Ek ", []string{"+46 70 555 01 01", "12345"}, "Umeå"
		s.done("saving", s.admin.SaveCustomer(ctx, customer, token))
		s.done("the same form", s.admin.SaveCustomer(ctx, customer, token))
		s.refused("another form with the same version", s.admin.SaveCustomer(ctx, customer, s.store.NewToken()), store.Conflict, "")
		saved, err := s.admin.Customer(ctx, customer.ID)
		if err != nil || saved.Name != "Åsa Ek" || saved.Version != 2 || !saved.Created.Equal(customer.Created) {
			s.Errorf("got customer %+v, %v, want Åsa Ek, version 2", saved, err)
		}
		found, err := s.admin.Customers(ctx, store.CustomerFilter{Name: "asa ek"}, store.Page{})
		if err != nil || len(found.Rows) != 1 {
			s.Errorf("search for the new name: got %+v, %v, want one customer", found.Rows, err)
		}
		for field, change := range map[string]func(*store.Customer){
			"name":   func(c *store.Customer) { c.Name = " " },
			"email":  func(c *store.Customer) { c.Email = "Customer8@example.com" },
			"rep":    func(c *store.Customer) { c.AccountRepID = "#" },
			"city":   func(c *store.Customer) { c.Address.City = strings.Repeat("x", 201) },
			"phones": func(c *store.Customer) { c.Phones = make([]string, 11) },
		} {
			wrong := *saved
			change(&wrong)
			s.refused(field, s.admin.SaveCustomer(ctx, wrong, s.store.NewToken()), store.Invalid, field)
		}
		bad := *saved
		bad.Phones = []string{"ask Kim"}
		s.refused("a text as phone number", s.admin.SaveCustomer(ctx, bad, s.store.NewToken()), store.Invalid, "phones")
		if _, err := s.store.Load(ctx, []store.Entity{&store.Customer{ID: "old", Name: "Kim", Phones: []string{"ask Kim"}, Version: 1}}, store.LoadOptions{}); err != nil {
			s.Fatal(err)
		}
		bad = store.Customer{ID: "old", Name: "Kim Ek", Phones: []string{"ask Kim", "+46 70 555 01 02"}, Version: 1}
		s.done("keeping a stored text", s.admin.SaveCustomer(ctx, bad, s.store.NewToken()))
		unknown := *saved
		unknown.AccountRepID = "nobody"
		s.refused("an unknown rep", s.admin.SaveCustomer(ctx, unknown, s.store.NewToken()), store.Invalid, "rep")
		for _, address := range []string{"a", "a@", "A <a@b.se>", "a#@b.se", "a@b.se, c@d.se"} {
			wrong := *saved
			wrong.Email = address
			s.refused(address, s.admin.SaveCustomer(ctx, wrong, s.store.NewToken()), store.Invalid, "email")
		}
	})
}

func TestAdd_CustomersAndProducts(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, token := s.Context(), s.store.NewToken()
		for range 2 {
			id, err := s.admin.AddCustomer(ctx, store.Customer{Name: "New", Email: "new@example.com"}, token)
			if err != nil || id != token {
				s.Errorf("got ID %s, %v, want the form token as ID", id, err)
			}
		}
		_, err := s.admin.AddCustomer(ctx, store.Customer{Name: "Other", Email: "new@example.com"}, s.store.NewToken())
		s.refused("an email address that exists", err, store.Invalid, "email")

		token = s.store.NewToken()
		for range 2 {
			id, err := s.admin.AddProduct(ctx, store.Product{Name: "New", SKU: "NEW-1", Price: s.amount("9.5")}, token)
			if err != nil || id != token {
				s.Errorf("got ID %s, %v, want the form token as ID", id, err)
			}
		}
		_, err = s.admin.AddProduct(ctx, store.Product{Name: "Other", SKU: "NEW-1"}, s.store.NewToken())
		s.refused("an SKU that exists", err, store.Invalid, "sku")
	})
}

func TestEdit_Product(t *testing.T) {
	sell(t, func(s *selling) {
		ctx, token := s.Context(), s.store.NewToken()
		product := s.shop.Products[10]
		product.Name, product.Price, product.Category = "Renamed", s.amount("2.5"), "Stools"
		s.done("saving", s.admin.SaveProduct(ctx, product, token))
		s.done("the same form", s.admin.SaveProduct(ctx, product, token))
		s.refused("another form with the same version", s.admin.SaveProduct(ctx, product, s.store.NewToken()), store.Conflict, "")
		where, err := s.admin.StockOfProduct(ctx, product.ID)
		if err != nil || len(where) != 2 || where[0].Name != "Renamed" || where[1].Name != "Renamed" {
			s.Errorf("got stock %+v, %v, want the new name in both warehouses", where, err)
		}
		found, err := s.admin.Products(ctx, store.ProductFilter{Category: "stools"}, store.Page{})
		if err != nil || len(found.Rows) != 1 || found.Rows[0].Price.String() != "2.5" {
			s.Errorf("got products of the new category %+v, %v, want one product for 2.5", found.Rows, err)
		}
		product.Version = 2
		for field, change := range map[string]func(*store.Product){
			"name":        func(p *store.Product) { p.Name = "" },
			"price":       func(p *store.Product) { p.Price = s.amount("-1") },
			"sku":         func(p *store.Product) { p.SKU = "SKU-11" },
			"category":    func(p *store.Product) { p.Category = "a\nb" },
			"description": func(p *store.Product) { p.Description = strings.Repeat("x", 4001) },
		} {
			wrong := product
			change(&wrong)
			s.refused(field, s.admin.SaveProduct(ctx, wrong, s.store.NewToken()), store.Invalid, field)
		}
		product.SKU = "a#b"
		s.refused("an SKU that cannot be part of a key", s.admin.SaveProduct(ctx, product, ""), store.Invalid, "sku")
	})
}

// TestAddCustomer_EmailDomain enters email addresses without a dot in the domain.
func TestAddCustomer_EmailDomain(t *testing.T) {
	sell(t, func(s *selling) {
		for _, email := range []string{"anna@lena", "anna@lena.", "anna@.lena"} {
			_, err := s.admin.AddCustomer(s.Context(), store.Customer{Name: "Anna", Email: email}, s.store.NewToken())
			s.refused(email, err, store.Invalid, "email")
		}
	})
}
