package handlers

import (
	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
)

// showPickList shows a printable pick list of the selected orders for one warehouse. If
// the query string contains no warehouse and the user has several, the page asks for one.
func showPickList(r *request) error {
	q := r.QueryParams()
	orders, selection, next, err := r.selectedOrders("warehouse")
	if err != nil {
		return err
	}
	warehouses, err := r.shop.Warehouses(r.ctx(), store.AlsoArchived, store.Page{Limit: store.MaxLimit})
	if err != nil {
		return err
	}
	p := views.PickList{Orders: orders, Warehouses: warehouses.Rows, Warehouse: ui.Input{Value: q.Get("warehouse")}}
	if p.Warehouse.Value == "" && len(warehouses.Rows) == 1 {
		p.Warehouse.Value = warehouses.Rows[0].ID
	}
	if p.Warehouse.Value != "" && len(orders) > 0 {
		if p.Lines, err = r.shop.PickList(r.ctx(), orders, p.Warehouse.Value); err != nil {
			return err
		}
	}
	p.ListPath, p.Params = selection.ListPath(), selection.Filters
	if selection.All {
		p.Params = append(p.Params, ui.Param{Name: "all", Value: "yes"}, ui.Param{Name: "after", Value: q.Get("after")})
	} else {
		for i := range orders {
			p.Params = append(p.Params, ui.Param{Name: "order", Value: orders[i].ID})
		}
	}
	p.Page = r.page("Pick list")
	p.NextPart = next
	return r.show(views.PickListPage(p))
}
