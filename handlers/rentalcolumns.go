package handlers

import (
	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// The columns of the kayak rental's lists.

var storeColumns = append([]web.Column[views.StoreRow]{
	{Name: "StoreID", Cell: func(s views.StoreRow) web.Cell { return web.Text(s.ID) }},
	{Name: "Name", Cell: func(s views.StoreRow) web.Cell { return web.Text(s.Name) }},
	{Name: "In", Cell: func(s views.StoreRow) web.Cell { return whole(s.In) }},
	{Name: "Out", Cell: func(s views.StoreRow) web.Cell { return whole(s.Out) }},
	{Name: "Overdue", Cell: func(s views.StoreRow) web.Cell { return whole(s.Overdue) }},
	{Name: "Repair", Cell: func(s views.StoreRow) web.Cell { return whole(s.Repair) }},
}, addressColumns(func(s views.StoreRow) store.Address { return s.Address })...)

var kayakColumns = []web.Column[store.Kayak]{
	{Name: "InventoryID", Cell: func(k store.Kayak) web.Cell { return web.Text(k.ID) }},
	{Name: "StoreID", Cell: func(k store.Kayak) web.Cell { return web.Text(k.StoreID) }},
	{Name: "Name", Cell: func(k store.Kayak) web.Cell { return web.Text(k.Name) }},
	{Name: "Kind", Cell: func(k store.Kayak) web.Cell { return web.Text(k.Kind) }},
	{Name: "Serial", Cell: func(k store.Kayak) web.Cell { return web.Text(k.Serial) }},
	{Name: "DailyRate", Cell: func(k store.Kayak) web.Cell { return amount(k.DailyRate) }},
	{Name: "Condition", Cell: func(k store.Kayak) web.Cell { return web.Text(k.Condition) }},
	{Name: "Status", Cell: func(k store.Kayak) web.Cell { return web.Text(string(k.Status)) }},
}

var activeRentalColumns = []web.Column[store.ActiveRental]{
	{Name: "RentalID", Cell: func(r store.ActiveRental) web.Cell { return web.Text(r.RentalID) }},
	{Name: "StoreID", Cell: func(r store.ActiveRental) web.Cell { return web.Text(r.StoreID) }},
	{Name: "PersonID", Cell: func(r store.ActiveRental) web.Cell { return web.Text(r.PersonID) }},
	{Name: "InventoryID", Cell: func(r store.ActiveRental) web.Cell { return web.Text(r.KayakID) }},
	{Name: "Out", Cell: func(r store.ActiveRental) web.Cell { return instant(r.Out) }},
	{Name: "Due", Cell: func(r store.ActiveRental) web.Cell { return calendarDay(r.Due) }},
	{Name: "Rate", Cell: func(r store.ActiveRental) web.Cell { return amount(r.Rate) }},
	{Name: "StoreName", Cell: func(r store.ActiveRental) web.Cell { return web.Text(r.StoreName) }},
	{Name: "PersonName", Cell: func(r store.ActiveRental) web.Cell { return web.Text(r.PersonName) }},
	{Name: "ItemName", Cell: func(r store.ActiveRental) web.Cell { return web.Text(r.KayakName) }},
}

var rentalColumns = []web.Column[store.Rental]{
	{Name: "RentalID", Cell: func(r store.Rental) web.Cell { return web.Text(r.ID) }},
	{Name: "StoreID", Cell: func(r store.Rental) web.Cell { return web.Text(r.StoreID) }},
	{Name: "PersonID", Cell: func(r store.Rental) web.Cell { return web.Text(r.PersonID) }},
	{Name: "InventoryID", Cell: func(r store.Rental) web.Cell { return web.Text(r.KayakID) }},
	{Name: "Out", Cell: func(r store.Rental) web.Cell { return instant(r.Out) }},
	{Name: "Due", Cell: func(r store.Rental) web.Cell { return calendarDay(r.Due) }},
	{Name: "Returned", Cell: func(r store.Rental) web.Cell { return instant(r.Returned) }},
	{Name: "Rate", Cell: func(r store.Rental) web.Cell { return amount(r.Rate) }},
	{Name: "Charge", Cell: func(r store.Rental) web.Cell { return amount(r.Charge) }},
	{Name: "StoreName", Cell: func(r store.Rental) web.Cell { return web.Text(r.StoreName) }},
	{Name: "PersonName", Cell: func(r store.Rental) web.Cell { return web.Text(r.PersonName) }},
	{Name: "ItemName", Cell: func(r store.Rental) web.Cell { return web.Text(r.KayakName) }},
}

var storeEmployeeColumns = []web.Column[store.StoreEmployee]{
	{Name: "StoreID", Cell: func(e store.StoreEmployee) web.Cell { return web.Text(e.StoreID) }},
	{Name: "PersonID", Cell: func(e store.StoreEmployee) web.Cell { return web.Text(e.PersonID) }},
	{Name: "Name", Cell: func(e store.StoreEmployee) web.Cell { return web.Text(e.Name) }},
	{Name: "Position", Cell: func(e store.StoreEmployee) web.Cell { return web.Text(e.Position) }},
	{Name: "From", Cell: func(e store.StoreEmployee) web.Cell { return calendarDay(e.From) }},
}

var employmentColumns = []web.Column[store.Employment]{
	{Name: "EmploymentID", Cell: func(e store.Employment) web.Cell { return web.Text(e.ID) }},
	{Name: "StoreID", Cell: func(e store.Employment) web.Cell { return web.Text(e.StoreID) }},
	{Name: "StoreName", Cell: func(e store.Employment) web.Cell { return web.Text(e.StoreName) }},
	{Name: "PersonID", Cell: func(e store.Employment) web.Cell { return web.Text(e.PersonID) }},
	{Name: "PersonName", Cell: func(e store.Employment) web.Cell { return web.Text(e.PersonName) }},
	{Name: "Position", Cell: func(e store.Employment) web.Cell { return web.Text(e.Position) }},
	{Name: "From", Cell: func(e store.Employment) web.Cell { return calendarDay(e.From) }},
	{Name: "To", Cell: func(e store.Employment) web.Cell { return calendarDay(e.To) }},
}
