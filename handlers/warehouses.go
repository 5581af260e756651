package handlers

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

func listWarehouses(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	onlyOrder(q)
	return answerList(r, q, listing[store.Warehouse]{
		file: "warehouses", columns: warehouseColumns, ask: r.shop.Warehouses,
		page: func(l views.List, rows []store.Warehouse) templ.Component {
			return views.WarehousesPage(views.Warehouses{Page: r.page("Warehouses"), List: l, Rows: rows})
		},
	})
}

func showWarehouse(r *request) error {
	q, err := r.query()
	if err != nil {
		return err
	}
	warehouse, err := r.shop.Warehouse(r.ctx(), r.id())
	if err != nil {
		return err
	}
	id := warehouse.ID
	inventory := part[store.WarehouseItem]{
		name: "stock", columns: stockColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.WarehouseItem], error) {
			return r.shop.StockOfWarehouse(ctx, id, p)
		},
	}
	low := part[store.WarehouseItem]{
		name: "low", columns: stockColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.WarehouseItem], error) {
			return r.shop.LowStock(ctx, id, p)
		},
	}
	shipments := part[store.Shipment]{
		name: "shipments", columns: shipmentColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Shipment], error) {
			return r.shop.Shipments(ctx, store.ShipmentFilter{WarehouseID: id}, true, p)
		},
	}
	ledger := part[store.StockMove]{
		name: "ledger", columns: moveColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.StockMove], error) {
			return r.shop.StockMovesOfWarehouse(ctx, id, p)
		},
	}
	employees := part[store.Employee]{
		name: "employees", columns: employeeColumns,
		ask: func(ctx context.Context, p store.Page) (store.List[store.Employee], error) {
			return r.shop.Employees(ctx, store.EmployeeFilter{WarehouseID: id}, p)
		},
	}
	return answerThing(r, q, thing{
		path: views.WarehousePath(id), lists: []attached{&inventory, &low, &shipments, &ledger, &employees},
		page: func() templ.Component {
			return views.WarehousePage(views.Warehouse{
				Page: r.page(cmp.Or(warehouse.Name, id)), Warehouse: *warehouse,
				Stock: inventory.view(), Low: low.view(), Shipments: shipments.view(), Ledger: ledger.view(), Employees: employees.view(),
				MayEdit: r.user.May(store.Administer), MayChange: r.user.May(store.ChangeStock), Once: r.token(),
			})
		},
		json: func() any {
			return struct {
				*store.Warehouse
				Stock     beginning[store.WarehouseItem]
				Low       beginning[store.WarehouseItem]
				Shipments beginning[store.Shipment]
				Ledger    beginning[store.StockMove]
				Employees beginning[store.Employee]
			}{warehouse, inventory.json(), low.json(), shipments.json(), ledger.json(), employees.json()}
		},
	})
}
