package views_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/views"
)

func someOrder() store.OrderDetails {
	day := func(n int) time.Time { return someDay.AddDate(0, 0, n) }
	return store.OrderDetails{
		Order: store.Order{
			ID: "12345", CustomerID: "C1", CustomerName: "Ελένη", Date: day(0), Status: store.OrderShipped, Total: store.MinorUnits(40000),
			ShipTo: store.Address{Street: "Storgatan", Number: "12", City: "Stockholm", ZipCode: "114 55", Country: "Sweden"},
		},
		Items: []store.OrderItem{
			{OrderID: "12345", ProductID: "99887", Name: "Table", SKU: "T-1", Price: store.MinorUnits(10000), Quantity: 3, Shipped: 3, Returned: 1},
			{OrderID: "12345", ProductID: "99888", Price: store.MinorUnits(10000), Quantity: 1, Cancelled: true},
		},
		Invoices: []store.Invoice{{
			ID: "55443", OrderID: "12345", CustomerID: "C1", Date: day(1), DueDate: day(-2), Amount: store.MinorUnits(40000), Status: store.InvoicePartial,
			Payments: []store.Payment{
				{ID: "P1", Type: "GIFT_CARD", Amount: store.MinorUnits(10000), Date: day(2), Data: "SUMMER"},
				{ID: "P2", Type: "CREDIT_CARD", Amount: store.MinorUnits(-500), Date: day(3), Data: "4111 1111 1111 4242"},
			},
		}},
		Shipments: []store.ShipmentDetails{{
			Shipment: store.Shipment{ID: "88899", OrderID: "12345", WarehouseID: "W1", Date: day(4), Status: store.ShipmentSent, Carrier: "DHL", Tracking: "JD01"},
			Items:    []store.ShipmentItem{{ProductID: "99887", Name: "Table", Quantity: 3}},
		}},
		Events: []store.Event{{ID: "E", When: day(5), By: "kim", What: "address changed", Why: "a call", Before: "A", After: "B"}},
	}
}

// TestOrderPage_SaysWhatIsOnlyPacked shows an order before and after its only shipment is
// handed over. A manager of another warehouse does not see the shipment.
func TestOrderPage_SaysWhatIsOnlyPacked(t *testing.T) {
	elsewhere := signedIn()
	elsewhere.User = &store.User{Name: "ole", Role: store.Manager, Warehouses: []string{"W2"}}
	for _, tt := range []struct {
		page       views.Page
		shipment   store.ShipmentStatus // "" if the page does not show it
		want       string
		orderBadge string
	}{
		{signedIn(), store.ShipmentPacked, "3 of 3 packed or shipped", "Packed"},
		{signedIn(), store.ShipmentSent, "3 of 3 shipped Shipped", "Shipped"},
		{elsewhere, "", "3 of 3 packed or shipped", "Packed or shipped"},
		{elsewhere, store.ShipmentUnpacked, "3 of 3 packed or shipped", "Packed or shipped"},
	} {
		order := someOrder()
		order.Status, order.ShipmentState = store.OrderShipped, store.FullyShipped
		order.Shipments[0].Status = tt.shipment
		if tt.shipment == "" {
			order.Shipments = nil
		}
		text := rendered(t, views.OrderPage(views.Order{Page: tt.page, Order: order})).text()
		if !strings.Contains(text, tt.want) || !strings.Contains(text, "Order 12345 "+tt.orderBadge+" ") {
			t.Errorf("shipment %q: got %s, want %q and the badge %s", tt.shipment, text, tt.want, tt.orderBadge)
		}
	}
}

// TestOrderShipPage_ShowsStockElsewhere shows the form to a user who may see the stock of
// other warehouses, and to a manager of one warehouse, who may not.
func TestOrderShipPage_ShowsStockElsewhere(t *testing.T) {
	manager := signedIn()
	manager.User = &store.User{Name: "ole", Role: store.Manager, Warehouses: []string{"W1"}}
	for _, tt := range []struct {
		page views.Page
		want bool
	}{{signedIn(), true}, {manager, false}} {
		page := rendered(t, views.OrderShipPage(views.OrderShip{
			Page: tt.page, Order: someOrder().Order, From: "W1", Lines: []views.LineForm{{Line: someOrder().Items[0], Most: 1}},
		}))
		if got := strings.Contains(page.text(), "Elsewhere"); got != tt.want {
			t.Errorf("%s: got the stock elsewhere %v, want %v", tt.page.User.Role, got, tt.want)
		}
	}
}

