package store

import (
	"slices"
	"strings"

	"stockroom/store/table"
)

// ReferenceKind is one of the lists that say where employees work and what
// they do. It is the type of its entries in the table.
type ReferenceKind string

// The kinds. Each but the first and the last lies within the one before it.
const (
	Region     ReferenceKind = "region"
	Country    ReferenceKind = "country"
	Location   ReferenceKind = "location"
	Department ReferenceKind = "department"
	Job        ReferenceKind = "job"
)

// ReferenceKinds are all of them.
var ReferenceKinds = []ReferenceKind{Region, Country, Location, Department, Job}

// referenceForm is how entries of a kind lie in the table.
type referenceForm struct {
	list   string // the partition of their list
	prefix string // of their keys
	name   string // the attribute that holds their name
	within ReferenceKind
	parent string // the attribute that holds the ID of what they lie within
}

var referenceForms = map[ReferenceKind]referenceForm{
	Region:     {list: "regions", prefix: "r", name: "Name"},
	Country:    {list: "countries", prefix: "co", name: "Name", within: Region, parent: "RegionID"},
	Location:   {list: "locations", prefix: "l", name: "Name", within: Country, parent: "CountryID"},
	Department: {list: "departments", prefix: "d", name: "Name", within: Location, parent: "LocationID"},
	Job:        {list: "jobs", prefix: "j", name: "Title"},
}

// List is what the list of the kind is called, such as countries.
func (k ReferenceKind) List() string { return referenceForms[k].list }

// Within is the kind that entries of this kind lie within; "" for none.
func (k ReferenceKind) Within() ReferenceKind { return referenceForms[k].within }

// Attributes are what the ID of an entry, its name and the ID of what it lies
// within are called, the last "" where it lies within nothing.
func (k ReferenceKind) Attributes() (id, name, parent string) {
	form := referenceForms[k]
	return strings.ToUpper(string(k[:1])) + string(k[1:]) + "ID", form.name, form.parent
}

// ReferenceKindOf finds the kind whose list is called so, such as countries;
// any other name is NotFound.
func ReferenceKindOf(list string) (ReferenceKind, error) {
	i := slices.IndexFunc(ReferenceKinds, func(k ReferenceKind) bool { return k.List() == list })
	if i < 0 {
		return "", fail(NotFound, "There is no list of %s.", list)
	}
	return ReferenceKinds[i], nil
}

// Reference is an entry of one of these lists.
type Reference struct {
	Kind     ReferenceKind
	ID       string
	Name     string
	ParentID string `json:",omitempty"` // of the kind that this one lies within
	Version  int
}

// EntityType implements Entity.
func (r *Reference) EntityType() string { return string(r.Kind) }

// KeyValue implements Entity.
func (r *Reference) KeyValue(name string) string {
	switch name {
	case "id":
		return r.ID
	case "name":
		return nameKey(r.Name, r.ID)
	}
	return ""
}

func (r *Reference) attributes(a *table.Attributes) {
	if a.Decoding() {
		r.Kind = ReferenceKind(a.Read(table.AttrType))
	}
	form := referenceForms[r.Kind]
	a.FromKey(table.AttrPK, form.prefix+"#", &r.ID)
	a.Text(form.name, &r.Name)
	if form.parent != "" {
		a.Text(form.parent, &r.ParentID)
	}
	a.Version(&r.Version)
}
