package storetest_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

// damager damages items of a business and later repairs them.
type damager struct {
	testing.TB
	*storetest.Business
	db       store.DB
	table    string
	shards   int
	original map[string]store.Item // by key; nil for items that the damager added
}

func (p *damager) encode(e store.Entity) store.Item {
	p.Helper()
	item, err := store.Encode(e, p.shards)
	if err != nil {
		p.Fatal(err)
	}
	return item
}

func keyOf(item store.Item) store.Item { return store.Item{"PK": item["PK"], "SK": item["SK"]} }

func keyText(item store.Item) string {
	return item["PK"].(*types.AttributeValueMemberS).Value + " / " + item["SK"].(*types.AttributeValueMemberS).Value
}

// keep returns the current state of an item. It stores the original state for repair.
func (p *damager) keep(key store.Item) store.Item {
	p.Helper()
	found, err := p.db.GetItem(p.Context(), &dynamodb.GetItemInput{TableName: &p.table, Key: key})
	if err != nil {
		p.Fatal(err)
	}
	if _, kept := p.original[keyText(key)]; !kept {
		p.original[keyText(key)] = found.Item
	}
	return found.Item
}

func (p *damager) put(e store.Entity) { p.putItem(p.encode(e)) }

func (p *damager) putItem(item store.Item) {
	p.Helper()
	p.keep(keyOf(item))
	p.write(item)
}

func (p *damager) write(item store.Item) {
	p.Helper()
	p.transact(types.TransactWriteItem{Put: &types.Put{TableName: &p.table, Item: item}})
}

func (p *damager) remove(e store.Entity) {
	p.Helper()
	key := keyOf(p.encode(e))
	p.keep(key)
	p.delete(key)
}

func (p *damager) delete(key store.Item) {
	p.Helper()
	p.transact(types.TransactWriteItem{Delete: &types.Delete{TableName: &p.table, Key: key}})
}

func (p *damager) transact(write types.TransactWriteItem) {
	p.Helper()
	if _, err := p.db.TransactWriteItems(p.Context(), &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{write}}); err != nil {
		p.Fatal(err)
	}
}

func (p *damager) change(key store.Item, change func(store.Item)) {
	p.Helper()
	item := maps.Clone(p.keep(keyOf(key)))
	change(item)
	p.write(item)
}

func (p *damager) repair() {
	p.Helper()
	for text, item := range p.original {
		pk, sk, _ := strings.Cut(text, " / ")
		if item != nil {
			p.write(item)
		} else {
			p.delete(store.Item{"PK": textValue(pk), "SK": textValue(sk)})
		}
	}
	clear(p.original)
}

func textValue(s string) types.AttributeValue   { return &types.AttributeValueMemberS{Value: s} }
func numberValue(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }

