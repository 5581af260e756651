package store_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/storetest"
)

// accessPermissions lists all methods of store.Access by the permission that they
// require.
var accessPermissions = map[store.Permission]string{
	store.SignedIn: `
		ChangeOwnEmail CurrentSavedViews Logo OwnUser PDFLogo SavedViews`,
	store.Browse: `
		AccessTokens AccountAt ActiveRentals Behind BillingOf BookableKayaks Booking BookingsOfKayak BookingsOfPerson BookingsOfStore BookingsToPickUp Categories ChoiceOf Choices ChoicesWithClosed
		CreateAccessToken CreditNote CreditNotesOfCustomer CreditNotesOfInvoice Customer CustomerAt Customers CustomersByEmail
		CustomersOfRep DebtOf DeleteView DeliveriesOfProduct DeliveriesOfStock DismissNews DryRun DryRunTotals Due Email EmailsOfCustomer Employee
		EmployeeDetails Employees EmployeesOfStore EmploymentsAtStore EmploymentsOfPerson EventsOfAccount EventsOfBooking EventsOfCustomer
		EventsOfKayak Expected ExpectedDeliveries FindRenter Fleet InventoryOfProduct Invoice InvoiceForChange Invoices InvoicesOfCustomer
		InvoicesOfOrder InvoiceAt ItemsOnOrder JobResults JobRuns Kayak KayakAt KayaksOfStore LastStockChange LowStock NewestInvoice NewestOrder
		NewestShipment News NotesOnProduct NotesOnStock NoticesToRenters Order OrderAt OrderForChange OrderItem OrderItems Orders OrdersOfCustomer
		OrdersOfProduct OrdersOfRep OrdersWithoutStock OthersOf OutOfStock Overdue OverdueAtStore Payments PaymentsBehindSince PhonesOfCustomer
		PickList PlanUndo Product
		ProductAt Products ProductsBySKU ProductsOfCustomer QuotasOfRep QuoteCheckIn ReceiptsOfAccount Reference References Related
		RenameView RentalPaymentsOf RentalStore RentalStores RentalsDue RentalsOfKayak RentalsOfKayakByPerson RentalsOfPerson
		RentalsOfPersonAtStore RentalsOfPersonByStore RentalsOfStore RentalsOfStoreByPerson RentedByPerson RentedByPersonFromStore
		RentedFromStore Renter RevokeAccessToken RunsOfDay SamePerson SaveView SavedView Search SetViewEmail Settings Shipment ShipmentForChange Shipments
		ShipmentsOfOrder Statement StockAt StockCover StockForOrder StockItem StockLevelOf StockLevels StockMoves StockMovesOfWarehouse
		StockMovesUntil StockOfProduct StockOfWarehouse StockedOrders StockedProducts StoreWeek Subscription SubscriptionFigures
		Subscriptions SubscriptionsOfAccount Takings TakingsOfDays Timeline Today TokenPlaces TotalStockOfProduct Totals Transfers TransfersOfProduct
		TransfersToStock Undo UnpaidCharges Utilisation Warehouse WarehouseAt Warehouses WhyCharged WithStockLevels`,
	store.ReadStaff: `
		EmployeesByHireDate PhonesOfEmployee`,
	store.RankStaff: `
		RankedReps`,
	store.ReadHistory: `
		Events`,
	store.WriteNotes: `
		NoteOnAccount NoteOnCustomer NoteOnKayak NoteOnOrder NoteOnProduct NoteOnStock`,
	store.EditCustomers: `
		AddCustomer AddPerson AddRenter CheckNewRenter CloseCustomer CustomerForChange JoinPeople OpenMatters PersonForChange SaveCustomer SavePerson SeparatePeople SimilarCustomers SimilarPeople`,
	store.Sell: `
		CanReturnItems CancelOrder EditOrder FinishOrder PlaceOrder Quote QuoteOrderEdit RecordPayment ReturnItems Returnable ReversePayment SaveShipTo
		SendDocument ShipToForChange`,
	store.Refund: `
		Refund`,
	store.Subscribe: `
		CanRetry CancelSubscription ChangeSubscription CreateSubscription EditPaymentMethod Emails EndSubscription KeepSubscription
		PauseSubscription ResumeSubscription SendCardLink SendEmailAgain SkipPayment`,
	store.ChangeStock: `
		AddDelivery AdjustStock ApplyCount CancelDelivery CancelTransfer
		ClearCount CloseCount Count CountSheet CountStock Counts DeliveryForChange EnterCount ReceiveDelivery ReceiveSheet ReceiveStock
		ReceiveTransfer ReviewCount SaveDelivery ScanCount SendTransfer SetReorderPoint SheetDetails StartCount
		TransferForCancellation TransferForReceipt TransferStock TransferStockDetails TransferTargets`,
	store.ChangeMany: `
		AddBulkChange AddBulkUndo BulkChange BulkChanges BulkRecipients BulkRows BulkRowsFrom CancelBulkChange SetBulkQuantities StartBulkChange StopBulkChange`,
	store.Ship: `
		AdvanceShipment RequireShipFrom ShipItems ShipOpenItems UnpackShipment`,
	store.RunRentals: `
		AddKayak Book BookingForChange CancelBooking CheckDeposit CheckIn CheckOut CompleteRepair EmployeeOfStore EndEmployment Extend KayakForChange
		KeepEmployed MoveBooking MoveKayak NextBooking QuoteCheckOut QuoteExtension RecordNoShow Repair RequireBookable RequireCheckOut RestoreKayak Retire SaveKayak SettleRental
		StartEmployment StillOut UnpaidCharge`,
	store.SetUp: `
		Followers AddEmployee AddProduct AddReference AddRentalStore AddTarget AddWarehouse ArchiveCategory ArchiveProduct ArchiveRentalStore
		ArchiveWarehouse CategoryForChange EmployeeForChange FinishRename ProductForChange QuotaForChange ReferenceForChange
		RentalStoreForChange SaveEmployee SaveProduct SaveReference SaveRentalStore SaveTarget SaveWarehouse WarehouseForChange`,
	store.Administer: `
		AccessTokensOf AddUser ChangeLogo ChangeRole ChangeSettings ClosedCustomers Costs CountKayaks CurrentSettings EndSessionsOf EraseClosed ErasePerson ErasureOf
		AddOpenSums EachUniqueValue Everything Existing FailedErasure Import ImportMapping Imports IsChecking IsErasing KnownKayaks KnownOrders LastCheck Load
		NoticesOfViews NoticesToManagers OutFrom OwnersOf Partition PersonalData Prepare RecordErasureFailure RecordImport RecordJobStart
		RecordPersonalExport RememberImportMapping
		ResetPassword ResetSecondFactor RevokeAccessTokenOf RunPattern ScopePlaces SessionsOf SetLocked SetScheduler SetUpProgress Stored Update
		User UserAt Users ViewAs ViewedUser WritePersonalArchive`,
}

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
	access := reflect.TypeFor[*store.Access]() // includes methods with a pointer receiver
	for i := range access.NumMethod() {
		if name := access.Method(i).Name; !listed[name] {
			t.Errorf("accessPermissions does not list Access.%s", name)
		}
	}
}

