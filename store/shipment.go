package store

import (
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// ShipmentStatus is the status of a shipment.
type ShipmentStatus string

// The statuses of a shipment.
const (
	ShipmentPacked    ShipmentStatus = "PACKED"
	ShipmentSent      ShipmentStatus = "SENT"
	ShipmentDelivered ShipmentStatus = "DELIVERED"
	ShipmentReturned  ShipmentStatus = "RETURNED"
	ShipmentUnpacked  ShipmentStatus = "UNPACKED" // its items are back in stock, and open again in the order
)

// ShipmentStatuses lists all statuses of shipments.
var ShipmentStatuses = []ShipmentStatus{ShipmentPacked, ShipmentSent, ShipmentDelivered, ShipmentReturned, ShipmentUnpacked}

// Shipment is one parcel that a warehouse ships for an order.
type Shipment struct {
	ID          string
	OrderID     string
	CustomerID  string `json:",omitempty"` // customer of the order; "" for shipments of earlier versions
	WarehouseID string
	Date        time.Time
	Type        string // shipping service, such as Express
	Status      ShipmentStatus
	Address     Address
	Carrier     string `json:",omitempty"`
	Tracking    string `json:",omitempty"`
	Version     int
}

func (*Shipment) EntityType() string { return "shipment" }

func (s *Shipment) KeyValue(name string) string {
	switch name {
	case "id", "shardOf":
		return s.ID
	case "orderID":
		return s.OrderID
	case "warehouseID":
		return s.WarehouseID
	case "date":
		return key.Time(s.Date)
	case "status":
		return string(s.Status)
	}
	return ""
}

func (s *Shipment) attributes(a *table.Attributes) {
	a.FromKey(table.AttrSK, "sh#", &s.ID)
	a.FromKey(table.AttrPK, "o#", &s.OrderID)
	a.FromKey("GSI2-PK", "w#", &s.WarehouseID)
	a.Text("CustomerID", &s.CustomerID)
	a.Time("Date", &s.Date)
	a.Text("Type", &s.Type)
	a.Nested("Address", s.Address.attributes)
	a.Text("Status", (*string)(&s.Status))
	a.Text("Carrier", &s.Carrier)
	a.Text("Tracking", &s.Tracking)
	a.Version(&s.Version)
}

// ShipmentItem is one product in a shipment. It is also the entry in the stock ledger
// for the pieces that left the stock; see ledgerEntry.
type ShipmentItem struct {
	ID         string
	OrderID    string
	ShipmentID string
	ProductID  string
	Name       string `json:",omitempty"`
	Quantity   int

	// Values of the ledger entry. They are empty if an import did not contain them. They
	// are also empty in items of earlier versions, which stored a StockMove as the entry.
	EntryID     string    `json:"-"` // a ULID, so entries are sorted by time; "" if the item is not an entry
	WarehouseID string    `json:"-"`
	When        time.Time `json:"-"`
	From        int       `json:"-"` // quantity in stock before
	By          string    `json:"-"` // user name, or Program

	Version int
}

func (*ShipmentItem) EntityType() string { return "shipmentItem" }

func (i *ShipmentItem) KeyValue(name string) string {
	switch name {
	case "id":
		return i.ID
	case "orderID":
		return i.OrderID
	case "shipmentID":
		return i.ShipmentID
	case "productID":
		return i.ProductID
	case "warehouseID":
		return i.WarehouseID
	case "entry":
		return i.EntryID
	}
	return ""
}

func (i *ShipmentItem) ledgerEntry() StockMove {
	return StockMove{
		ID: i.EntryID, ProductID: i.ProductID, WarehouseID: i.WarehouseID, Name: i.Name, When: i.When,
		From: i.From, To: i.From - i.Quantity, Delta: -i.Quantity, Reason: packedReason, By: i.By,
		OrderID: i.OrderID, ShipmentID: i.ShipmentID,
	}
}

func (i *ShipmentItem) attributes(a *table.Attributes) {
	a.FromKey(table.AttrSK, "shp#", &i.ID)
	a.FromKey(table.AttrPK, "o#", &i.OrderID)
	a.FromKey("GSI1-PK", "sh#", &i.ShipmentID)
	a.FromKey("GSI1-SK", "p#", &i.ProductID)
	a.Text("Name", &i.Name)
	a.Number("Quantity", &i.Quantity)
	a.Text("Entry", &i.EntryID)
	a.Text("WarehouseID", &i.WarehouseID)
	a.Time("When", &i.When)
	a.OptionalNumber("From", &i.From)
	a.Text("By", &i.By)
	a.Version(&i.Version)
}
