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

// toPack says how many products and pieces still have to be packed. If all are packed, it
// says how many the recipient gets.
func toPack(items []store.OrderItem) string {
	if text := countPieces(items, (*store.OrderItem).Open); text != "" {
		return text + " to pack."
	}
	if text := countPieces(items, func(line *store.OrderItem) int { return line.Shipped }); text != "" {
		return text + " in total."
	}
	return "Nothing to pack."
}

// countPieces says how many products and pieces there are, as in 2 products, 6 pieces. It returns
// "" if there are none.
func countPieces(items []store.OrderItem, of func(*store.OrderItem) int) string {
	products, sum := 0, 0
	for i := range items {
		if n := of(&items[i]); n > 0 {
			products, sum = products+1, sum+n
		}
	}
	if sum == 0 {
		return ""
	}
	return count(products, "product", "products") + ", " + count(sum, "piece", "pieces")
}