func TestOrderPage_ShowsItemsPaymentsAndShipments(t *testing.T) {
	page := rendered(t, views.OrderPage(views.Order{Page: signedIn(), Order: someOrder()}))
	items := page.one(t, "aria-label", "Items of the order").cells()
	want := [][]string{
		{"Product", "Unit price", "Quantity", "In shipments", "Amount"},
		{"Table T-1", "€100.00", "3 3 in shipments", "3 1 returned", "€300.00"},
		{"99888 99888", "€100.00", "1 0 in shipments, 1 cancelled", "0 1 cancelled", "€100.00"},
		{"Total", "", "4", "", "€400.00"},
	}
	if !slices.EqualFunc(items, want, slices.Equal) {
		t.Errorf("got items %q, want %q", items, want)
	}
	payments := page.one(t, "aria-label", "Payments of invoice 55443").cells()
	want = [][]string{
		{"Payment", "Reference", "Date", "Amount"},
		{"Gift card Payment P1 22 Nov 2026", "SUMMER", "22 Nov 2026", "€100.00"},
		{"Refund, Credit card Payment P2 23 Nov 2026", "•••• 4242", "23 Nov 2026", "−€5.00"},
		{"Paid", "", "", "€95.00"},
	}
	if !slices.EqualFunc(payments, want, slices.Equal) {
		t.Errorf("got payments %q, want %q", payments, want)
	}
	for text, href := range map[string]string{
		"Invoice 55443": "/invoices/55443", "Shipment 88899": "/shipments/88899", "warehouse W1": "/warehouses/W1",
		"Packing slip": "/orders/12345/packing-slip", "JSON": "/orders/12345.json", "Ελένη": "/customers/C1",
		"List of items": "/orders/12345/items", "List of invoices": "/orders/12345/invoices", "List of shipments": "/orders/12345/shipments",
	} {
		if got := page.link(t, text).attr("href"); got != href {
			t.Errorf("%s: got link %s, want %s", text, got, href)
		}
	}
	if text := page.text(); !strings.Contains(text, "Overdue") || !strings.Contains(text, "€305.00 due") || !strings.Contains(text, "Storgatan 12 114 55 Stockholm Sweden") {
		t.Error("got no balance due or no address, want both")
	}
}

func TestTimeline_ShowsLatestFirst(t *testing.T) {
	page := rendered(t, views.OrderPage(views.Order{Page: signedIn(), Order: someOrder()}))
	var entries []string
	for _, entry := range page.one(t, "class", "timeline").all("li") {
		entries = append(entries, entry.text())
	}
	want := []string{
		"Address changed from A to B, a call, by kim 25 Nov 2026, 13:06",
		"Shipment 88899 packed From warehouse W1, DHL, JD01 24 Nov 2026, 13:06",
		"Refund of €5.00 Credit card, •••• 4242 23 Nov 2026, 13:06",
		"Payment of €100.00 Gift card, SUMMER 22 Nov 2026, 13:06",
		"Invoice 55443 €400.00 21 Nov 2026, 13:06",
		"Order placed €400.00 20 Nov 2026, 13:06",
	}
	if !slices.Equal(entries, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(entries, "\n"), strings.Join(want, "\n"))
	}
	if at := page.one(t, "class", "timeline").all("time")[0].attr("datetime"); at != "2026-11-25T13:06:00Z" {
		t.Errorf("latest entry: got time %s, want 2026-11-25T13:06:00Z", at)
	}
}

