package exchange

import (
	"slices"
	"strings"

	"stockroom/store"
	"stockroom/store/key"
)

// sheet is the CSV file of an entity. It has a column for each ID in the keys and
// for each attribute of the entity.
type sheet struct {
	entityType string
	file       string // file name without .csv, such as order-items
	columns    []column
	lists      []list

	definition *store.Definition
	derived    []string // placeholders in the keys whose values decoding computes from attributes
	listed     []string // columns of the downloaded list that imports ignore: computed values and names of other records
	changing   []string // columns that an update also ignores in a downloaded list, because they change without an edit of the record
}

// column is a column of a sheet or of a list.
type column struct {
	name     string
	required bool
	from     string // entity whose file can provide the values instead; "" if there is none
	kind     store.AttributeKind

	keyName string   // placeholder in the keys; "" if no key contains the value
	path    []string // path of the attribute; nil if no attribute contains the value
}

// list is the CSV file of a list within an entity, such as the payments of an
// invoice. Its rows contain the IDs of their entity.
type list struct {
	file    string
	columns []column // the first columns identify the entity

	path         []string
	ownerColumns int
}

// exception contains what the sheet of an entity needs and the definition of the entity
// does not contain.
type exception struct {
	file     string
	required string // required columns, separated by spaces
	derived  string // see sheet; separated by spaces

	from        string // entity whose file can provide some required columns
	replaceable string // these columns, separated by spaces

	internal string // attributes without a column, separated by spaces
	days     string // columns with a calendar day that no attribute contains, separated by spaces
	listed   string // see sheet; separated by spaces
	changing string // see sheet; separated by spaces
}

var exceptions = map[string]exception{
	"customer":               {listed: "AccountRepName"},
	"employee":               {listed: "WarehouseName ManagerName DepartmentName LocationName"},
	"country":                {listed: "RegionName"},
	"location":               {listed: "CountryName"},
	"department":             {listed: "LocationName"},
	"product":                {required: "Price", listed: "OnHand Committed Available Incoming"},
	"warehouseItem":          {required: "Quantity", listed: "WarehouseName OnHand Committed Available Incoming", changing: "Name Quantity"},
	"expectedDelivery":       {required: "Due Quantity"},
	"transfer":               {required: "Source Target Sent Quantity"},
	"order":                  {required: "Date Status Total", from: kindOrderItem, replaceable: "Status Total"},
	"orderItem":              {required: "CustomerID Date Price Quantity", from: kindOrder, replaceable: "CustomerID Date"},
	"invoice":                {required: "CustomerID Date Amount", from: kindOrder, replaceable: "CustomerID Date"},
	"creditNote":             {required: "CustomerID InvoiceID Date Reason Amount"},
	"shipment":               {required: "Date Status"},
	"shipmentItem":           {required: "ShipmentID ProductID Quantity"},
	"storeMetadata":          {file: "stores"},
	"storeInventoryItem":     {file: "kayaks"},
	"storeActiveRental":      {file: "active-rentals", required: "Out Due Rate"},
	"storeEmployee":          {internal: "TTL"},
	"personMetadata":         {file: "people"},
	"samePerson":             {file: "same-person", required: "Others"},
	"employmentRelationship": {file: "employments", required: "StoreID PersonID From"},
	"rentalRelationship":     {file: "rentals", required: "StoreID PersonID InventoryID Out Rate"},
	"rentalPayment":          {required: "PersonID Day At Kind Method Amount"},
	"booking":                {required: "StoreID PersonID InventoryID From To Status"},
	"bookingDay":             {file: "booking-days", derived: "week", required: "BookingID From To"},
	"subscription":           {required: "Status PaymentDay PaymentAmount"},
	"receipt":                {days: "DueDate"},
	"event":                  {internal: "Audience Values Undoes UndoneBy Undone Address Attempts Rows Attempt ImportedBy Imported Redacted TTL"},
	"total":                  {derived: "month dayAndSlot", required: "Day"},
}

