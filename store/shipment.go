package store

import (
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// ShipmentStatus is how far a parcel has come.
type ShipmentStatus string

// The states of a shipment.
const (
	ShipmentPacked    ShipmentStatus = "PACKED"
	ShipmentSent      ShipmentStatus = "SENT"
	ShipmentDelivered ShipmentStatus = "DELIVERED"
	ShipmentReturned  ShipmentStatus = "RETURNED"
)

// ShipmentStatuses are all of them, in the order in which a parcel travels.
var ShipmentStatuses = []ShipmentStatus{ShipmentPacked, ShipmentSent, ShipmentDelivered, ShipmentReturned}

// Shipment is one parcel that leaves one warehouse for one order.
type Shipment struct {
	ID          string
	OrderID     string
	WarehouseID string
	Date        time.Time
	Type        string // the service, such as Express
	Status      ShipmentStatus
	Address     Address
	Carrier     string `json:",omitempty"`
	Tracking    string `json:",omitempty"`
	Version     int
}

// EntityType implements Entity.
func (*Shipment) EntityType() string { return "shipment" }

// KeyValue implements Entity.
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

func (s *Shipment) write(a *table.Attributes) {
	a.Time("Date", s.Date)
	a.Text("Type", s.Type)
	a.Nested("Address", s.Address.write)
	a.Text("Status", string(s.Status))
	a.Text("Carrier", s.Carrier)
	a.Text("Tracking", s.Tracking)
	a.Number(table.AttrVersion, s.Version)
}

func decodeShipment(item Item) (Entity, error) {
	f := table.NewFields(item)
	s := &Shipment{
		ID:          f.After(table.AttrSK, "sh#"),
		OrderID:     f.After(table.AttrPK, "o#"),
		WarehouseID: f.After("GSI2-PK", "w#"),
		Date:        f.Time("Date"),
		Type:        f.Text("Type"),
		Status:      ShipmentStatus(f.Text("Status")),
		Address:     readAddress(f, "Address"),
		Carrier:     f.Text("Carrier"),
		Tracking:    f.Text("Tracking"),
		Version:     f.Number(table.AttrVersion),
	}
	return s, f.Err()
}

// ShipmentItem is one product in a parcel.
type ShipmentItem struct {
	ID         string
	OrderID    string
	ShipmentID string
	ProductID  string
	Name       string `json:",omitempty"`
	Quantity   int
	Version    int
}

// EntityType implements Entity.
func (*ShipmentItem) EntityType() string { return "shipmentItem" }

// KeyValue implements Entity.
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
	}
	return ""
}

func (i *ShipmentItem) write(a *table.Attributes) {
	a.Text("Name", i.Name)
	a.Number("Quantity", i.Quantity)
	a.Number(table.AttrVersion, i.Version)
}

func decodeShipmentItem(item Item) (Entity, error) {
	f := table.NewFields(item)
	i := &ShipmentItem{
		ID:         f.After(table.AttrSK, "shp#"),
		OrderID:    f.After(table.AttrPK, "o#"),
		ShipmentID: f.After("GSI1-PK", "sh#"),
		ProductID:  f.After("GSI1-SK", "p#"),
		Name:       f.Text("Name"),
		Quantity:   f.Number("Quantity"),
		Version:    f.Number(table.AttrVersion),
	}
	return i, f.Err()
}
