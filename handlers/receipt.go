package handlers

import (
	"stockroom/store"
	"stockroom/web"
)

var receiptColumns = []web.Column[store.Receipt]{
	minorColumn(referColumn("AccountID", func(r store.Receipt) string { return r.AccountID })),
	{Name: "SubscriptionID", Cell: func(r store.Receipt) web.Cell { return web.Text(r.SubscriptionID) }, Minor: true},
	{Name: "SKU", Cell: func(r store.Receipt) web.Cell { return web.Text(r.SKU) }, Minor: true},
	{Name: "PlanName", Cell: func(r store.Receipt) web.Cell { return web.Text(r.PlanName) }},
	{Name: "DueDate", Cell: func(r store.Receipt) web.Cell { return calendarDay(r.DueDate) }},
	{Name: "ProcessedDate", Cell: func(r store.Receipt) web.Cell { return instant(r.ProcessedDate) }},
	{Name: "ProcessedAmount", Cell: func(r store.Receipt) web.Cell { return amount(r.ProcessedAmount) }},
	{Name: "Reference", Cell: func(r store.Receipt) web.Cell { return web.Text(r.Reference) }},
	{Name: "TTL", Cell: func(r store.Receipt) web.Cell { return instant(r.Expires) }, Minor: true},
}
