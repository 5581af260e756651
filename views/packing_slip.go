package views

import "stockroom/store"

// PackingSlip is the packing slip of an order. It has no prices.
type PackingSlip struct {
	Page
	Order   store.OrderDetails
	Company store.Company
}

// PackingSlips is the page with the packing slips of several orders.
type PackingSlips struct {
	Page
	Orders  []store.OrderDetails
	Company store.Company
}

// toPack says how many products and pieces still have to be packed.
func toPack(items []store.OrderItem) string {
	products, left := 0, 0
	for i := range items {
		if open := items[i].Open(); open > 0 {
			products, left = products+1, left+open
		}
	}
	if left == 0 {
		return "Nothing left to pack."
	}
	return count(products, "product", "products") + ", " + count(left, "piece", "pieces") + " to pack."
}
