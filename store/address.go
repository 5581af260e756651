package store

import (
	"strings"

	"stockroom/store/table"
)

// Address is where something stands or goes to, in the parts that the
// published design gives it.
type Address struct {
	Country, County, City, Street, Number, ZipCode string
}

// Lines are the parts in the order in which an envelope has them, without
// empty ones.
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

func (a Address) write(to *table.Attributes) {
	to.Text("Country", a.Country)
	to.Text("County", a.County)
	to.Text("City", a.City)
	to.Text("Street", a.Street)
	to.Text("Number", a.Number)
	to.Text("ZipCode", a.ZipCode)
}

func readAddress(f *table.Fields, name string) Address {
	a := f.Nested(name)
	return Address{
		Country: a.Text("Country"),
		County:  a.Text("County"),
		City:    a.Text("City"),
		Street:  a.Text("Street"),
		Number:  a.Text("Number"),
		ZipCode: a.Text("ZipCode"),
	}
}
