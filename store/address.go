package store

import (
	"strings"

	"stockroom/store/table"
)

// Address is a postal address. The names of its attributes come from Amazon's published
// design of an online shop.
type Address struct {
	Country, County, City, Street, Number, ZipCode string
}

// Lines returns the lines of the address as on an envelope, without empty lines.
func (a Address) Lines() []string {
	var lines []string
	for _, line := range []string{
		strings.TrimSpace(a.Street + " " + a.Number),
		strings.TrimSpace(a.ZipCode + " " + a.City),
		a.County,
		a.Country,
	} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// IsDeliverable reports whether the address has a street or a city.
func (a Address) IsDeliverable() bool { return a.Street != "" || a.City != "" }

func (a *Address) attributes(t *table.Attributes) {
	t.Text("Country", &a.Country)
	t.Text("County", &a.County)
	t.Text("City", &a.City)
	t.Text("Street", &a.Street)
	t.Text("Number", &a.Number)
	t.Text("ZipCode", &a.ZipCode)
}