// damages lists kinds of damage. Each one has the findings that a check must report:
// the rule and the key of the item.
var damages = []struct {
	name  string
	plant func(p *damager)
	want  []string
}{
	{"unreadable item", func(p *damager) {
		p.change(p.encode(&p.Spare), func(i store.Item) { i["Price"] = textValue("two") })
	}, []string{"item-readable p#p2 / p#p2"}},
	{"unknown entity type", func(p *damager) {
		p.putItem(store.Item{"PK": textValue("z#1"), "SK": textValue("z#1"), "EntityType": textValue("zebra")})
	}, []string{"item-readable z#1 / z#1"}},
	{"missing index key", func(p *damager) {
		p.change(p.encode(&p.Customer), func(i store.Item) { delete(i, "GSI1-PK") })
	}, []string{"item-keys c#c1 / c#c1"}},
	{"index key of another status", func(p *damager) {
		p.change(p.encode(&p.Order), func(i store.Item) { i["GSI3-SK"] = textValue("PAID#2026") })
	}, []string{"item-keys o#o1 / c#c1"}},
	{"low stock that is not in its index", func(p *damager) {
		p.change(p.encode(&p.Stock), func(i store.Item) { i["ReorderPoint"] = numberValue("50") })
	}, []string{"item-keys p#p1 / w#w1"}},

	{"order deleted", func(p *damager) { p.remove(&p.Order) }, []string{
		"ledger-order p#p1 / stock#w1#01J0000000000000000000000B", "order-parts o#o1 / i#i1", "order-parts o#o1 / p#p1", "order-parts o#o1 / p#p2",
		"order-parts o#o1 / sh#sh1", "order-parts o#o1 / shp#sh1-1", "event-record o#o1 / event#01J0000000000000000000000C", "total", "quota",
	}},
	{"order of two customers", func(p *damager) {
		other := p.Customer
		other.ID, other.Email = "c9", "c9@example.com"
		p.put(&other)
		order := p.Order
		order.CustomerID = "c9"
		p.put(&order)
	}, []string{"order-once o#o1 / c#c9"}},
	{"order total", func(p *damager) {
		p.Order.Total = store.MinorUnits(35_00)
		p.put(&p.Order)
	}, []string{"order-total o#o1 / c#c1", "total", "quota"}},
	{"order item count", func(p *damager) {
		p.Order.ItemCount = 4
		p.put(&p.Order)
	}, []string{"order-item-count o#o1 / c#c1"}},
	{"order delivered too early", func(p *damager) {
		p.Order.Status = store.OrderDelivered
		p.put(&p.Order)
	}, []string{"order-state o#o1 / c#c1"}},
	{"order cancelled with kept items", func(p *damager) {
		p.Order.Status = store.OrderCancelled
		p.put(&p.Order)
	}, []string{"order-state o#o1 / c#c1", "total", "quota"}},
	{"shipment state", func(p *damager) {
		p.Order.ShipmentState = store.NothingShipped
		p.put(&p.Order)
	}, []string{"order-state o#o1 / c#c1"}},
	{"open lines", func(p *damager) {
		p.Order.OpenLines = []string{"9 p1"}
		p.put(&p.Order)
	}, []string{"order-state o#o1 / c#c1"}},
	{"payment state", func(p *damager) {
		p.Order.PaymentState = store.InvoicePaid
		p.put(&p.Order)
	}, []string{"order-state o#o1 / c#c1"}},
	{"same person on one side only", func(p *damager) {
		p.put(&store.SamePerson{ID: "c1", Others: []string{"x1"}, Version: 1})
		p.put(&store.SamePerson{ID: "x1", Others: []string{"e1"}, Version: 1})
		p.put(&store.SamePerson{ID: "e1", Others: []string{"x1"}, Version: 1})
	}, []string{"same-person samePerson#c1 / samePerson#c1"}},
	{"same person as an unknown person", func(p *damager) {
		p.put(&store.SamePerson{ID: "c1", Others: []string{"x9"}, Version: 1})
	}, []string{"same-person samePerson#c1 / samePerson#c1", "same-person samePerson#c1 / samePerson#c1"}},
	{"customer deleted", func(p *damager) { p.remove(&p.Customer) }, []string{
		"order-customer o#o1 / c#c1", "subscription-account ACC#c1 / SUB#sub1#SKU#B-1",
		"rental-person v1#rental#rentalULID#r1 / metadata", "rental-person v1#store#storeULID#s1 / activeRentals#personULID#c1#inventoryULID#k1",
	}},
	{"unknown rep of an order", func(p *damager) {
		p.Order.AccountRepID = "e9"
		p.put(&p.Order)
	}, []string{"order-rep o#o1 / c#c1", "quota", "quota"}},

	{"line with more shipped than ordered", func(p *damager) {
		p.Open.Shipped = 3
		p.put(&p.Open)
	}, []string{"line-quantity o#o1 / p#p2", "line-shipped o#o1 / p#p2", "order-state o#o1 / c#c1", "order-state o#o1 / c#c1", "order-state o#o1 / c#c1", "stock-level p#p2 / counts#0"}},
	{"line with more returned than shipped", func(p *damager) {
		p.Open.Returned = 1
		p.put(&p.Open)
	}, []string{"line-quantity o#o1 / p#p2"}},
	{"line shipped without a shipment", func(p *damager) {
		p.Open.Shipped = 1
		p.put(&p.Open)
	}, []string{"line-shipped o#o1 / p#p2", "order-state o#o1 / c#c1", "stock-level p#p2 / counts#0"}},
	{"line with returned pieces of a packed shipment", func(p *damager) {
		p.Shipment.Status = store.ShipmentPacked
		p.put(&p.Shipment)
	}, []string{"line-returned o#o1 / p#p1"}},
	{"line of another customer", func(p *damager) {
		p.Open.CustomerID = "c2"
		p.put(&p.Open)
	}, []string{"line-customer o#o1 / p#p2"}},
	{"line of an unknown product", func(p *damager) { p.remove(&p.Spare) }, []string{"line-product o#o1 / p#p2"}},
	{"line deleted", func(p *damager) { p.remove(&p.Open) }, []string{
		"order-total o#o1 / c#c1", "order-item-count o#o1 / c#c1", "order-state o#o1 / c#c1", "order-state o#o1 / c#c1", "order-state o#o1 / c#c1", "stock-level p#p2 / counts#0",
	}},

	{"invoice status", func(p *damager) {
		p.Invoice.Status, p.Order.PaymentState, p.Order.Status = store.InvoicePaid, store.InvoicePaid, store.OrderPaid
		p.put(&p.Invoice)
		p.put(&p.Order)
	}, []string{"invoice-status o#o1 / i#i1"}},
	{"invoice credit", func(p *damager) {
		p.Invoice.Credit = store.MinorUnits(2_00)
		p.put(&p.Invoice)
	}, []string{"invoice-credit o#o1 / c#c1"}},
	{"credit notes above the credit", func(p *damager) {
		p.put(&store.CreditNote{ID: "cn1", OrderID: "o1", CustomerID: "c1", InvoiceID: "i1", InvoiceNumber: p.Invoice.Number, Date: p.Invoice.Date, Reason: store.CreditReturned, Amount: store.MinorUnits(100_00), Version: 1})
	}, []string{"credit-note o#o1 / i#i1"}},
	{"credit note for an unknown invoice", func(p *damager) {
		p.put(&store.CreditNote{ID: "cn1", OrderID: "o1", CustomerID: "c1", InvoiceID: "i9", Date: p.Invoice.Date, Reason: store.CreditReturned, Version: 1})
	}, []string{"credit-note o#o1 / cn#cn1"}},
	{"invoice of another customer", func(p *damager) {
		p.Invoice.CustomerID = "c2"
		p.put(&p.Invoice)
	}, []string{"invoice-customer o#o1 / i#i1"}},
	{"refund above its payment", func(p *damager) {
		p.Invoice.Payments = append(slices.Clone(p.Invoice.Payments), store.Payment{ID: "3", Type: "GiftCard", Amount: store.MinorUnits(16_00), Data: "GC-1"})
		p.Invoice.Payments[1].Amount = store.MinorUnits(-21_00)
		p.put(&p.Invoice)
	}, []string{"invoice-refund o#o1 / i#i1"}},
	{"reversal of an unknown payment", func(p *damager) {
		p.Invoice.Payments = append(slices.Clone(p.Invoice.Payments), store.Payment{ID: "3", Type: "Visa", Amount: store.MinorUnits(-1_00), Data: "•••• 1234", ReversalOf: "9"})
		p.put(&p.Invoice)
	}, []string{"invoice-reversal o#o1 / i#i1"}},
	{"payment reversed twice", func(p *damager) {
		reversal := store.Payment{ID: "3", Type: "Cash", Amount: store.MinorUnits(-5_00), ReversalOf: "5"}
		again := reversal
		again.ID = "4"
		payment := store.Payment{ID: "5", Type: "Cash", Amount: store.MinorUnits(5_00)}
		p.Invoice.Payments = append(slices.Clone(p.Invoice.Payments), payment, reversal, again)
		p.put(&p.Invoice)
	}, []string{"invoice-reversal o#o1 / i#i1"}},
	{"invoice ID in two orders", func(p *damager) {
		p.putOrder("o2", func(d *store.OrderDetails) { d.Invoices[0].ID = "i1" })
	}, []string{"invoice-once o#o2 / i#i1", "total", "quota", "stock-level p#p2 / counts#0"}},
	{"invoice number twice", func(p *damager) {
		p.putOrder("o2", func(d *store.OrderDetails) { d.Invoices[0].Number = 1 })
	}, []string{"number-once o#o2 / i#io2", "total", "quota", "stock-level p#p2 / counts#0"}},
	{"missing invoice numbers", func(p *damager) {
		p.putOrder("o2", func(d *store.OrderDetails) { d.Invoices[0].Number = 4 })
	}, []string{"number-missing series#INV / series#INV", "total", "quota", "stock-level p#p2 / counts#0"}},
	{"last invoice number missing", func(p *damager) {
		p.put(&store.NumberSeries{Series: store.SeriesInvoices, Last: 2, Version: 2})
	}, []string{"number-missing series#INV / series#INV"}},
	{"shipment ID in two orders", func(p *damager) {
		p.putOrder("o2", func(d *store.OrderDetails) {
			d.Shipments = []store.ShipmentDetails{{Shipment: p.Shipment}}
			d.Shipments[0].OrderID = "o2"
		})
	}, []string{"shipment-once o#o2 / sh#sh1", "total", "quota", "stock-level p#p2 / counts#0"}},
	{"item of an unknown shipment", func(p *damager) {
		p.Packed.ShipmentID = "sh9"
		p.put(&p.Packed)
	}, []string{"shipment-item o#o1 / shp#sh1-1"}},
	{"shipment of an unknown warehouse", func(p *damager) {
		p.Shipment.WarehouseID = "w9"
		p.put(&p.Shipment)
	}, []string{"shipment-warehouse o#o1 / sh#sh1"}},
	{"shipment of another customer", func(p *damager) {
		p.Shipment.CustomerID = "c2"
		p.put(&p.Shipment)
	}, []string{"shipment-customer o#o1 / sh#sh1"}},

	{"product deleted", func(p *damager) { p.remove(&p.Product) }, []string{
		"product-parts p#p1 / w#w1", "product-parts p#p1 / stock#w1#01J0000000000000000000000A", "line-product o#o1 / p#p1",
	}},
	{"stock deleted", func(p *damager) { p.remove(&p.Stock) }, []string{"product-parts p#p1 / stock#w1#01J0000000000000000000000A", "stock-level p#p1 / counts#0"}},
	{"stock count too large", func(p *damager) {
		p.put(&store.StockCount{ProductID: "p1", Slot: 2, OnHand: 1, Version: 1})
	}, []string{"stock-level p#p1 / counts#0"}},
	{"SKU of two products", func(p *damager) {
		p.Spare.SKU = "L-1"
		p.put(&p.Spare)
	}, []string{"product-sku p#p2 / p#p2"}},
	{"stock quantity", func(p *damager) {
		p.Stock.Quantity = 8
		p.put(&p.Stock)
	}, []string{"stock-quantity p#p1 / w#w1", "stock-level p#p1 / counts#0"}},
	{"ledger entry deleted", func(p *damager) { p.remove(&p.Issued) }, []string{"stock-quantity p#p1 / w#w1"}},
	{"ledger entry of a shipment without a change of the quantity", func(p *damager) {
		p.ship("w1", 7)
	}, []string{"stock-quantity p#p1 / w#w1"}},
	{"ledger entry of a shipment that an earlier version stored differently", func(p *damager) {
		p.remove(&p.Issued)
		p.ship("w1", 10)
	}, nil},
	{"ledger entry of a shipment as the first entry", func(p *damager) {
		p.remove(&p.Received)
		p.remove(&p.Issued)
		p.ship("w1", 11)
	}, []string{"stock-quantity p#p1 / w#w1"}},
	{"ledger entry of more pieces than the stock", func(p *damager) {
		p.remove(&p.Issued)
		p.ship("w1", 2)
	}, []string{"ledger-entry o#o1 / shp#sh1-1"}},
	{"ledger entry of a shipment without a warehouse", func(p *damager) {
		p.ship("", 10)
	}, []string{"ledger-entry o#o1 / shp#sh1-1"}},
	{"ledger entries with spaces in their IDs", func(p *damager) {
		p.remove(&p.Received)
		p.remove(&p.Issued)
		p.Received.ID, p.Issued.ID = "2026 May A", "2026 May B"
		p.put(&p.Received)
		p.put(&p.Issued)
	}, nil},
	{"ledger entry of a shipment without stock", func(p *damager) {
		p.ship("w9", 10)
	}, []string{"product-parts o#o1 / shp#sh1-1"}},
	{"ledger entry with a wrong sum", func(p *damager) {
		p.Issued.To = 8
		p.put(&p.Issued)
	}, []string{"ledger-entry p#p1 / stock#w1#01J0000000000000000000000B"}},
	{"negative stock", func(p *damager) {
		p.put(&store.WarehouseItem{ProductID: "p2", WarehouseID: "w1", Name: "Bulb", Quantity: -1, Version: 1})
	}, []string{"stock-quantity p#p2 / w#w1", "stock-level p#p2 / counts#0"}},
	{"name in stock", func(p *damager) {
		p.Stock.Name = "Candle"
		p.put(&p.Stock)
	}, []string{"stock-name p#p1 / w#w1"}},
	{"stock of an unknown warehouse", func(p *damager) {
		p.put(&store.WarehouseItem{ProductID: "p2", WarehouseID: "w9", Name: "Bulb", Quantity: 1, Version: 1})
	}, []string{"stock-warehouse p#p2 / w#w9", "stock-level p#p2 / counts#0"}},
	{"delivery without a quantity", func(p *damager) {
		p.put(&store.ExpectedDelivery{ID: "d1", ProductID: "p2", WarehouseID: "w1", Due: storetest.Now, Version: 1})
	}, []string{"delivery-quantity p#p2 / delivery#w1#d1"}},
	{"delivery without a day", func(p *damager) {
		p.put(&store.ExpectedDelivery{ID: "d1", ProductID: "p2", WarehouseID: "w1", Quantity: 2, Version: 1})
	}, []string{"delivery-day p#p2 / delivery#w1#d1", "stock-level p#p2 / counts#0"}},
	{"delivery to an unknown warehouse", func(p *damager) {
		p.put(&store.ExpectedDelivery{ID: "d1", ProductID: "p2", WarehouseID: "w9", Due: storetest.Now, Quantity: 2, Version: 1})
	}, []string{"delivery-warehouse p#p2 / delivery#w9#d1", "stock-level p#p2 / counts#0"}},
	{"transfer without a quantity", func(p *damager) {
		p.put(&store.Transfer{ID: "t1", ProductID: "p2", SourceID: "w1", TargetID: "w1", Sent: storetest.Now, Version: 1})
	}, []string{"transfer-quantity p#p2 / transfer#t1"}},
	{"transfer without a day", func(p *damager) {
		p.put(&store.Transfer{ID: "t1", ProductID: "p2", SourceID: "w1", TargetID: "w1", Quantity: 2, Received: 2, Version: 1})
	}, []string{"transfer-quantity p#p2 / transfer#t1"}},
	{"transfer to an unknown warehouse", func(p *damager) {
		p.put(&store.Transfer{ID: "t1", ProductID: "p2", SourceID: "w1", TargetID: "w9", Sent: storetest.Now, Quantity: 2, Version: 1})
	}, []string{"transfer-warehouse p#p2 / transfer#t1", "stock-level p#p2 / counts#0"}},
	{"transfer that differs from its ledger entry", func(p *damager) {
		p.Issued.TransferID = "t1"
		p.put(&p.Issued)
		p.put(&store.Transfer{ID: "t1", ProductID: "p1", SourceID: "w1", TargetID: "w1", Sent: storetest.Now, Quantity: 9, Version: 1})
	}, []string{"transfer-ledger p#p1 / transfer#t1", "stock-level p#p1 / counts#0"}},
	{"ledger entry of an unknown transfer", func(p *damager) {
		p.Issued.TransferID = "t9"
		p.put(&p.Issued)
	}, []string{"transfer-ledger p#p1 / stock#w1#01J0000000000000000000000B"}},
	{"ledger entry of an unknown order", func(p *damager) {
		p.Issued.OrderID = "o9"
		p.put(&p.Issued)
	}, []string{"ledger-order p#p1 / stock#w1#01J0000000000000000000000B"}},

	{"store counts", func(p *damager) {
		p.Store.In = 2
		p.put(&p.Store)
	}, []string{"store-counts v1#store#storeULID#s1 / metadata"}},
	{"kayak out without an active rental", func(p *damager) {
		p.In.Status = store.KayakOut
		p.put(&p.In)
		p.Store.In, p.Store.Out = 0, 2
		p.put(&p.Store)
	}, []string{"kayak-out v1#store#storeULID#s1 / inventory#metadata#inventoryULID#k2"}},
	{"kayak in with an active rental", func(p *damager) {
		p.Out.Status = store.KayakIn
		p.put(&p.Out)
		p.Store.In, p.Store.Out = 2, 0
		p.put(&p.Store)
	}, []string{"kayak-out v1#store#storeULID#s1 / inventory#metadata#inventoryULID#k1"}},
	{"active rental deleted", func(p *damager) { p.remove(&p.Active) }, []string{
		"kayak-out v1#store#storeULID#s1 / inventory#metadata#inventoryULID#k1", "rental-active v1#rental#rentalULID#r1 / metadata",
	}},
	{"kayak in two stores", func(p *damager) {
		p.put(&store.RentalStore{ID: "s2", Name: "Canal", In: 1, Version: 1})
		p.In.StoreID = "s2"
		p.put(&p.In)
	}, []string{"kayak-once v1#store#storeULID#s2 / inventory#metadata#inventoryULID#k2"}},
	{"rental checked in, but active", func(p *damager) {
		p.Rental.Returned = p.Rental.Out
		p.put(&p.Rental)
	}, []string{"rental-active v1#store#storeULID#s1 / activeRentals#personULID#c1#inventoryULID#k1"}},
	{"rental checked in before it began", func(p *damager) {
		p.Returned.Returned = p.Returned.Out.AddDate(0, 0, -1)
		p.put(&p.Returned)
	}, []string{"rental-dates v1#rental#rentalULID#r2 / metadata"}},
	{"rental in an unknown store", func(p *damager) {
		p.Returned.StoreID = "s9"
		p.put(&p.Returned)
	}, []string{"rental-store v1#rental#rentalULID#r2 / metadata"}},
	{"rental of an unknown kayak", func(p *damager) {
		p.Returned.KayakID = "k9"
		p.put(&p.Returned)
	}, []string{"rental-kayak v1#rental#rentalULID#r2 / metadata"}},
	{"rental by an unknown person", func(p *damager) {
		p.Returned.PersonID = "x9"
		p.put(&p.Returned)
	}, []string{"rental-person v1#rental#rentalULID#r2 / metadata"}},
	{"employment ended, but current", func(p *damager) {
		p.Employment.To = p.Employment.From.AddDate(0, 1, 0)
		p.put(&p.Employment)
	}, []string{"employment-current v1#store#storeULID#s1 / employee#metadata#personULID#x1"}},
	{"staff entry with another last day", func(p *damager) {
		p.Employment.To = p.Employment.From.AddDate(0, 1, 0)
		p.put(&p.Employment)
		p.StoreStaff.To = p.Employment.From.AddDate(0, 2, 0)
		p.put(&p.StoreStaff)
	}, []string{"employment-current v1#store#storeULID#s1 / employee#metadata#personULID#x1"}},
	{"kayak in an unknown store", func(p *damager) {
		p.put(&store.Kayak{ID: "k9", StoreID: "s9", Name: "Heron 9", Status: store.KayakIn, Version: 1})
	}, []string{"store-parts v1#store#storeULID#s9 / inventory#metadata#inventoryULID#k9"}},
	{"employment in an unknown store", func(p *damager) {
		p.put(&store.Employment{ID: "em9", StoreID: "s9", PersonID: "x1", From: p.Employment.From, To: p.Employment.From, Version: 1})
	}, []string{"employment-store v1#employment#employmentULID#em9 / metadata"}},
	{"employment of an unknown person", func(p *damager) {
		p.put(&store.Employment{ID: "em9", StoreID: "s1", PersonID: "x9", From: p.Employment.From, To: p.Employment.From, Version: 1})
	}, []string{"employment-person v1#employment#employmentULID#em9 / metadata"}},
	{"staff entry deleted", func(p *damager) { p.remove(&p.StoreStaff) }, []string{"employment-current v1#employment#employmentULID#em1 / metadata"}},

	{"email of two people", func(p *damager) {
		p.Person.Email = "Maria@example.com"
		p.put(&p.Person)
	}, []string{"email-once v1#person#personULID#x1 / metadata"}},
	{"person with two emails", func(p *damager) {
		p.put(&store.Person{ID: "c1", Name: "Maria", Email: "other@example.com", Version: 1})
	}, []string{"person-email v1#person#personULID#c1 / metadata"}},
	{"unknown rep of a customer", func(p *damager) {
		p.Customer.AccountRepID = "e9"
		p.put(&p.Customer)
	}, []string{"customer-rep c#c1 / c#c1"}},
	{"unknown manager of an employee", func(p *damager) {
		p.Rep.ManagerID = "e9"
		p.put(&p.Rep)
	}, []string{"employee-reference e#e1 / e#e1"}},
	{"job deleted", func(p *damager) { p.remove(&p.Job) }, []string{"employee-reference e#e1 / e#e1"}},
	{"job title", func(p *damager) {
		p.Rep.JobTitle = "Packer"
		p.put(&p.Rep)
	}, []string{"employee-job-title e#e1 / e#e1"}},
	{"country deleted", func(p *damager) { p.remove(&p.Country) }, []string{"reference-parent l#1001 / l#1001"}},
	{"quota of an unknown employee", func(p *damager) {
		p.put(&store.Quota{EmployeeID: "e9", Period: store.Quarter{Year: 2026, Number: 1}, Version: 1})
	}, []string{"quota-employee e#e9 / QUOTA#2026-Q1"}},

	{"active subscription with declined attempts", func(p *damager) {
		p.Subscribed.Attempt = 2
		p.put(&p.Subscribed)
	}, []string{"subscription-state ACC#c1 / SUB#sub1#SKU#B-1"}},
	{"active subscription without an attempt day", func(p *damager) {
		p.Subscribed.NextAttemptDate = time.Time{}
		p.put(&p.Subscribed)
	}, []string{"subscription-state ACC#c1 / SUB#sub1#SKU#B-1"}},
	{"subscription without a status", func(p *damager) {
		p.Subscribed.Status = ""
		p.put(&p.Subscribed)
	}, []string{"subscription-state ACC#c1 / SUB#sub1#SKU#B-1", "total", "total"}},
	{"receipt of an unknown subscription", func(p *damager) {
		other := p.Receipt
		other.SubscriptionID, other.ProcessedAmount = "sub9", store.Amount{}
		p.put(&other)
	}, []string{"receipt-subscription ACC#c1 / REC#2026-11-01#SKU#B-1#SUB#sub9", "total"}},

	{"rental payment of an unknown rental", func(p *damager) {
		p.put(&store.RentalPayment{
			ID: "rp1", StoreID: "s1", PersonID: "x1", Day: storetest.Day(2026, 11, 20), At: storetest.Now, Kind: store.RentalCharge, Method: store.PayLater,
			Amount: store.MinorUnits(20_00), Rentals: []store.PaidRental{{RentalID: "r9", KayakID: "k2", Amount: store.MinorUnits(20_00)}}, Version: 1,
		})
	}, []string{"rental-payment v1#takings#storeULID#s1#2026-11-20 / payment#rp1"}},
	{"rental payment with a wrong sum", func(p *damager) {
		p.put(&store.RentalPayment{
			ID: "rp1", StoreID: "s1", PersonID: "x1", Day: storetest.Day(2026, 11, 20), At: storetest.Now, Kind: store.RentalCharge, Method: store.PayByCash,
			Amount: store.MinorUnits(20_00), Rentals: []store.PaidRental{{RentalID: "r2", KayakID: "k2", Amount: store.MinorUnits(10_00)}}, Version: 1,
		})
	}, []string{"rental-payment v1#takings#storeULID#s1#2026-11-20 / payment#rp1", "total"}},
	{"booking of an unknown kayak", func(p *damager) {
		b := damagedBooking()
		b.Status, b.KayakID = store.BookingCancelled, "k9"
		p.put(b)
	}, []string{"booking v1#booking#bookingULID#b1 / metadata"}},
	{"booking whose last day is before its first", func(p *damager) {
		b := damagedBooking()
		b.Status, b.To = store.BookingCancelled, b.From.AddDate(0, 0, -1)
		p.put(b)
	}, []string{"booking v1#booking#bookingULID#b1 / metadata"}},
	{"open booking without its day", func(p *damager) { p.put(damagedBooking()) }, []string{"booking-day v1#booking#bookingULID#b1 / metadata"}},
	{"day of a cancelled booking", func(p *damager) {
		b := damagedBooking()
		b.Status = store.BookingCancelled
		p.put(b)
		p.put(&store.BookingDay{StoreID: b.StoreID, KayakID: b.KayakID, Day: b.From, BookingID: b.ID, From: b.From, To: b.To, PersonID: b.PersonID, Version: 1})
	}, []string{"booking-day v1#bookingDays#storeULID#s1#2026-11-23 / 2026-11-25#inventoryULID#k2"}},
	{"open booking of a retired kayak", func(p *damager) {
		p.In.Status = store.KayakRetired
		p.Store.In--
		p.put(&p.In)
		p.put(&p.Store)
		p.book(damagedBooking())
	}, []string{"booking v1#booking#bookingULID#b1 / metadata"}},
	{"open booking with a rental", func(p *damager) {
		b := damagedBooking()
		b.RentalID = "r2"
		p.book(b)
	}, []string{"booking v1#booking#bookingULID#b1 / metadata"}},
	{"checked-out booking without a rental", func(p *damager) {
		b := damagedBooking()
		b.Status = store.BookingCheckedOut
		p.put(b)
	}, []string{"booking v1#booking#bookingULID#b1 / metadata"}},
	{"two open bookings of a kayak on a day", func(p *damager) {
		p.book(damagedBooking())
		other := damagedBooking()
		other.ID = "b2"
		p.put(other)
	}, []string{"booking-day v1#booking#bookingULID#b2 / metadata"}},
	{"day with the person of another booking", func(p *damager) {
		b := damagedBooking()
		p.put(b)
		p.put(&store.BookingDay{StoreID: b.StoreID, KayakID: b.KayakID, Day: b.From, BookingID: b.ID, From: b.From, To: b.To, PersonID: "c1", Version: 1})
	}, []string{"booking-day v1#bookingDays#storeULID#s1#2026-11-23 / 2026-11-25#inventoryULID#k2"}},
	{"booking of a kayak that is rented out", func(p *damager) {
		b := damagedBooking()
		b.KayakID, b.From, b.To = p.Rental.KayakID, p.Rental.Due, p.Rental.Due
		p.book(b)
	}, []string{"booking-rental v1#store#storeULID#s1 / activeRentals#personULID#c1#inventoryULID#k1"}},
	{"unknown warehouse of a user", func(p *damager) {
		p.StoreManager.Warehouses = []string{"w1", "w9"}
		p.put(&p.StoreManager)
	}, []string{"user-scope user#ole / user#ole"}},
	{"view of an unknown user", func(p *damager) {
		p.put(&store.SavedView{ID: "v2", Owner: "pat", Name: "Mine", Path: "/orders", Version: 1})
	}, []string{"view-user user#pat / view#v2"}},
	{"event of an unknown record", func(p *damager) {
		p.put(&store.Event{ID: "01J0000000000000000000000D", Partition: "c#c9", When: storetest.Now, By: "kim", What: store.EventCustomerEdited})
	}, []string{"event-record c#c9 / event#01J0000000000000000000000D"}},

	{"total of a day", func(p *damager) {
		p.put(&store.Total{Kind: store.TotalOrders, Day: storetest.Day(2026, 1, 2), Count: 1, Version: 1})
	}, []string{"total"}},
	{"quota", func(p *damager) {
		p.put(&store.Quota{EmployeeID: "e1", Period: store.Quarter{Year: 2026, Number: 1}, Orders: 1, Version: 1})
	}, []string{"quota"}},
}