// TestPackingSlip_ListsBoxes prints the slips of an order with a sent shipment, a packed one,
// an unpacked one and open pieces. There must be a slip of the packed box, and one of the
// pieces to pack.
func TestPackingSlip_ListsBoxes(t *testing.T) {
	order := someOrder()
	order.ShipmentState, order.Status = store.PartlyShipped, store.OrderPaid
	order.Items = append(order.Items,
		store.OrderItem{ProductID: "99889", Name: "Lamp", SKU: "L-1", Quantity: 5, Shipped: 1},
		store.OrderItem{ProductID: "99890", Name: "Chair", SKU: "C-1", Quantity: 2},
	)
	shipment := func(id string, status store.ShipmentStatus, product string, quantity int) store.ShipmentDetails {
		return store.ShipmentDetails{
			Shipment: store.Shipment{ID: id, OrderID: order.ID, WarehouseID: "W1", Date: someDay.AddDate(0, 0, 4), Status: status},
			Items:    []store.ShipmentItem{{ProductID: product, Name: "Lamp", Quantity: quantity}},
		}
	}
	packed := shipment("88900", store.ShipmentPacked, "99889", 1)
	order.Shipments = append(order.Shipments, packed, shipment("88901", store.ShipmentUnpacked, "99889", 3))
	slips := rendered(t, views.PackingSlipPage(views.PackingSlip{Page: signedIn(), Order: order})).with("class", "slip")
	if len(slips) != 2 {
		t.Fatalf("got %d slips, want 2", len(slips))
	}
	for i, want := range []struct {
		cells       [][]string
		text        []string
		boxesToTick int
	}{
		{
			[][]string{{"Product", "Quantity"}, {"Lamp L-1", "1"}},
			[]string{"Shipment 88900", "1 product, 1 piece in this box.", "In other shipments: 3 × Table", "Still to come: 4 × Lamp, 2 × Chair"},
			0,
		},
		{
			[][]string{{"Product", "Quantity", "Packed"}, {"Lamp L-1", "4", ""}, {"Chair C-1", "2", ""}},
			[]string{"2 products, 6 pieces to pack.", "In other shipments: 3 × Table, 1 × Lamp"},
			2,
		},
	} {
		if got := slips[i].one(t, "class", "paper").cells(); !slices.EqualFunc(got, want.cells, slices.Equal) {
			t.Errorf("slip %d: got lines %q, want %q", i, got, want.cells)
		}
		for _, part := range want.text {
			if text := slips[i].text(); !strings.Contains(text, part) {
				t.Errorf("slip %d: got no %q: %s", i, part, text)
			}
		}
		if n := len(slips[i].with("class", "tick")); n != want.boxesToTick {
			t.Errorf("slip %d: got %d boxes to tick, want %d", i, n, want.boxesToTick)
		}
	}
	one := rendered(t, views.ShipmentSlipPage(views.ShipmentSlip{Page: signedIn(), Order: order, Shipment: packed})).with("class", "slip")
	if len(one) != 1 || one[0].text() != slips[0].text() {
		t.Errorf("got the slip of the shipment %+v, want the one on the page of the order: %s", one, slips[0].text())
	}
}

// TestPackingSlip_OmitsPrices prints the slip of an order whose only shipment has left.
func TestPackingSlip_OmitsPrices(t *testing.T) {
	page := rendered(t, views.PackingSlipPage(views.PackingSlip{Page: signedIn(), Order: someOrder()}))
	text := page.all("main")[0].text()
	for _, part := range []string{"Ελένη", "Storgatan 12", "Table T-1 3", "1 product, 3 pieces in this box."} {
		if !strings.Contains(text, part) {
			t.Errorf("got no %q on the slip, want it: %s", part, text)
		}
	}
	if strings.Contains(text, "€") || strings.Contains(text, "Still to come") {
		t.Errorf("got a price or open pieces on the slip, want none: %s", text)
	}
}

// TestOrder_SaysWhyAddressIsFixed shows orders whose delivery address can no longer be
// changed. The page must say why, and what to do instead.
func TestOrder_SaysWhyAddressIsFixed(t *testing.T) {
	for what, tt := range map[string]struct {
		role   store.Role
		status store.ShipmentStatus
		open   int
		want   string
	}{
		"packed":          {store.Admin, store.ShipmentPacked, 1, "To change the address, unpack the shipment first."},
		"packed, support": {store.Support, store.ShipmentPacked, 0, "To change the address, ask a manager to unpack the shipment first."},
		"partly sent":     {store.Support, store.ShipmentSent, 1, "To send the rest elsewhere, cancel the rest and place another order."},
		"sent":            {store.Support, store.ShipmentSent, 0, ""},
		"viewer":          {store.Viewer, store.ShipmentPacked, 1, ""},
		"unpacked":        {store.Admin, store.ShipmentUnpacked, 1, ""},
	} {
		p := views.Order{Page: signedIn(), Order: someOrder()}
		p.User = &store.User{Name: "kim", Role: tt.role}
		p.Order.Status = store.OrderOpen
		p.Order.Shipments[0].Status = tt.status
		p.Order.Items[0].Quantity += tt.open
		text := rendered(t, views.OrderPage(p)).text()
		if tt.want == "" && (strings.Contains(text, "To change the address") || strings.Contains(text, "elsewhere")) || !strings.Contains(text, tt.want) {
			t.Errorf("%s: got %s, want %q", what, text, tt.want)
		}
	}
}

