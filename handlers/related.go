package handlers

import (
	"cmp"
	"reflect"

	"stockroom/store"
	"stockroom/web"
)

// relation is a kind of record to which the rows of a file refer.
type relation struct {
	ids  func(*store.RelatedIDs) *[]string
	name func(store.Related, string) string
}

var (
	customers    = relation{func(ids *store.RelatedIDs) *[]string { return &ids.Customers }, store.Related.CustomerName}
	warehouses   = relation{func(ids *store.RelatedIDs) *[]string { return &ids.Warehouses }, store.Related.WarehouseName}
	transferEnds = relation{func(ids *store.RelatedIDs) *[]string { return &ids.TransferEnds }, store.Related.WarehouseName}
	employees    = relation{func(ids *store.RelatedIDs) *[]string { return &ids.Employees }, store.Related.EmployeeName}
	stores       = relation{func(ids *store.RelatedIDs) *[]string { return &ids.Stores }, store.Related.StoreName}

	locations   = referenceRelation(store.Location, func(ids *store.RelatedIDs) *[]string { return &ids.Locations })
	departments = referenceRelation(store.Department, func(ids *store.RelatedIDs) *[]string { return &ids.Departments })
)

func referenceRelation(kind store.ReferenceKind, ids func(*store.RelatedIDs) *[]string) relation {
	return relation{ids, func(r store.Related, id string) string { return r.ReferenceName(kind, id) }}
}

// nameColumns maps each column with IDs of other records to the column with the names of
// these records.
var nameColumns = map[string]struct {
	name string
	relation
}{
	"AccountID": {"CustomerName", customers}, "CustomerID": {"CustomerName", customers},
	"AccountRepID": {"AccountRepName", employees}, "ManagerID": {"ManagerName", employees},
	"WarehouseID": {"WarehouseName", warehouses}, "SourceID": {"SourceName", warehouses},
	"Source": {"SourceName", transferEnds}, "Target": {"TargetName", transferEnds},
	"StoreID":    {"StoreName", stores},
	"LocationID": {"LocationName", locations}, "DepartmentID": {"DepartmentName", departments},
}

// referColumn returns a column with the ID of another record. Files also contain the
// record's name.
func referColumn[T any](name string, id func(T) string) web.Column[T] {
	return web.Column[T]{Name: name, Cell: func(row T) web.Cell { return web.Text(id(row)) }, Refers: id}
}

func minorColumn[T any](c web.Column[T]) web.Column[T] {
	c.Minor = true
	return c
}

// relatedIDs returns the IDs in the columns that refer to other records.
func relatedIDs[T any](columns []web.Column[T], rows []T) (ids store.RelatedIDs) {
	addRelatedIDs(&ids, columns, rows)
	return ids
}

func addRelatedIDs[T any](ids *store.RelatedIDs, columns []web.Column[T], rows []T) {
	for _, c := range columns {
		if c.Refers == nil {
			continue
		}
		list := nameColumns[c.Name].ids(ids)
		for _, row := range rows {
			*list = append(*list, c.Refers(row))
		}
	}
}

// hasMember reports whether type T has a field with this name, and its JSON therefore a
// member with this name.
func hasMember[T any](name string) bool {
	_, ok := reflect.TypeFor[T]().FieldByName(name)
	return ok
}

// withNames adds a column with names after each column that refers to other records.
// Emails of lists contain the names instead of the IDs.
func withNames[T any](r *request, columns []web.Column[T]) []web.Column[T] {
	var all []web.Column[T]
	for _, c := range columns {
		if c.Refers == nil {
			all = append(all, c)
			continue
		}
		id, related := c.Refers, nameColumns[c.Name]
		name := func(row T) string { return related.relation.name(r.related, id(row)) }
		all = append(all, minorColumn(c), web.Column[T]{
			Name: related.name, Added: !hasMember[T](related.name), Minor: c.Minor,
			Cell:  func(row T) web.Cell { return web.Text(name(row)) },
			Words: func(row T) string { return cmp.Or(name(row), id(row)) },
		})
	}
	return all
}
