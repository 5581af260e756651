package exchange

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"stockroom/store"
	"stockroom/store/key"
)

// A Sheet is the form of an entity as CSV: the file that is named after it,
// and its columns. Both follow from the entity's definition: a column for
// each ID that stands in its keys, and one for each attribute.
type Sheet struct {
	Type    string // of the entity
	File    string // without .csv, such as order-items
	Columns []Column
	Lists   []List // what an entity has several of, each in a file of its own

	definition *store.Definition
	follows    []string // names in the key that follow from attributes
}

// A Column is one column of a sheet or of a list.
type Column struct {
	Name   string
	Needed bool // a row without it is refused
	Kind   store.AttributeKind

	value string   // the name that keys have for it; "" where they have it not
	path  []string // of the attribute; nil where only a key says it
}

// A List is an attribute that holds several things, such as an invoice's
// payments. Its rows say by the columns of IDs whose they are.
type List struct {
	File    string
	Columns []Column // first those that say whose it is

	path []string
	own  int // how many columns say whose
}

// exception is what of a sheet does not follow from the definition.
type exception struct {
	file    string // where the type makes a poor name
	needs   string // columns that a row by itself cannot do without
	follows string // names in the key that follow from attributes
}

var exceptions = map[string]exception{
	"product":                {needs: "Price"},
	"warehouseItem":          {needs: "Quantity"},
	"order":                  {needs: "Date Status Total"},
	"orderItem":              {needs: "CustomerID Date Price Quantity"},
	"invoice":                {needs: "CustomerID Date Amount"},
	"shipment":               {needs: "Date Status"},
	"shipmentItem":           {needs: "ShipmentID ProductID Quantity"},
	"storeMetadata":          {file: "stores"},
	"storeInventoryItem":     {file: "kayaks"},
	"storeActiveRental":      {file: "active-rentals", needs: "Out Due Rate"},
	"personMetadata":         {file: "people"},
	"employmentRelationship": {file: "employments", needs: "StoreID PersonID From"},
	"rentalRelationship":     {file: "rentals", needs: "StoreID PersonID InventoryID Out Rate"},
	"total":                  {follows: "month dayOfMonth", needs: "Day"},
}

// withheld are the entities that never leave the table, nor come into it: what
// lets people in, and what the program keeps of its own work.
func withheld(entityType string) bool {
	switch entityType {
	case "user", "session", "sessionKeys", "settings", "lease", "jobRun", "jobResult":
		return true
	}
	return false
}

var sheets = newSheets()

func newSheets() []Sheet {
	var all []Sheet
	for i := range store.Definitions {
		if d := &store.Definitions[i]; !withheld(d.Type) {
			all = append(all, newSheet(d))
		}
	}
	return all
}

// Sheets are the forms of all entities that go in and out of files.
func Sheets() []Sheet { return slices.Clone(sheets) }

// SheetOf is the form of an entity type.
func SheetOf(entityType string) (*Sheet, bool) {
	i := slices.IndexFunc(sheets, func(s Sheet) bool { return s.Type == entityType })
	if i < 0 {
		return nil, false
	}
	return &sheets[i], true
}

func newSheet(d *store.Definition) Sheet {
	special := exceptions[d.Type]
	s := Sheet{Type: d.Type, File: special.file, definition: d, follows: strings.Fields(special.follows)}
	if s.File == "" {
		s.File = plural(dashed(d.Type))
	}
	attributes, lists := flattened(nil, d.Attributes())
	needs := strings.Fields(special.needs)
	add := func(c Column) {
		if !slices.ContainsFunc(s.Columns, func(other Column) bool { return other.Name == c.Name }) {
			c.Needed = c.Needed || slices.Contains(needs, c.Name)
			s.Columns = append(s.Columns, c)
		}
	}
	attribute := func(name string) int {
		return slices.IndexFunc(attributes, func(c Column) bool { return strings.EqualFold(c.Name, name) })
	}
	for _, t := range []key.Template{d.Table.PK, d.Table.SK} {
		for _, value := range t.Names() {
			if slices.Contains(s.follows, value) {
				continue
			}
			c := Column{Name: s.columnOf(value), Needed: true, value: value}
			if i := attribute(c.Name); i >= 0 {
				c.Name, c.path = attributes[i].Name, attributes[i].path
			}
			add(c)
		}
	}
	ids := len(s.Columns)
	for n := 1; n <= store.IndexCount; n++ {
		for _, t := range []key.Template{d.Index[n].PK, d.Index[n].SK} {
			for _, value := range t.Names() {
				if name := s.columnOf(value); isID(value) && attribute(name) < 0 {
					add(Column{Name: name, value: value})
				}
			}
		}
	}
	for _, c := range attributes {
		add(c)
	}
	for _, l := range lists {
		s.Lists = append(s.Lists, s.newList(l, s.Columns[:ids]))
	}
	return s
}

// flattened are the attributes, what lies within another with a dot between,
// and apart from them those that are lists.
func flattened(path []string, attributes []store.Attribute) (columns []Column, lists []listed) {
	for _, a := range attributes {
		at := append(slices.Clone(path), a.Name)
		switch {
		case a.Kind == store.Groups:
			lists = append(lists, listed{at, a.Parts})
		case a.Kind == store.Group:
			inner, more := flattened(at, a.Parts)
			columns, lists = append(columns, inner...), append(lists, more...)
		case a.Name != "Version" || path != nil:
			columns = append(columns, Column{Name: strings.Join(at, "."), Kind: a.Kind, path: at})
		}
	}
	return columns, lists
}

// listed is a list as it is found among the attributes.
type listed struct {
	path  []string
	parts []store.Attribute
}

func (s *Sheet) newList(found listed, whose []Column) List {
	name := singular(found.path[len(found.path)-1])
	l := List{File: dashed(s.Type) + "-" + plural(dashed(name)), path: found.path, own: len(whose)}
	l.Columns = slices.Clone(whose)
	parts, _ := flattened(nil, found.parts)
	for _, c := range parts {
		if c.Name == "ID" {
			c.Name = name + "ID"
		}
		c.Needed = slices.Contains(needed[strings.ToLower(name)], c.Name)
		l.Columns = append(l.Columns, c)
	}
	return l
}

// columnOf names the column of a value that keys name: an ID of the entity
// itself is called after it.
func (s *Sheet) columnOf(value string) string {
	name := upper(strings.TrimSuffix(value, "ULID"))
	switch {
	case value == "id":
		return upper(s.Type) + "ID"
	case name != upper(value):
		return name + "ID"
	}
	return name
}

func isID(value string) bool { return strings.HasSuffix(value, "ID") || value == "id" }

// dashed writes orderItem as order-item.
func dashed(name string) string {
	var b strings.Builder
	for i, r := range name {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func plural(name string) string {
	if stem, found := strings.CutSuffix(name, "y"); found {
		return stem + "ies"
	}
	return name + "s"
}

func singular(name string) string { return strings.TrimSuffix(name, "s") }

func upper(name string) string {
	r, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[size:]
}