// TestOrder_MarksUnpackedShipment shows an order with an unpacked shipment. The page must say
// who unpacked it, when and why, and hide its items at first.
func TestOrder_MarksUnpackedShipment(t *testing.T) {
	order := someOrder()
	order.Shipments[0].Status = store.ShipmentUnpacked
	order.Events = []store.Event{{ID: "1", What: store.EventShipmentUnpacked, Subject: "88899", When: someDay.AddDate(0, 0, 5), Before: "SHIPPED", After: "NONE", Why: "wrong box", By: "ole"}}
	page := rendered(t, views.OrderPage(views.Order{Page: signedIn(), Order: order}))
	for _, want := range []string{
		"Unpacked by ole on 25 Nov 2026, 13:06. Its items are back in stock. Reason: wrong box",
		"Shipment 88899 unpacked No items of the order are packed now. Reason: wrong box, by ole 25 Nov 2026",
	} {
		if text := page.text(); !strings.Contains(text, want) {
			t.Errorf("got no %q: %s", want, text)
		}
	}
	items := page.one(t, "class", "unpacked")
	if !strings.Contains(items.text(), "Show unpacked items of shipment 88899") || len(items.all("table")) != 1 {
		t.Errorf("got %s, want the items in a closed part", items.text())
	}
	shipment := views.Shipment{Page: signedIn(), Shipment: order.Shipments[0], Unpacked: &order.Events[0]}
	text := rendered(t, views.ShipmentPage(shipment)).text()
	for _, want := range []string{"This shipment was unpacked.", "Unpacked items", "Unpacked 25 Nov 2026, 13:06, by ole", "Reason wrong box"} {
		if !strings.Contains(text, want) {
			t.Errorf("shipment: got no %q: %s", want, text)
		}
	}
	shipment.Unpacked = nil // of an imported shipment
	if text := rendered(t, views.ShipmentPage(shipment)).text(); !strings.Contains(text, "This shipment was unpacked.") || strings.Contains(text, "Reason") {
		t.Errorf("imported: got %s, want no reason", text)
	}
}

// TestTimeline_UndoPacking checks the action that the timeline offers for the packing of a
// shipment.
func TestTimeline_UndoPacking(t *testing.T) {
	for what, tt := range map[string]struct {
		role     store.Role
		status   store.ShipmentStatus
		returned int
		want     string
	}{
		"packed":          {store.Admin, store.ShipmentPacked, 0, "Unpack"},
		"some returned":   {store.Admin, store.ShipmentPacked, 1, "Can't be undone Some of Table was already returned, so this shipment can't be unpacked. Mark it as shipped, and record a return of the rest."},
		"packed, support": {store.Support, store.ShipmentPacked, 0, "How to undo A manager can unpack the shipment."},
		"sent":            {store.Admin, store.ShipmentSent, 0, "Can't be undone The shipment has left the warehouse. Record a return of its items instead."},
		"unpacked":        {store.Admin, store.ShipmentUnpacked, 0, "Unpacked by ole on 25 Nov 2026, 13:06"},
		"returned":        {store.Admin, store.ShipmentReturned, 0, ""},
	} {
		p := views.Order{Page: signedIn(), Order: someOrder()}
		p.User = &store.User{Name: "kim", Role: tt.role}
		p.Order.Shipments[0].Status, p.Order.Items[0].Returned = tt.status, tt.returned
		p.Order.Events = []store.Event{{ID: "1", What: store.EventOrderShipped, Subject: "88899", When: someDay.AddDate(0, 0, 4), Before: "NONE", After: "SHIPPED", By: "kim"}}
		if tt.status == store.ShipmentUnpacked {
			p.Order.Events = append(p.Order.Events, store.Event{ID: "2", What: store.EventShipmentUnpacked, Subject: "88899", When: someDay.AddDate(0, 0, 5), By: "ole"})
		}
		got := ""
		for _, entry := range rendered(t, views.OrderPage(p)).one(t, "class", "timeline").all("li") {
			if undo := entry.with("class", "undo"); strings.HasPrefix(entry.text(), "Shipment 88899 packed") && len(undo) > 0 {
				got = undo[0].text()
			}
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", what, got, tt.want)
		}
	}
}

func TestInvoicePrint_ShowsAmountToPay(t *testing.T) {
	order := someOrder()
	page := rendered(t, views.InvoicePrintPage(views.InvoicePrint{
		Page: signedIn(), Invoice: order.Invoices[0], Order: order,
		Customer: &store.Customer{ID: "C1", Name: "Ελένη", Address: store.Address{City: "Athens"}},
	}))
	rows := page.one(t, "class", "paper").cells()
	want := [][]string{
		{"Product", "Unit price", "Quantity", "Amount"},
		{"Table", "€100.00", "3", "€300.00"},
		{"99888", "€100.00", "1", "€100.00"},
		{"Invoice amount", "€400.00"},
		{"Gift card, SUMMER, 22 Nov 2026", "−€100.00"},
		{"Refund, Credit card, •••• 4242, 23 Nov 2026", "€5.00"},
		{"To pay", "€305.00"},
	}
	if !slices.EqualFunc(rows, want, slices.Equal) {
		t.Errorf("got rows %q, want %q", rows, want)
	}
	if to := page.one(t, "aria-label", "Billed to").text(); to != "Ελένη Athens" {
		t.Errorf("got address %q, want Ελένη Athens", to)
	}
}

