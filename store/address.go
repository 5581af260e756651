package store

import "strings"

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

func (a Address) write(to *attributes) {
	to.text("Country", a.Country)
	to.text("County", a.County)
	to.text("City", a.City)
	to.text("Street", a.Street)
	to.text("Number", a.Number)
	to.text("ZipCode", a.ZipCode)
}

func (f *fields) address(name string) Address {
	a := f.nested(name)
	return Address{
		Country: a.text("Country"),
		County:  a.text("County"),
		City:    a.text("City"),
		Street:  a.text("Street"),
		Number:  a.text("Number"),
		ZipCode: a.text("ZipCode"),
	}
}
