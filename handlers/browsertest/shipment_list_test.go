package browsertest

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"stockroom/store"
	"stockroom/store/storetest"
)

// TestShipmentList_FitsLongIDs lists shipments with the long IDs that earlier
// versions generated, with and without a link to the carrier. The page must not be wider than the
// screen.
func TestShipmentList_FitsLongIDs(t *testing.T) {
	const id = "01M80ZZZZZ00000000000000"
	var shipments []store.Entity
	for i, carrier := range []string{"DHL", "Bike courier"} {
		shipments = append(shipments, &store.Shipment{
			ID: fmt.Sprintf("%s%02d", id, i), OrderID: fmt.Sprintf("%s%02d", id, 50+i), CustomerID: "c01", WarehouseID: "w1", Date: storetest.Now, Status: store.ShipmentPacked,
			Type: "Ground", Carrier: carrier, Tracking: "0034043416109404255700340434", Version: 1,
		})
	}
	baseURL := serve(t, shipments...)
	for _, width := range []int64{1440, 1280, 1024, 390} {
		sc := screen{width: width}
		b := open(t, baseURL, sc)
		b.signIn("admin")
		b.visit("/shipments?status=PACKED&from=2026-11-21&to=2026-11-21")
		b.wantText(id+"00", id+"01")
		b.checkWidth("shipments on " + sc.String())
	}
}

// TestShipmentList_KeepsIDOnOneLine lists a shipment with an ID as the program creates
// it. The ID must stay on one line.
func TestShipmentList_KeepsIDOnOneLine(t *testing.T) {
	const id = "261130-4GCRK33DTN-1"
	baseURL := serve(t, &store.Shipment{
		ID: id, OrderID: "4GCRK33DTN", CustomerID: "c01", WarehouseID: "w1", Date: storetest.Now, Status: store.ShipmentPacked,
		Type: "Ground", Carrier: "DHL", Tracking: "00340434161094042557", Version: 1,
	})
	for _, width := range []int64{1440, 1280, 1024, 390} {
		sc := screen{width: width}
		b := open(t, baseURL, sc)
		b.signIn("admin")
		b.visit("/shipments?status=PACKED&from=2026-11-21&to=2026-11-21")
		if lines := run(b, chromedp.Evaluate[int](fmt.Sprintf(`document.querySelector("a[href='/shipments/%s']").getClientRects().length`, id))); lines != 1 {
			t.Errorf("%s: got the ID on %d lines, want 1", sc, lines)
		}
		b.checkWidth("shipments on " + sc.String())
	}
}
