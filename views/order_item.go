package views

import "stockroom/store"

func pieces(items []store.OrderItem) int {
	sum := 0
	for i := range items {
		sum += items[i].Quantity
	}
	return sum
}

func itemTotal(items []store.OrderItem) store.Amount {
	var sum store.Amount
	for i := range items {
		sum = sum.Plus(items[i].Total())
	}
	return sum
}