// putOrder adds an open order for one bulb, with its invoice.
func (p *damager) putOrder(id string, change func(*store.OrderDetails)) {
	p.Helper()
	d := store.OrderDetails{
		Order: store.Order{
			ID: id, CustomerID: "c1", Date: storetest.Now, Status: store.OrderOpen, Total: store.MinorUnits(2_00), ItemCount: 1, AccountRepID: "e1",
			PaymentState: store.InvoiceUnpaid, ShipmentState: store.NothingShipped, Version: 1,
		},
		Items:    []store.OrderItem{{OrderID: id, ProductID: "p2", CustomerID: "c1", Date: storetest.Now, Price: store.MinorUnits(2_00), Quantity: 1, Version: 1}},
		Invoices: []store.Invoice{{ID: "i" + id, OrderID: id, CustomerID: "c1", Date: storetest.Now, Amount: store.MinorUnits(2_00), Status: store.InvoiceUnpaid, Version: 1}},
	}
	change(&d)
	p.put(&d.Order)
	p.put(&d.Items[0])
	p.put(&d.Invoices[0])
	for i := range d.Shipments {
		p.put(&d.Shipments[i].Shipment)
	}
}

// TestCheckBusiness_FindsEachDamage damages the business in one way at a time. The
// check must report the expected findings and no others.
func TestCheckBusiness_FindsEachDamage(t *testing.T) {
	storetest.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *storetest.Clock) {
		s := store.New(db, table, clock.Now)
		if err := s.CreateTable(t.Context()); err != nil {
			t.Fatal(err)
		}
		storetest.NewBusiness().Load(t, s)
		settings, err := s.Settings(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if found, result := checkBusiness(t, s, store.BusinessCheck{}); len(found) > 0 || result.Changing > 0 {
			t.Fatalf("undamaged: got %+v, %d changing, want no findings", found, result.Changing)
		}
		rules := map[store.CheckRule]bool{}
		for _, damage := range damages {
			p := &damager{t, storetest.NewBusiness(), db, table, settings.Shards, map[string]store.Item{}}
			damage.plant(p)
			found, result := checkBusiness(t, s, store.BusinessCheck{Wait: atOnce})
			p.repair()
			var got []string
			for _, f := range found {
				rules[f.Rule] = true
				name := string(f.Rule)
				if f.Rule != store.CheckTotal && f.Rule != store.CheckQuota {
					name += " " + f.PK + " / " + f.SK
				}
				got = append(got, name)
				if !strings.HasSuffix(f.Text, ".") || strings.Contains(f.Text, "%!") || !strings.HasPrefix(f.Text, "The ") {
					t.Errorf("%s: got the text %q, want a sentence", damage.name, f.Text)
				}
			}
			slices.Sort(got)
			want := slices.Sorted(slices.Values(damage.want))
			if !slices.Equal(got, want) || result.Changing > 0 {
				t.Errorf("%s: got %q, %d changing; want %q", damage.name, got, result.Changing, want)
			}
		}
		for _, r := range store.CheckRules {
			if !rules[r.Rule] {
				t.Errorf("got no damage that violates the rule %s, want one", r.Rule)
			}
		}
	})
}

// ship stores the packed shipment item as an entry of a warehouse's ledger.
func (p *damager) ship(warehouseID string, from int) {
	p.Packed.EntryID, p.Packed.WarehouseID, p.Packed.When, p.Packed.From, p.Packed.By = "01J0000000000000000000000D", warehouseID, storetest.Now, from, "kim"
	p.put(&p.Packed)
}

// book stores an open booking with its days.
func (p *damager) book(b *store.Booking) {
	p.put(b)
	for day := b.From; !day.After(b.To); day = day.AddDate(0, 0, 1) {
		p.put(&store.BookingDay{StoreID: b.StoreID, KayakID: b.KayakID, Day: day, BookingID: b.ID, From: b.From, To: b.To, PersonID: b.PersonID, Version: 1})
	}
}

func damagedBooking() *store.Booking {
	day := storetest.Day(2026, 11, 25)
	return &store.Booking{ID: "b1", StoreID: "s1", PersonID: "x1", KayakID: "k2", From: day, To: day, Status: store.BookingOpen, Created: storetest.Now, Version: 1}
}