// TestAccess_RefusesChangesWhileViewing calls some of the methods that change data but do
// not use Access.change. Each of them must itself check that the user is not viewing the
// site as someone else.
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

// TestAccess_WritesNothingIfWrong makes changes while an input could not be parsed. Both a
// change that checks its values and one that does not must return the error.
func TestAccess_WritesNothingIfWrong(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	boss := s.As(&store.User{Name: "boss", Role: store.Admin})
	id, err := boss.AddCustomer(t.Context(), store.Customer{Name: "Kim"}, s.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	wrong := boss
	wrong.Wrong.Reject("amount", "Enter an amount.")
	_, added := wrong.AddCustomer(t.Context(), store.Customer{Name: "Lee"}, s.NewToken())
	for name, err := range map[string]error{"customer": added, "note": wrong.NoteOnCustomer(t.Context(), id, "rang", s.NewToken())} {
		var rejected *store.Error
		if !errors.As(err, &rejected) || rejected.About("amount") != "Enter an amount." {
			t.Errorf("%s: got %v, want the error of the amount", name, err)
		}
	}
	found, err := boss.Customers(t.Context(), store.CustomerFilter{}, store.Page{Limit: 10})
	if err != nil || len(found.Rows) != 1 {
		t.Errorf("got customers %v, %v; want only the first one", found.Rows, err)
	}
	events, err := boss.EventsOfCustomer(t.Context(), id, store.Page{Limit: 10})
	if err != nil || len(events.Rows) != 1 {
		t.Errorf("got events %v, %v; want only that the customer was added", events.Rows, err)
	}
}

// expectForbidden calls a method with zero arguments and expects the error Forbidden. If
// the method has no error result, it expects a zero value.
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
	call := method.Call
	if method.Type().IsVariadic() {
		call = method.CallSlice
	}
	results := call(args)
	last := results[len(results)-1]
	if err, ok := last.Interface().(error); ok {
		if got := store.KindOf(err); got != store.Forbidden {
			t.Errorf("Access.%s: got kind %v (%v), want Forbidden", name, got, err)
		}
	} else if !last.IsZero() || last.Type() == reflect.TypeFor[error]() {
		t.Errorf("Access.%s: got %v, want Forbidden", name, last)
	}
}
