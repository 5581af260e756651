package store

import (
	"time"

	"stockroom/store/key"
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

func (s *Shipment) write(a *attributes) {
	a.time("Date", s.Date)
	a.text("Type", s.Type)
	a.nested("Address", s.Address.write)
	a.text("Status", string(s.Status))
	a.text("Carrier", s.Carrier)
	a.text("Tracking", s.Tracking)
	a.number(attrVersion, s.Version)
}

func decodeShipment(item Item) (Entity, error) {
	f := fields{item: item}
	s := &Shipment{
		ID:          f.after(attrSK, "sh#"),
		OrderID:     f.after(attrPK, "o#"),
		WarehouseID: f.after("GSI2-PK", "w#"),
		Date:        f.time("Date"),
		Type:        f.text("Type"),
		Status:      ShipmentStatus(f.text("Status")),
		Address:     f.address("Address"),
		Carrier:     f.text("Carrier"),
		Tracking:    f.text("Tracking"),
		Version:     f.number(attrVersion),
	}
	return s, f.err
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

func (i *ShipmentItem) write(a *attributes) {
	a.text("Name", i.Name)
	a.number("Quantity", i.Quantity)
	a.number(attrVersion, i.Version)
}

func decodeShipmentItem(item Item) (Entity, error) {
	f := fields{item: item}
	i := &ShipmentItem{
		ID:         f.after(attrSK, "shp#"),
		OrderID:    f.after(attrPK, "o#"),
		ShipmentID: f.after("GSI1-PK", "sh#"),
		ProductID:  f.after("GSI1-SK", "p#"),
		Name:       f.text("Name"),
		Quantity:   f.number("Quantity"),
		Version:    f.number(attrVersion),
	}
	return i, f.err
}
