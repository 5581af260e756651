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