// TestInvoicePrint_OmitsUnpackedShipment prints an invoice of an order that was packed,
// unpacked and packed again. The date of supply is the date of the second shipment.
func TestInvoicePrint_OmitsUnpackedShipment(t *testing.T) {
	order := someOrder()
	unpacked := order.Shipments[0]
	unpacked.ID, unpacked.Date, unpacked.Status = "88898", order.Shipments[0].Date.AddDate(0, 0, -2), store.ShipmentUnpacked
	order.Shipments = append(order.Shipments, unpacked)
	page := rendered(t, views.InvoicePrintPage(views.InvoicePrint{Page: signedIn(), Invoice: order.Invoices[0], Order: order, Customer: &store.Customer{ID: "C1"}}))
	if text := page.text(); !strings.Contains(text, "Supplied 24 Nov 2026") {
		t.Errorf("got %s, want the date of the other shipment", text)
	}
}

func TestTimeline_OmitsUnchangedStatus(t *testing.T) {
	order := someOrder()
	order.Events = []store.Event{{Before: "PARTIAL", After: "PARTIAL", By: "kim"}}
	page := rendered(t, views.OrderPage(views.Order{Page: signedIn(), Order: order}))
	if text := page.text(); strings.Contains(text, "from PARTIAL") {
		t.Errorf("got %s, want no change of status", text)
	}
}

// TestTimeline_ShowsPackingOnce checks that the timeline combines a shipment with the event
// that recorded its packing, and still shows the event of a shipment that the user cannot
// see.
func TestTimeline_ShowsPackingOnce(t *testing.T) {
	order := someOrder()
	order.Events = []store.Event{
		{ID: "1", What: store.EventOrderShipped, Subject: "88899", When: order.Shipments[0].Date, Before: "NONE", After: "PARTIAL", By: "kim"},
		{ID: "2", What: store.EventOrderShipped, Subject: "88900", When: order.Shipments[0].Date, Before: "PARTIAL", After: "SHIPPED", By: "ole"},
	}
	var packed []string
	for _, entry := range rendered(t, views.OrderPage(views.Order{Page: signedIn(), Order: order})).one(t, "class", "timeline").all("li") {
		if text := entry.text(); strings.Contains(text, "packed") {
			packed = append(packed, text)
		}
	}
	want := []string{
		"Shipment 88899 packed From warehouse W1, DHL, JD01, by kim 24 Nov 2026, 13:06 Can't be undone The shipment has left the warehouse. Record a return of its items instead.",
		"Shipment 88900 packed All items of the order are packed or shipped now. By ole 24 Nov 2026, 13:06 How to undo Unpack the shipment. If it has left the warehouse, record a return of its items.",
	}
	if !slices.Equal(packed, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(packed, "\n"), strings.Join(want, "\n"))
	}
}

func TestTimeline_ShowsWordsOfStates(t *testing.T) {
	order := someOrder()
	order.Events = []store.Event{
		{ID: "1", What: store.EventOrderShipped, Before: "NONE", After: "SHIPPED", By: "kim"},
		{ID: "5", What: store.EventShipmentSent, Subject: "s1", Before: string(store.ShipmentPacked), After: string(store.ShipmentSent), By: "kim"},
		{ID: "6", What: store.EventSubscriptionCancelled, Before: string(store.SubscriptionPastDue), After: string(store.SubscriptionCancelled), By: "kim"},
		{ID: "2", What: store.EventOrderReturned, Before: "Low table –", After: "Low table 1", By: "kim"},
		{ID: "3", What: store.EventPaymentRecorded, Before: "UNPAID", After: "PAID", By: "kim"},
	}
	text := rendered(t, views.OrderPage(views.Order{Page: signedIn(), Order: order})).text()
	for _, want := range []string{"All items of the order are packed or shipped now. By kim", "from Packed to Shipped", "from Past due to Cancelled", "returned so far: Low table 1", "from Unpaid to Paid"} {
		if !strings.Contains(text, want) {
			t.Errorf("got no %q: %s", want, text)
		}
	}
}

