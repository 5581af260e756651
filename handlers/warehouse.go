package handlers

import (
	"cmp"
	"context"

	"github.com/a-h/templ"

	"stockroom/store"
	"stockroom/views"
)

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
	inventory := part[store.StockRow]{
		name: "stock", columns: stockColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.StockRow], error) {
			return r.withStockLevels(ctx, p)(r.shop.StockOfWarehouse(ctx, id, p))
		},
	}
	low := part[store.StockRow]{
		name: "low", columns: stockColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.StockRow], error) {
			return r.withStockLevels(ctx, p)(r.shop.LowStock(ctx, []string{id}, p))
		},
	}
	expected := part[store.ExpectedDelivery]{
		name: "deliveries", columns: deliveryColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.ExpectedDelivery], error) {
			return r.shop.ExpectedDeliveries(ctx, store.DeliveryFilter{Warehouses: []string{id}}, p)
		},
	}
	transfers := part[store.Transfer]{
		name: "transfers", columns: transferColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Transfer], error) {
			return r.shop.Transfers(ctx, store.TransferFilter{Warehouses: []string{id}}, p)
		},
	}
	shipments := part[store.Shipment]{
		name: "shipments", columns: shipmentColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Shipment], error) {
			return r.shop.Shipments(ctx, store.ShipmentFilter{WarehouseID: id}, true, p)
		},
	}
	ledger := part[store.StockMove]{
		name: "ledger", columns: stockMoveColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.StockMove], error) {
			return r.shop.StockMovesOfWarehouse(ctx, id, p)
		},
	}
	employees := part[store.Employee]{
		name: "employees", columns: employeeColumns,
		fetch: func(ctx context.Context, p store.Page) (store.List[store.Employee], error) {
			return r.shop.Employees(ctx, store.EmployeeFilter{WarehouseID: id}, p)
		},
	}
	return respondDetail(r, q, detailPage{
		path: views.WarehousePath(id), lists: []listPart{&inventory, &low, &expected, &transfers, &shipments, &ledger, &employees},
		related: func() store.RelatedIDs {
			ids := store.RelatedTo(shipments.view().Rows)
			return store.RelatedIDs{Customers: ids.Customers, Changes: ledger.view().Rows} // without Warehouses, because all shipments are from this warehouse
		},
		page: func() templ.Component {
			return views.WarehousePage(views.Warehouse{
				Page: r.page(cmp.Or(warehouse.Name, id)), Warehouse: *warehouse,
				Stock: inventory.view(), Low: low.view(), Expected: expected.view(), Transfers: transfers.view(), Shipments: shipments.view(), Ledger: ledger.view(), Employees: employees.view(),
				CanEdit: r.user.May(store.SetUp), CanChange: r.user.May(store.ChangeStock), Token: r.newFormToken(), Seen: reorderSeen,
			})
		},
		json: func() any {
			return struct {
				*store.Warehouse
				Stock     firstRows[store.StockRow]
				Low       firstRows[store.StockRow]
				Expected  firstRows[store.ExpectedDelivery]
				Transfers firstRows[store.Transfer]
				Shipments firstRows[store.Shipment]
				Ledger    firstRows[store.StockMove]
				Employees firstRows[store.Employee]
			}{warehouse, inventory.json(), low.json(), expected.json(), transfers.json(), shipments.json(), ledger.json(), employees.json()}
		},
	})
}
