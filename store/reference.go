package store

import (
	"slices"
	"strings"

	"stockroom/store/table"
)

// ReferenceKind is a kind of reference data, such as jobs, departments and categories of
// products. It is also the entity type of the records.
type ReferenceKind string

// The kinds of reference data. A country belongs to a region, a location to a
// country, and a department to a location.
const (
	Region     ReferenceKind = "region"
	Country    ReferenceKind = "country"
	Location   ReferenceKind = "location"
	Department ReferenceKind = "department"
	Job        ReferenceKind = "job"
	Category   ReferenceKind = "category" // category of products; see CategoryID
)

// ReferenceKinds lists all kinds.
var ReferenceKinds = []ReferenceKind{Region, Country, Location, Department, Job, Category}

// referenceDesign describes how references of a kind are stored.
type referenceDesign struct {
	list   string        // partition of the list
	prefix string        // prefix of the partition key of a record
	name   string        // attribute with the name
	within ReferenceKind // kind of the parent record
	parent string        // attribute with the parent's ID
}

var referenceDesigns = map[ReferenceKind]referenceDesign{
	Region:     {list: "regions", prefix: "r", name: "Name"},
	Country:    {list: "countries", prefix: "co", name: "Name", within: Region, parent: "RegionID"},
	Location:   {list: "locations", prefix: "l", name: "Name", within: Country, parent: "CountryID"},
	Department: {list: "departments", prefix: "d", name: "Name", within: Location, parent: "LocationID"},
	Job:        {list: "jobs", prefix: "j", name: "Title"},
	Category:   {list: "categories", prefix: "cat", name: "Name"},
}

// List returns the name of the list of this kind, such as countries.
func (k ReferenceKind) List() string { return referenceDesigns[k].list }

// Title returns the name of the kind with a capital letter, such as Country.
func (k ReferenceKind) Title() string { return strings.ToUpper(string(k[:1])) + string(k[1:]) }

// Within returns the kind of the parent records, or "" if there are none.
func (k ReferenceKind) Within() ReferenceKind { return referenceDesigns[k].within }

// Attributes returns the names of the attributes with the ID, the name and the
// parent's ID. parent is "" if records of this kind have no parent.
func (k ReferenceKind) Attributes() (id, name, parent string) {
	design := referenceDesigns[k]
	return k.Title() + "ID", design.name, design.parent
}

// ReferenceKindOf returns the kind whose list has this name, such as countries, or
// NotFound.
func ReferenceKindOf(list string) (ReferenceKind, error) {
	i := slices.IndexFunc(ReferenceKinds, func(k ReferenceKind) bool { return k.List() == list })
	if i < 0 {
		return "", fail(NotFound, "List %s not found.", list)
	}
	return ReferenceKinds[i], nil
}

// Reference is a record of reference data, such as a country.
type Reference struct {
	Kind     ReferenceKind
	ID       string
	Name     string
	ParentID string `json:",omitempty"` // ID of a record of the kind Kind.Within()
	Former   string `json:",omitempty"` // only for a category: ID of the former name, while products still have this name
	Archived bool   `json:",omitempty"` // only categories can be archived
	Version  int
}

func (r *Reference) EntityType() string { return string(r.Kind) }

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
	design := referenceDesigns[r.Kind]
	a.FromKey(table.AttrPK, design.prefix+"#", &r.ID)
	a.Text(design.name, &r.Name)
	if design.parent != "" {
		a.Text(design.parent, &r.ParentID)
	}
	if r.Kind == Category {
		a.Text("Former", &r.Former)
		a.Flag("Archived", &r.Archived)
	}
	a.Version(&r.Version)
}