// TestOrderShip_WarnsOfMissingAddress checks that the form that packs an order warns if
// there is no delivery address, with a link only for users who can add one.
func TestOrderShip_WarnsOfMissingAddress(t *testing.T) {
	const warning = "This order has no delivery address."
	for what, tt := range map[string]struct {
		address store.Address
		canEdit bool
		packed  bool
		canAdd  bool
		want    string
	}{
		"an address":                             {address: store.Address{City: "Lund"}, canEdit: true},
		"none, can be added":                     {canEdit: true, want: warning + " Add a delivery address before you pack the order."},
		"only a country":                         {address: store.Address{Country: "Sweden"}, want: warning},
		"none, by a manager":                     {want: warning + " Ask support to add one before you pack the order."},
		"none, partly shipped without shipments": {packed: true, canAdd: true, want: warning + " Ask support to add one before you pack the order."},
		"none, items packed":                     {packed: true, want: warning + " It can't be added while items are packed. If their shipment hasn't left the warehouse, unpack it first."},
	} {
		p := someOrderShip()
		p.Order.ShipTo, p.CanEditAddress, p.Order.ShipmentState = tt.address, tt.canEdit, store.NothingShipped
		if p.CanAddAddress = tt.canAdd; tt.packed {
			p.Order.ShipmentState = store.PartlyShipped
		}
		page := rendered(t, views.OrderShipPage(p))
		if text := page.text(); !strings.Contains(text, tt.want) || strings.Contains(text, warning) != (tt.want != "") {
			t.Errorf("%s: got no %q: %s", what, tt.want, text)
		}
		if tt.want != "" && tt.canEdit {
			if href := page.link(t, "Add a delivery address").attr("href"); href != "/orders/12345/address/edit" {
				t.Errorf("got link %s, want the form for the address", href)
			}
		}
	}
}

func TestOrderShip_LabelsWarehouses(t *testing.T) {
	if text := rendered(t, views.OrderShipPage(someOrderShip())).text(); !strings.Contains(text, "Pieces that each warehouse can ship: Aarhus 6") {
		t.Errorf("got no label before the warehouses: %s", text)
	}
}

// someOrderShip returns the form that packs 6 pieces of an order in Aarhus.
func someOrderShip() views.OrderShip {
	line := store.OrderItem{ProductID: "99887", Name: "Table", Quantity: 6}
	return views.OrderShip{
		Page: signedIn(), Order: store.Order{ID: "12345", ShipTo: store.Address{City: "Lund"}}, Lines: []views.LineForm{{Line: line, Most: 6}},
		Warehouses: []store.Warehouse{{ID: "W1", Name: "Aarhus"}}, From: "W1",
		Stock: map[string][]store.WarehouseItem{"99887": {{ProductID: "99887", WarehouseID: "W1", Quantity: 9}}},
	}
}

func TestOrderReturn_SaysThatNothingWasShipped(t *testing.T) {
	p := views.OrderReturn{Page: signedIn()}
	p.Order.ShipmentState = store.NothingShipped
	if text := rendered(t, views.OrderReturnPage(p)).text(); !strings.Contains(text, "Nothing in this order has been shipped yet.") {
		t.Errorf("got no note that nothing has been shipped: %s", text)
	}
}

func TestStock_SaysWhichWarehouses(t *testing.T) {
	for role, want := range map[store.Role]string{store.Admin: "634 pieces in all warehouses", store.Manager: "634 pieces in your warehouses"} {
		p := views.Stock{Page: signedIn(), Total: 634}
		p.User = &store.User{Name: "kim", Role: role}
		if text := rendered(t, views.StockPage(p)).text(); !strings.Contains(text, want) {
			t.Errorf("%s: got %s, want %q", role, text, want)
		}
	}
}

// TestProduct_SaysWhichWarehouses checks the words about stock on a product's page. A
// manager sees only the stock of some warehouses, and only what is on its way to them, so
// the page must say so.
func TestProduct_SaysWhichWarehouses(t *testing.T) {
	for role, want := range map[store.Role][]string{
		store.Admin:   {"Not in stock in any warehouse.", "No expected deliveries. ", "No transfers in transit. "},
		store.Manager: {"Not in stock in your warehouses.", "No expected deliveries to your warehouses.", "No transfers in transit to your warehouses."},
	} {
		p := views.Product{Page: signedIn(), Level: store.StockLevel{OnHand: 336, Incoming: 88}}
		p.User = &store.User{Name: "kim", Role: role}
		text := rendered(t, views.ProductPage(p)).text()
		for _, sentence := range append(want, "On hand 336 in all warehouses", "Incoming 88 in all warehouses") {
			if !strings.Contains(text, sentence) {
				t.Errorf("%s: got %s, want %q", role, text, sentence)
			}
		}
	}
}

