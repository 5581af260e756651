package views

import (
	"strings"

	"stockroom/store"
)

// PastStock describes the stock of a product in a warehouse at an earlier moment.
func PastStock(p *Page, s *store.PastStock, w store.Warehouse, ledger store.List[store.StockMove]) PastRecord {
	item := &s.Item
	r := PastRecord{
		Noun: "product", HasLedger: true, IsRecorded: len(ledger.Rows) > 0, Path: StockPath(item.ProductID, item.WarehouseID), ID: item.WarehouseID,
		Heading: nameOr(item.Name, item.ProductID) + " in " + nameOr(w.Name, w.ID),
		List:    nameOr(item.Name, item.ProductID), ListPath: ProductPath(item.ProductID),
		Facts: []PastFact{
			{Label: "Quantity", Value: count(item.Quantity, "piece", "pieces"), Certain: true},
			{Label: "Reorder point", Value: count(item.ReorderPoint, "piece", "pieces")},
			{Label: "Bin", Value: item.Bin},
			{Label: "Last counted", Value: p.calendar(item.Counted)},
			{Label: "Product", Value: nameOr(item.Name, item.ProductID), Path: ProductPath(item.ProductID), Certain: true},
			{Label: "Warehouse", Value: nameOr(w.Name, w.ID), Path: WarehousePath(w.ID), Certain: true},
		},
	}
	log := PastTable{Title: "Stock ledger", Columns: []string{"When", "Change", "Quantity", "Reason", "Who"}, Empty: "No stock changes up to this date.", Certain: true, IsLog: true}
	for i := range ledger.Rows {
		log.Rows = append(log.Rows, pastMove(p, &ledger.Rows[i]))
	}
	if ledger.Next != nil {
		log.Note = "To see older changes, open the current state."
	}
	r.Tables = []PastTable{log}
	return r
}

func pastMove(p *Page, m *store.StockMove) PastRow {
	return PastRow{ID: m.ID, Cells: []string{p.time(m.When), withSign(m.Delta), number(m.To), m.Reason, m.By}}
}

// PastProduct describes a product at an earlier moment.
func PastProduct(p *Page, s *store.PastProduct, warehouses []store.Warehouse) PastRecord {
	product := &s.Product
	r := PastRecord{
		Noun: "product", HasLedger: true, Path: ProductPath(product.ID), ID: product.ID, Heading: nameOr(product.Name, product.ID), List: "Products", ListPath: "/products",
		Facts: []PastFact{
			{Label: "Name", Value: product.Name},
			{Label: "Price", Value: p.money(product.Price)},
			{Label: "SKU", Value: product.SKU},
			{Label: "Category", Value: product.Category},
			{Label: "State", Value: archivedWord(product.Archived)},
			{Label: "Description", Value: product.Description},
		},
	}
	if product.Weight > 0 {
		r.Facts = append(r.Facts, PastFact{Label: "Weight", Value: number(product.Weight) + " g"})
	}
	stock := PastTable{Title: "Stock " + inWarehouses(p), Columns: []string{"Warehouse", "Quantity"}, Empty: notInStock(p), Certain: true}
	if s.HasState() {
		stock.Columns = append(stock.Columns, "Reorder point", "Bin")
	}
	if stock.Unknown = s.Places > 0 && s.Stock == nil; stock.Unknown {
		stock.Empty = "This product is in " + number(s.Places) + " warehouses, too many for this page. Open the product in one warehouse instead."
	}
	for _, item := range s.Stock {
		row := PastRow{
			ID: item.WarehouseID, Path: StockPath(product.ID, item.WarehouseID),
			Cells: []string{warehouseName(warehouses, item.WarehouseID), number(item.Quantity)},
		}
		if s.HasState() {
			row.Cells = append(row.Cells, number(item.ReorderPoint), item.Bin)
		}
		stock.Rows = append(stock.Rows, row)
	}
	r.Tables = []PastTable{stock}
	return r
}

// PastWarehouse describes a warehouse at an earlier moment.
func PastWarehouse(p *Page, s *store.PastWarehouse) PastRecord {
	w := &s.Warehouse
	r := PastRecord{
		Noun: "warehouse", HasLedger: true, Path: WarehousePath(w.ID), ID: w.ID, Heading: nameOr(w.Name, w.ID), List: "Warehouses", ListPath: "/warehouses",
		Facts: []PastFact{
			{Label: "Name", Value: w.Name},
			{Label: "Address", Value: strings.Join(w.Address.Lines(), "\n")},
			{Label: "State", Value: archivedWord(w.Archived)},
		},
	}
	stock := PastTable{Title: "Inventory", Columns: []string{"Product", "Quantity"}, Empty: "No stock.", Certain: true, FromLedger: true}
	if !s.TooMany {
		r.Moves = s.MovesUntil
	}
	switch {
	case s.TooMany:
		stock.Unknown = true
		stock.Empty = "The stock of this warehouse has changed too often since then to be shown. Open a single product in this warehouse instead."
	case s.Stock.Next != nil:
		stock.Note = "These are the first " + number(len(s.Stock.Rows)) + " products. Open another product in this warehouse to see its stock."
	}
	for _, item := range s.Stock.Rows {
		stock.Rows = append(stock.Rows, PastRow{
			ID: item.ProductID, Path: StockPath(item.ProductID, item.WarehouseID),
			Cells: []string{nameOr(item.Name, item.ProductID), number(item.Quantity)},
		})
	}
	r.Tables = []PastTable{stock}
	return r
}