// isInternal reports whether records of an entity type are never imported or exported.
// These are users, sessions, settings, records of jobs and the like. Search words, stock
// counts, and slots of stock and quotas are also internal, because they are derived from
// other entities.
func isInternal(entityType string) bool {
	switch entityType {
	case "user", "providerIdentity", "secondFactor", "session", "accessToken", "sessionKeys", "signInCount", "cardLink", "passwordLink", "settings", "logo", "numberSeries", "lease", "jobRun", "jobResult", "jobCount", "jobTotal", "jobBacklog", "checkReport", "erasureReport", "dayCosts", "visit", "auditSeal", "email", "bulkChange", "bulkRow", "importRun", "importMapping", "searchWord", "stockCount", "stockSlot", "quotaSlot", "count", "countRow":
		return true
	}
	return false
}

// isDerived reports whether records of an entity type are derived from other records. An
// import ignores derived records instead of rejecting them.
func isDerived(entityType string) bool {
	return slices.Contains([]string{"searchWord", "stockCount", "stockSlot", "quotaSlot"}, entityType)
}

var sheets = newSheets()

func newSheets() []sheet {
	var all []sheet
	for i := range store.Definitions {
		if d := &store.Definitions[i]; !isInternal(d.Type) {
			all = append(all, newSheet(d))
		}
	}
	return all
}

func sheetOf(entityType string) (*sheet, bool) {
	i := slices.IndexFunc(sheets, func(s sheet) bool { return s.entityType == entityType })
	if i < 0 {
		return nil, false
	}
	return &sheets[i], true
}

// sheetNamed returns the sheet for a file name without .csv. If it is the name of a list,
// sheetNamed also returns the list.
func sheetNamed(name string) (s *sheet, l *list, found bool) {
	for i := range sheets {
		if strings.EqualFold(sheets[i].file, name) {
			return &sheets[i], nil, true
		}
		for j := range sheets[i].lists {
			if strings.EqualFold(sheets[i].lists[j].file, name) {
				return &sheets[i], &sheets[i].lists[j], true
			}
		}
	}
	return nil, nil, false
}

// sheetNames returns the file names of all sheets and of their lists, without .csv.
func sheetNames() (names []string) {
	for i := range sheets {
		names = append(names, sheets[i].file)
		for _, l := range sheets[i].lists {
			names = append(names, l.file)
		}
	}
	return names
}

func newSheet(d *store.Definition) sheet {
	e := exceptions[d.Type]
	s := sheet{entityType: d.Type, file: e.file, definition: d, derived: strings.Fields(e.derived), listed: strings.Fields(e.listed), changing: strings.Fields(e.changing)}
	if s.file == "" {
		s.file = plural(kebabCase(d.Type))
	}
	attributes, lists := flatten(nil, d.Attributes())
	attributes = slices.DeleteFunc(attributes, func(c column) bool { return slices.Contains(strings.Fields(e.internal), c.name) })
	s.addKeyColumns(attributes)
	ids := s.columns
	s.addIndexColumns(attributes)
	for _, c := range attributes {
		s.addColumn(c)
	}
	for i := range s.columns {
		c := &s.columns[i]
		c.required = c.required || slices.Contains(strings.Fields(e.required), c.name)
		if slices.Contains(strings.Fields(e.replaceable), c.name) {
			c.from = e.from
		}
	}
	for _, l := range lists {
		s.lists = append(s.lists, s.newList(l, ids))
	}
	return s
}

// addKeyColumns adds a required column for each placeholder in the keys of the
// table.
func (s *sheet) addKeyColumns(attributes []column) {
	for _, keyName := range slices.Concat(s.definition.Table.PK.Names(), s.definition.Table.SK.Names()) {
		if slices.Contains(s.derived, keyName) {
			continue
		}
		c := column{name: s.columnName(keyName), required: true, keyName: keyName}
		if i := indexNamed(attributes, c.name); i >= 0 {
			c.name, c.path = attributes[i].name, attributes[i].path
			if attributes[i].kind == store.Day {
				c.kind = store.Day
			}
		}
		if slices.Contains(strings.Fields(exceptions[s.entityType].days), c.name) {
			c.kind = store.Day
		}
		s.addColumn(c)
	}
}