// TestProducts_SaysWhichWarehouses checks that the list of products tells managers that
// the stock figures cover all warehouses.
func TestProducts_SaysWhichWarehouses(t *testing.T) {
	for role, want := range map[store.Role]bool{store.Admin: false, store.Manager: true} {
		p := views.Products{Page: signedIn(), Rows: []store.StockedProduct{{Product: store.Product{ID: "p1", Name: "Lamp"}}}}
		p.User = &store.User{Name: "kim", Role: role}
		if text := rendered(t, views.ProductsPage(p)).text(); strings.Contains(text, "all warehouses, not only yours") != want {
			t.Errorf("%s: got %s, want the note: %t", role, text, want)
		}
	}
}

// TestStockFilters_NameAllWarehouses checks the first option of the warehouse filter, which
// stands for all warehouses that the user may see.
func TestStockFilters_NameAllWarehouses(t *testing.T) {
	for role, want := range map[store.Role]string{store.Viewer: "All warehouses", store.Manager: "Your warehouses"} {
		p := views.Deliveries{Page: signedIn()}
		p.User = &store.User{Name: "kim", Role: role}
		if text := rendered(t, views.DeliveriesPage(p)).text(); !strings.Contains(text, want) {
			t.Errorf("%s: got %s, want %q", role, text, want)
		}
	}
}

// TestOrderPage_IsolatesNotes checks notes that begin with Hebrew, notes with two lines,
// and a withdrawn note. The text around a note must not take over the note's direction.
func TestOrderPage_IsolatesNotes(t *testing.T) {
	order := someOrder()
	for _, note := range []string{"\u05e9\u05dc\u05d5\u05dd!", "first line\nsecond line"} {
		order.Events = append(order.Events, store.Event{What: store.EventNote, Why: note, By: "kim", When: someDay})
	}
	order.Events = append(order.Events, store.Event{What: store.EventNoteWithdrawn, Before: "\u05e9\u05dc\u05d5\u05dd!", Why: "Undoes “Note”", By: "kim", When: someDay})
	var b bytes.Buffer
	if err := views.OrderPage(views.Order{Page: signedIn(), Order: order}).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<p><bdi>\u05e9\u05dc\u05d5\u05dd!</bdi> By kim</p>", "<p><span class=\"lines\" dir=\"auto\">first line\nsecond line</span>By kim</p>", "from <bdi>\u05e9\u05dc\u05d5\u05dd!</bdi> to nothing, Undoes “Note”, by kim</p>"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("got a timeline without %q", want)
		}
	}
}

func TestTimeline_ShowsPaymentOnce(t *testing.T) {
	order := someOrder()
	payments := order.Invoices[0].Payments
	event := func(id string, what store.EventCode, amount string, payment store.Payment, why string) store.Event {
		return store.Event{ID: id, When: payment.Date.Add(time.Millisecond), By: "kim", What: what, Subject: "55443: " + amount, Why: why, Before: "UNPAID", After: "PARTIAL"}
	}
	order.Events = []store.Event{
		event("E1", store.EventPaymentRecorded, "100", payments[0], ""), event("E2", store.EventPaymentRefunded, "-5", payments[1], "Broken leg"),
		event("E3", store.EventPaymentRecorded, "70", payments[1], "unlike the payments"),
	}
	page := rendered(t, views.OrderPage(views.Order{Page: signedIn(), Order: order}))
	var entries []string
	for _, entry := range page.one(t, "class", "timeline").all("li") {
		if text := entry.text(); strings.Contains(text, "Payment") || strings.Contains(text, "Refund") {
			entries = append(entries, text)
		}
	}
	want := []string{"Payment recorded for invoice 55443: €70.00", "Refund of €5.00 Credit card, •••• 4242, Broken leg, by kim 23 Nov 2026, 13:06", "Payment of €100.00 Gift card, SUMMER, by kim 22 Nov 2026, 13:06"}
	if len(entries) != len(want) {
		t.Fatalf("got %q, want %q", entries, want)
	}
	for i := range want {
		if !strings.HasPrefix(entries[i], want[i]) {
			t.Errorf("got %q, want %q", entries[i], want[i])
		}
	}
}

