package handlers

import (
	"cmp"
	"context"

	"stockroom/store"
	"stockroom/views"
)

var productEditor = editor[store.Product]{
	noun: "Product", list: "/products", listName: "Products", path: views.ProductPath,
	fields: store.ProductFields,
	key:    func(p *store.Product) (*string, *int, string) { return &p.ID, &p.Version, p.Name },
	read:   store.Access.ProductForChange,
	save:   store.Access.SaveProduct,
	add:    store.Access.AddProduct,
}

var customerEditor = editor[store.Customer]{
	noun: "Customer", list: "/customers", listName: "Customers", path: views.CustomerPath,
	fields:  store.CustomerFields,
	key:     func(c *store.Customer) (*string, *int, string) { return &c.ID, &c.Version, c.Name },
	read:    store.Access.CustomerForChange,
	save:    store.Access.SaveCustomer,
	add:     store.Access.AddCustomer,
	similar: store.Access.SimilarCustomers,
}

var orderAddressEditor = editor[store.Order]{
	noun: "Delivery address", list: "/orders", listName: "Orders", path: views.OrderPath,
	fields: store.ShipToFields,
	key:    func(o *store.Order) (*string, *int, string) { return &o.ID, &o.Version, "Order " + o.ID },
	read:   store.Access.ShipToForChange,
	save:   store.Access.SaveShipTo,
}

var warehouseEditor = editor[store.Warehouse]{
	noun: "Warehouse", list: "/warehouses", listName: "Warehouses", path: views.WarehousePath,
	fields: store.WarehouseFields,
	key:    func(w *store.Warehouse) (*string, *int, string) { return &w.ID, &w.Version, w.Name },
	read:   store.Access.WarehouseForChange,
	save:   store.Access.SaveWarehouse,
	add:    store.Access.AddWarehouse,
}

var rentalStoreEditor = editor[store.RentalStore]{
	noun: "Store", list: "/stores", listName: "Stores", path: views.StorePath,
	fields: store.RentalStoreFields,
	key:    func(s *store.RentalStore) (*string, *int, string) { return &s.ID, &s.Version, s.Name },
	shown:  (*store.RentalStore).FormVersion,
	read:   store.Access.RentalStoreForChange,
	save:   store.Access.SaveRentalStore,
	add:    store.Access.AddRentalStore,
}

var kayakEditor = editor[store.Kayak]{
	noun: "Kayak", list: "/stores", listName: "Stores", path: views.KayakPath,
	fields: store.KayakFields,
	key:    func(k *store.Kayak) (*string, *int, string) { return &k.ID, &k.Version, k.Name },
	read:   store.Access.KayakForChange,
	save:   store.Access.SaveKayak,
	add:    store.Access.AddKayak,
}

// newKayak adds a kayak to the store in the path.
var newKayak = editorFor[store.Kayak](func(r *request) (*editor[store.Kayak], error) { return newKayakAt(r, r.id()) })

func newKayakAt(r *request, storeID string) (*editor[store.Kayak], error) {
	at, err := r.shop.RentalStore(r.ctx(), storeID)
	if err != nil {
		return nil, err
	}
	e := kayakEditor
	e.list, e.listName = views.StorePath(at.ID), cmp.Or(at.Name, at.ID)
	e.add = func(a store.Access, ctx context.Context, k store.Kayak, token string) (string, error) {
		k.StoreID = at.ID
		return a.AddKayak(ctx, k, token)
	}
	return &e, nil
}

var personEditor = editor[store.Person]{
	noun: "Person", list: "/stores", listName: "Stores", path: views.PersonPath,
	fields: store.PersonFields,
	key:    func(p *store.Person) (*string, *int, string) { return &p.ID, &p.Version, p.Name },
	read:   store.Access.PersonForChange,
	save:   store.Access.SavePerson,
	add:    store.Access.AddPerson,

	similar: store.Access.SimilarPeople,
}

// referenceEditor adds and edits entries of a reference list, such as
// /reference/regions.
var referenceEditor = editorFor[store.Reference](func(r *request) (*editor[store.Reference], error) {
	kind, err := store.ReferenceKindOf(r.param("kind"))
	if err != nil {
		return nil, err
	}
	return editorOfReference(kind), nil
})

func editorOfReference(kind store.ReferenceKind) *editor[store.Reference] {
	renamed := "" // new ID of the category, if it was renamed
	return &editor[store.Reference]{
		noun: kind.Title(), list: "/reference/" + kind.List(), listName: views.ReferenceTitle(kind),
		path:   func(id string) string { return views.ReferencePath(kind, cmp.Or(renamed, id)) },
		fields: store.ReferenceFields(kind),
		key:    func(e *store.Reference) (*string, *int, string) { return &e.ID, &e.Version, e.Name },
		read: func(a store.Access, ctx context.Context, id string) (*store.Reference, error) {
			return a.ReferenceForChange(ctx, kind, id)
		},
		save: func(a store.Access, ctx context.Context, e store.Reference, token string) error {
			e.Kind = kind
			err := a.SaveReference(ctx, e, token)
			if kind == store.Category && (err == nil || store.KindOf(err) == store.Unfinished) {
				renamed = store.CategoryID(e.Name)
			}
			return err
		},
		add: func(a store.Access, ctx context.Context, e store.Reference, token string) (string, error) {
			e.Kind = kind
			return a.AddReference(ctx, e, token)
		},
		also: func(r *request, stored *store.Reference, p *views.Edit) (err error) {
			p.Kind = kind
			p.Followers, err = r.shop.Followers(r.ctx(), stored)
			return err
		},
	}
}

// targetEditor sets an employee's sales target for a quarter. If the path contains a
// quarter, it edits the existing target.
var targetEditor = editorFor[store.Quota](func(r *request) (*editor[store.Quota], error) {
	rep, err := r.shop.EmployeeForChange(r.ctx(), r.id())
	if err != nil {
		return nil, err
	}
	e := &editor[store.Quota]{
		noun: "Target", list: views.EmployeePath(rep.ID), listName: cmp.Or(rep.Name, rep.ID), path: views.EmployeePath,
		fields: store.NewQuotaFields,
		key: func(q *store.Quota) (*string, *int, string) {
			return &q.EmployeeID, &q.Version, views.QuarterName(q.Period)
		},
		add: func(a store.Access, ctx context.Context, q store.Quota, token string) (string, error) {
			q.EmployeeID = rep.ID
			return rep.ID, a.AddTarget(ctx, q, token)
		},
	}
	if !r.editsStored() {
		return e, nil
	}
	period, err := store.ParseQuarter(r.param("period"))
	if err != nil {
		return nil, &store.Error{Kind: store.NotFound, Message: "Quarter " + r.param("period") + " not found."}
	}
	e.fields, e.shown = store.QuotaFields, (*store.Quota).FormVersion
	e.read = func(a store.Access, ctx context.Context, id string) (*store.Quota, error) {
		return a.QuotaForChange(ctx, id, period)
	}
	e.save = func(a store.Access, ctx context.Context, q store.Quota, token string) error {
		q.Period = period
		return a.SaveTarget(ctx, q, token)
	}
	return e, nil
})

var employeeEditor = editor[store.Employee]{
	noun: "Employee", list: "/employees", listName: "Employees", path: views.EmployeePath,
	fields: store.EmployeeFields,
	key:    func(e *store.Employee) (*string, *int, string) { return &e.ID, &e.Version, e.Name },
	read:   store.Access.EmployeeForChange,
	save:   store.Access.SaveEmployee,
	add:    store.Access.AddEmployee,
}