// addIndexColumns adds a column for each ID that only index keys contain.
func (s *sheet) addIndexColumns(attributes []column) {
	for n := 1; n <= store.IndexCount; n++ {
		index := s.definition.Index[n]
		for _, keyName := range slices.Concat(index.PK.Names(), index.SK.Names()) {
			if name := s.columnName(keyName); isID(keyName) && indexNamed(attributes, name) < 0 {
				s.addColumn(column{name: name, keyName: keyName})
			}
		}
	}
}

func (s *sheet) addColumn(c column) {
	if !slices.ContainsFunc(s.columns, func(other column) bool { return other.name == c.name }) {
		s.columns = append(s.columns, c)
	}
}

func indexNamed(columns []column, name string) int {
	return slices.IndexFunc(columns, func(c column) bool { return strings.EqualFold(c.name, name) })
}

// columnName returns the name of the column for a placeholder in a key template. Examples
// are PersonID for personULID, and OrderID for the placeholder id of an order.
func (s *sheet) columnName(keyName string) string {
	name := capitalize(strings.TrimSuffix(keyName, "ULID"))
	switch {
	case keyName == "id":
		return capitalize(s.entityType) + "ID"
	case name != capitalize(keyName):
		return name + "ID"
	}
	return name
}

func isID(keyName string) bool { return strings.HasSuffix(keyName, "ID") || keyName == "id" }

// nestedList is a list attribute of an entity.
type nestedList struct {
	path  []string
	parts []store.Attribute
}

// flatten returns a column for each attribute, named by its path. Lists have no
// column; flatten returns them separately.
func flatten(path []string, attributes []store.Attribute) (columns []column, lists []nestedList) {
	for _, a := range attributes {
		path := append(slices.Clone(path), a.Name)
		switch {
		case a.Kind == store.Groups:
			lists = append(lists, nestedList{path, a.Parts})
		case a.Kind == store.Group:
			inner, more := flatten(path, a.Parts)
			columns, lists = append(columns, inner...), append(lists, more...)
		case a.Name != "Version" || len(path) > 1:
			columns = append(columns, column{name: strings.Join(path, "."), kind: a.Kind, path: path})
		}
	}
	return columns, lists
}

func (s *sheet) newList(n nestedList, owner []column) list {
	name := singular(n.path[len(n.path)-1])
	l := list{file: kebabCase(s.entityType) + "-" + plural(kebabCase(name)), path: n.path, ownerColumns: len(owner)}
	l.columns = slices.Clone(owner)
	parts, _ := flatten(nil, n.parts)
	for _, c := range parts {
		if c.name == "ID" {
			c.name = name + "ID"
		}
		c.required = slices.Contains(requiredAttributes[strings.ToLower(name)], c.name)
		l.columns = append(l.columns, c)
	}
	return l
}

// setKeys sets the keys of an item, because decoding reads some values from them.
func (s *sheet) setKeys(v rowValues) {
	setText(v.item, "EntityType", s.entityType)
	for _, name := range s.derived {
		v.keys[name] = "0" // decoding needs a value for each placeholder, but ignores this one
	}
	set := func(name string, t key.Template) {
		if text, missing := t.Render(v.keys); missing == "" && !t.IsZero() {
			setText(v.item, name, text)
		}
	}
	set("PK", s.definition.Table.PK)
	set("SK", s.definition.Table.SK)
	for n := 1; n <= store.IndexCount; n++ {
		set(indexKeys[n].pk, s.definition.Index[n].PK)
		set(indexKeys[n].sk, s.definition.Index[n].SK)
	}
}

// indexKeys contains the names of the key attributes of each index, by the index's number.
var indexKeys = func() (names [store.IndexCount + 1]keyNames) {
	for n := range names {
		names[n] = keyNames{store.IndexName(n) + "-PK", store.IndexName(n) + "-SK"}
	}
	return names
}()