// TestTimeline_ShowsPaymentOnceOnBusyServer checks an order with two payments of the same
// amount. The server recorded the event of the first one late, and the event of the second
// one on time.
func TestTimeline_ShowsPaymentOnceOnBusyServer(t *testing.T) {
	order := someOrder()
	invoice := &order.Invoices[0]
	first := invoice.Payments[0]
	second := first
	second.ID, second.Date = "second", first.Date.Add(7*time.Second)
	invoice.Payments = []store.Payment{first, second}
	order.Events = []store.Event{
		{ID: "E1", When: first.Date.Add(6 * time.Second), By: "kim", What: store.EventPaymentRecorded, Subject: "55443: 100"},
		{ID: "E2", When: second.Date.Add(time.Second), By: "eva", What: store.EventPaymentRecorded, Subject: "55443: 100"},
	}
	page := rendered(t, views.OrderPage(views.Order{Page: signedIn(), Order: order}))
	var entries []string
	for _, entry := range page.one(t, "class", "timeline").all("li") {
		if text := entry.text(); strings.Contains(text, "Payment") {
			entries = append(entries, text)
		}
	}
	if len(entries) != 2 || !strings.Contains(entries[0], "Payment of €100.00") || !strings.Contains(entries[1], "Payment of €100.00") {
		t.Errorf("got %q, want each payment once", entries)
	}
}

// TestInvoicePage_ShowsReversedPayment shows an invoice with a reversed payment. The payment
// must be struck out, with the user and the reason, and the timeline of the order must also
// show who reversed it. A printed invoice must not contain it.
func TestInvoicePage_ShowsReversedPayment(t *testing.T) {
	order := someOrder()
	invoice := &order.Invoices[0]
	paid := invoice.Payments[0]
	reversal := store.Payment{
		ID: "3", Type: paid.Type, Data: paid.Data, Amount: store.Amount{}.Minus(paid.Amount), Date: paid.Date.Add(time.Hour), ReversalOf: paid.ID, By: "kim", Why: "wrong invoice",
	}
	invoice.Payments = []store.Payment{paid, reversal}
	const by = "Reversed by kim on 22 Nov 2026: wrong invoice"
	page := rendered(t, views.InvoicePage(views.Invoice{Page: signedIn(), Invoice: *invoice}))
	if text := page.one(t, "aria-label", "Payments").text(); !strings.Contains(text, by) || len(page.all("s")) != 1 || strings.Contains(text, "Reversal") {
		t.Errorf("got the payments %q, want one struck out payment", text)
	}
	timeline := rendered(t, views.OrderPage(views.Order{Page: signedIn(), Order: order})).one(t, "class", "timeline").text()
	if !strings.Contains(timeline, "Reversed payment of €100.00") || !strings.Contains(timeline, by) {
		t.Errorf("got the timeline %q, want the reversal and who made it", timeline)
	}
	print := rendered(t, views.InvoicePrintPage(views.InvoicePrint{Page: signedIn(), Invoice: *invoice, Order: order}))
	if strings.Contains(print.text(), paid.Data) {
		t.Errorf("got a printed invoice with the reversed payment: %s", print.text())
	}
}

// TestOrderPage_CancelledPieces shows a line with packed pieces whose rest is cancelled. The
// page must show how many pieces are cancelled.
func TestOrderPage_CancelledPieces(t *testing.T) {
	order := someOrder()
	order.Items[0] = store.OrderItem{OrderID: "12345", ProductID: "99887", Name: "Table", Price: store.MinorUnits(10000), Quantity: 5, Shipped: 2, Cancelled: true}
	page := rendered(t, views.OrderPage(views.Order{Page: signedIn(), Order: order}))
	if text := page.text(); !strings.Contains(text, "2 in shipments, 3 cancelled") || !strings.Contains(text, "1 cancelled") {
		t.Errorf("got no number of cancelled pieces: %s", text)
	}
	item := rendered(t, views.OrderItemPage(views.OrderItem{Page: signedIn(), Line: order.Items[0]}))
	if text := item.text(); !strings.Contains(text, "Cancelled 3") {
		t.Errorf("got no number of cancelled pieces: %s", text)
	}
}

// TestOrderPage_LinksToPayment shows an order with a balance due. Users who may record
// payments must get a link to the form.
func TestOrderPage_LinksToPayment(t *testing.T) {
	for role, want := range map[store.Role]bool{store.Support: true, store.Viewer: false} {
		p := views.Order{Page: signedIn(), Order: someOrder()}
		p.User = &store.User{Name: "kim", Role: role}
		page := rendered(t, views.OrderPage(p))
		if got := strings.Contains(page.text(), "Record payment"); got != want {
			t.Errorf("%s: got the link %t, want %t", role, got, want)
		}
	}
}
