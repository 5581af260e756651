package store_test

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// accessPermissions lists all methods of store.Access by the permission that they
// require.
var accessPermissions = map[store.Permission]string{
	store.SignedIn: `ChangeOwnEmail OwnUser CurrentSavedViews SavedViews`,
	store.Browse: `AccessTokens CreateAccessToken RevokeAccessToken
		Behind BillingOf WhyCharged ChoiceOf Choices Customer Customers CustomersByEmail CustomersOfRep DebtOf DryRun DryRunTotals Due Employee EmployeeDetails Employees
	store.Browse: `Behind BillingOf WhyCharged Categories ChoiceOf Choices Customer Customers CustomersByEmail CustomersOfRep DebtOf DryRun DryRunTotals Due Employee EmployeeDetails Employees
		EmployeesOfStore EmploymentsAtStore EmploymentsOfPerson Email EmailsOfCustomer EventsOfAccount EventsOfCustomer PlanUndo Undo EventsOfKayak Expected ExpectedDeliveries DeliveriesOfProduct DeliveriesOfStock Transfers TransfersOfProduct TransfersToStock Fleet
		InventoryOfProduct CreditNote CreditNotesOfCustomer CreditNotesOfInvoice Invoice Invoices InvoicesOfCustomer InvoicesOfOrder ItemsOnOrder JobResults JobRuns NoticesToRenters Kayak
		KayaksOfStore LastStockChange LowStock NewestInvoice NewestOrder NewestShipment Order OrderItem OrderItems Orders PickList OrdersOfCustomer OrdersOfProduct OrdersOfRep OutOfStock
		Overdue OverdueAtStore Payments PhonesOfCustomer Product Products ProductsBySKU ProductsOfCustomer QuotasOfRep
		ReceiptsOfAccount Reference References Related RentalStore RentalStores RentalsDue RentalsOfKayak
		RentalsOfKayakByPerson RentalsOfPerson RentalsOfPersonAtStore RentalsOfPersonByStore RentalsOfStore
		RentalsOfStoreByPerson RentedByPerson RentedByPersonFromStore RentedFromStore Renter QuoteCheckIn RunsOfDay Search
		Settings Shipment Shipments ShipmentsOfOrder StockItem StockMoves StockMovesOfWarehouse StockForOrder StockOfProduct StockLevels StockCover StockLevelOf OrdersWithoutStock StockedOrders StockedProducts WithStockLevels AccountAt CustomerAt KayakAt ProductAt StockAt StockMovesUntil WarehouseAt
		StockOfWarehouse Subscription Subscriptions SubscriptionFigures SubscriptionsOfAccount Timeline Today RentalPaymentsOf Takings TakingsOfDay UnpaidCharges TotalStockOfProduct Totals
		Utilisation Warehouse Warehouses FindRenter BookableKayaks Booking BookingsOfKayak BookingsOfPerson EventsOfBooking StoreWeek PaymentsBehindSince InvoiceForChange OrderForChange ShipmentForChange SavedView SaveView RenameView
		DeleteView`,
	store.ReadStaff:     `EmployeesByHireDate PhonesOfEmployee`,
	store.RankStaff:     `RankedReps`,
	store.ReadHistory:   `Events`,
	store.WriteNotes:    `NoteOnAccount NoteOnCustomer NoteOnKayak NoteOnOrder`,
	store.EditCustomers: `AddCustomer AddPerson AddRenter CheckRenter CustomerForChange PersonForChange SaveCustomer SavePerson`,
	store.Sell:          `CancelOrder EditOrder QuoteOrderEdit SaveShipTo ShipToForChange CanReturnItems FinishOrder PlaceOrder Quote RecordPayment Returnable ReturnItems SendDocument`,
	store.Refund:        `Refund`,
	store.Subscribe:     `CancelSubscription CanRetry ChangeSubscription CreateSubscription EditPaymentMethod EndSubscription KeepSubscription PauseSubscription ResumeSubscription SendCardLink SendEmailAgain SkipPayment`,
	store.ChangeStock:   `AddBulkChange AddBulkUndo BulkChange BulkChanges BulkRows StartBulkChange StopBulkChange AddDelivery AdjustStock CancelDelivery CountStock DeliveryForChange ReceiveDelivery ReceiveSheet ReceiveStock SheetDetails SaveDelivery SetReorderPoint TransferStock CancelTransfer ReceiveTransfer SendTransfer TransferForCancellation TransferForReceipt TransferStockDetails TransferTargets ApplyCount ClearCount CloseCount Count Counts CountSheet EnterCount ReviewCount ScanCount StartCount`,
	store.Ship:          `AdvanceShipment RequireShipFrom ShipItems ShipOpenItems`,
	store.RunRentals:    `AddKayak Book RequireBookable BookingForChange CancelBooking MoveBooking RecordNoShow CheckDeposit SettleRental UnpaidCharge KayakForChange RestoreKayak SaveKayak CheckIn CheckOut CompleteRepair EndEmployment Extend MoveKayak QuoteCheckOut Repair RequireCheckOut Retire StartEmployment`,
	store.SetUp: `ArchiveCategory CategoryForChange ArchiveProduct ArchiveRentalStore ArchiveWarehouse AddEmployee AddProduct AddReference AddRentalStore AddTarget AddWarehouse QuotaForChange ReferenceForChange SaveReference SaveTarget EmployeeForChange FinishRename ProductForChange RentalStoreForChange SaveEmployee SaveProduct
		SaveRentalStore SaveWarehouse WarehouseForChange`,
	store.Administer: `AccessTokensOf RevokeAccessTokenOf
		AddUser ErasePerson ErasureOf IsErasing WritePersonalArchive ChangeRole ChangeSettings CountKayaks CurrentSettings Emails EndSessionsOf Everything Existing Import ImportMapping Imports KnownKayaks KnownOrders LastCheck Load OutFrom Partition PersonalData Prepare RecordImport RecordJobStart RecordPersonalExport RememberImportMapping ResetPassword ResetSecondFactor RunPattern ScopePlaces SessionsOf SetLocked SetScheduler SetUpProgress Update User Users ViewAs ViewedUser`,
	store.Administer: `AddUser ErasePerson ErasureOf IsErasing WritePersonalArchive ChangeRole ChangeSettings CountKayaks CurrentSettings Emails EndSessionsOf Everything Existing Import ImportMapping Imports KnownKayaks KnownOrders LastCheck Load OutFrom Partition PersonalData Prepare RecordImport RecordJobStart RecordPersonalExport RememberImportMapping ResetPassword ResetSecondFactor RunPattern ScopePlaces SessionsOf SetLocked SetScheduler SetUpProgress Update User Users UserAt ViewAs ViewedUser`,
		AddUser ErasePerson ErasureOf FailedErasure IsErasing RecordErasureFailure WritePersonalArchive ChangeRole ChangeSettings CountKayaks CurrentSettings Emails EndSessionsOf Everything Existing Import ImportMapping Imports KnownKayaks KnownOrders LastCheck Load OutFrom Partition PersonalData Prepare RecordImport RecordJobStart RecordPersonalExport RememberImportMapping ResetPassword ResetSecondFactor RunPattern ScopePlaces SessionsOf SetLocked SetScheduler SetUpProgress Update User Users ViewAs ViewedUser`,
		AddUser ErasePerson ErasureOf IsErasing WritePersonalArchive ChangeRole ChangeSettings Costs CountKayaks CurrentSettings Emails EndSessionsOf Everything Existing Import ImportMapping Imports KnownKayaks KnownOrders LastCheck Load OutFrom Partition PersonalData Prepare RecordImport RecordJobStart RecordPersonalExport RememberImportMapping ResetPassword ResetSecondFactor RunPattern ScopePlaces SessionsOf SetLocked SetScheduler SetUpProgress Update User Users ViewAs ViewedUser`,
		AddUser ErasePerson ErasureOf IsErasing WritePersonalArchive ChangeRole ChangeSettings CountKayaks CurrentSettings Emails EndSessionsOf Everything Existing Import ImportMapping Imports KnownKayaks KnownOrders LastCheck Load NoticesToManagers OutFrom Partition PersonalData Prepare RecordImport RecordJobStart RecordPersonalExport RememberImportMapping ResetPassword ResetSecondFactor RunPattern ScopePlaces SessionsOf SetLocked SetScheduler SetUpProgress Update User Users ViewAs ViewedUser`,
}

