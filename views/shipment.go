package views

import (
	"stockroom/store"
	"stockroom/views/ui"
)

// Shipment is the page of a shipment.
type Shipment struct {
	Page
	Shipment  store.ShipmentDetails
	CanMove   bool         // the user has the permission, and the shipment has a next status
	CanUnpack bool         // the user has the permission, and the shipment can be unpacked
	Unpacked  *store.Event // the event of the unpacking; nil if the shipment was not unpacked, or if the event is unknown
}

func (p Shipment) isUnpacked() bool { return p.Shipment.Status == store.ShipmentUnpacked }

func (p Shipment) itemsTitle() string {
	if p.isUnpacked() {
		return "Unpacked items"
	}
	return "Items"
}

// shipmentItemTable lists the contents of a shipment.
func shipmentItemTable(caption string, items []store.ShipmentItem) ui.Written {
	return func(m *ui.Markup) {
		m.Table(caption)
		m.HTML(`<thead><tr><th scope="col">Product</th><th scope="col" class="num">Quantity</th></tr></thead><tbody>`)
		for i := range items {
			item := &items[i]
			m.HTML(`<tr><td>`)
			m.Link("/products/", item.ProductID, nameOr(item.Name, item.ProductID))
			m.HTML(`<span class="sub">`)
			m.Text(item.ProductID)
			m.HTML(`</span></td><td class="num">`)
			m.Bytes(AppendCount(m.Scratch(), item.Quantity))
			m.HTML(`</td></tr>`)
		}
		m.HTML(`</tbody>`)
		m.EndTable()
	}
}
