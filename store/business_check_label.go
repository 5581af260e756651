package store

import "fmt"

// labelOf returns the label of an entity in sentences, such as "order 100001".
func labelOf(e Entity) string {
	switch e := e.(type) {
	case *Customer:
		return "customer " + e.ID
	case *Product:
		return "product " + e.ID
	case *Warehouse:
		return "warehouse " + e.ID
	case *WarehouseItem:
		return fmt.Sprintf("stock of product %s in warehouse %s", e.ProductID, e.WarehouseID)
	case *StockMove:
		return fmt.Sprintf("ledger entry %s of product %s in warehouse %s", e.ID, e.ProductID, e.WarehouseID)
	case *ExpectedDelivery:
		return fmt.Sprintf("expected delivery %s of product %s to warehouse %s", e.ID, e.ProductID, e.WarehouseID)
	case *Count:
		return "count " + e.ID
	case *Transfer:
		return fmt.Sprintf("transfer %s of product %s from warehouse %s to warehouse %s", e.ID, e.ProductID, e.SourceID, e.TargetID)
	case *Order:
		return "order " + e.ID
	case *OrderItem:
		return fmt.Sprintf("line of product %s in order %s", e.ProductID, e.OrderID)
	case *Invoice:
		return "invoice " + e.NumberText()
	case *CreditNote:
		return "credit note " + e.NumberText()
	case *Shipment:
		return "shipment " + e.ID
	case *ShipmentItem:
		return fmt.Sprintf("item %s of shipment %s", e.ID, e.ShipmentID)
	case *RentalStore:
		return "store " + e.ID
	case *StoreEmployee:
		return fmt.Sprintf("staff entry of person %s in store %s", e.PersonID, e.StoreID)
	case *Kayak:
		return "kayak " + e.ID
	case *ActiveRental:
		return fmt.Sprintf("active rental of kayak %s in store %s", e.KayakID, e.StoreID)
	case *Rental:
		return "rental " + e.ID
	case *RentalPayment:
		return rentalPaymentLabel(e)
	case *Booking:
		return "booking " + e.ID
	case *BookingDay:
		return fmt.Sprintf("booking day %s of kayak %s in store %s", calendarDay(e.Day), e.KayakID, e.StoreID)
	case *Employment:
		return "employment " + e.ID
	case *Person:
		return "person " + e.ID
	case *SamePerson:
		return "list of records of the same person as " + e.ID
	case *Employee:
		return "employee " + e.ID
	case *Quota:
		return fmt.Sprintf("quota of employee %s for %s", e.EmployeeID, e.Period)
	case *QuotaSlot:
		return fmt.Sprintf("slot %d of the quota of employee %s for %s", e.Slot, e.EmployeeID, e.Period)
	case *Reference:
		return string(e.Kind) + " " + e.ID
	case *Subscription:
		return fmt.Sprintf("subscription %s of account %s", e.ID, e.AccountID)
	case *Receipt:
		return fmt.Sprintf("receipt of %s in account %s", calendarDay(e.DueDate), e.AccountID)
	case *User:
		return "user " + e.Name
	case *ProviderIdentity:
		return "identity of user " + e.User
	case *Session:
		return "session" // omit the ID, which is secret
	case *AccessToken:
		return "access token of " + e.Owner
	case *SignInCount:
		return "count of failed sign-ins"
	case *SavedView:
		return "saved view " + e.ID
	case *Event:
		return fmt.Sprintf("event %s of %s", e.ID, e.Partition)
	}
	return e.EntityType()
}