// TestAccess_RequiresPermission calls every method of store.Access as each user
// without the required permission.
func TestAccess_RequiresPermission(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	users := []*store.User{nil, {Name: "nobody"}}
	for _, role := range store.Roles {
		users = append(users, &store.User{Name: string(role), Role: role})
	}
	listed := map[string]bool{}
	for permission, methods := range accessPermissions {
		for _, name := range strings.Fields(methods) {
			listed[name] = true
			for _, user := range users {
				if !user.May(permission) {
					expectForbidden(t, s.As(user), name)
				}
			}
		}
	}
	access := reflect.TypeFor[store.Access]()
	for i := range access.NumMethod() {
		if name := access.Method(i).Name; !listed[name] {
			t.Errorf("accessPermissions does not list Access.%s", name)
		}
	}
}

// TestAccess_RefusesChangesWhileViewing calls the methods that change data without
// Access.change. Each must check by itself that the user is not viewing the site as
// someone else.
func TestAccess_RefusesChangesWhileViewing(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	boss := s.Viewing(&store.User{Name: "boss", Role: store.Admin})
	for name, change := range map[string]func() error{
		"SetScheduler": func() error { return boss.SetScheduler(t.Context(), true) },
		"CountKayaks":  func() error { return boss.CountKayaks(t.Context()) },
		"Prepare": func() error {
			_, err := boss.Prepare(t.Context(), []store.Entity{&store.Customer{ID: "c1"}})
			return err
		},
		"Load": func() error {
			_, err := boss.Load(t.Context(), []store.Entity{&store.Customer{ID: "c1"}}, store.LoadOptions{})
			return err
		},
	} {
		if err := change(); store.KindOf(err) != store.Forbidden {
			t.Errorf("%s: got %v, want Forbidden", name, err)
		}
	}
}

// expectForbidden calls a method with zero arguments and expects Forbidden, or a zero
// value if the method returns no error.
func expectForbidden(t *testing.T, a store.Access, name string) {
	t.Helper()
	method := reflect.ValueOf(a).MethodByName(name)
	if !method.IsValid() {
		t.Fatalf("Access has no method %s", name)
	}
	args := make([]reflect.Value, method.Type().NumIn())
	for i := range args {
		switch in := method.Type().In(i); {
		case in == reflect.TypeFor[context.Context]():
			args[i] = reflect.ValueOf(t.Context())
		case in.Kind() == reflect.Pointer:
			args[i] = reflect.New(in.Elem())
		default:
			args[i] = reflect.Zero(in)
		}
	}
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("Access.%s panics before it checks the permission: %v", name, p)
		}
	}()
	results := method.Call(args)
	last := results[len(results)-1]
	if err, ok := last.Interface().(error); ok {
		if got := store.KindOf(err); got != store.Forbidden {
			t.Errorf("Access.%s: got kind %v (%v), want Forbidden", name, got, err)
		}
	} else if !last.IsZero() || last.Type() == reflect.TypeFor[error]() {
		t.Errorf("Access.%s: got %v, want Forbidden", name, last)
	}
}
