package store

import "context"

// reversals says how to undo the events that can be undone.
var reversals = map[EventCode]reversal{
	EventCustomerEdited: fieldUndo[Customer, *Customer]{
		permission: EditCustomers,
		fields:     always(CustomerFields),
		read:       byID(Access.CustomerForChange),
		save:       Access.SaveCustomer,
	}.reversal(),
	EventDeliveryEdited: fieldUndo[ExpectedDelivery, *ExpectedDelivery]{
		permission: ChangeStock,
		fields:     always(DeliveryFields),
		read:       deliveryOf,
		save:       Access.SaveDelivery,
	}.reversal(),
	EventEmployeeEdited: fieldUndo[Employee, *Employee]{
		permission: SetUp,
		fields:     always(EmployeeFields),
		read:       byID(Access.EmployeeForChange),
		save:       Access.SaveEmployee,
	}.reversal(),
	EventKayakEdited: fieldUndo[Kayak, *Kayak]{
		permission: RunRentals,
		fields:     always(KayakFields),
		read:       byID(Access.KayakForChange),
		save:       Access.SaveKayak,
	}.reversal(),
	EventOrderAddressEdited: fieldUndo[Order, *Order]{
		permission: Sell,
		fields:     always(ShipToFields),
		read:       byID(Access.ShipToForChange),
		save:       Access.SaveShipTo,
	}.reversal(),
	EventPersonEdited: fieldUndo[Person, *Person]{
		permission: EditCustomers,
		fields:     always(PersonFields),
		read:       byID(Access.PersonForChange),
		save:       Access.SavePerson,
	}.reversal(),
	EventProductEdited: fieldUndo[Product, *Product]{
		permission: SetUp,
		fields:     always(ProductFields),
		read:       byID(Access.ProductForChange),
		save:       Access.SaveProduct,
	}.reversal(),
	EventQuotaTargetSet: fieldUndo[Quota, *Quota]{
		permission: SetUp,
		fields:     always(QuotaFields),
		read:       quotaOf,
		save:       Access.SaveTarget,
		version:    (*Quota).FormVersion,
	}.reversal(),
	EventReferenceEdited: fieldUndo[Reference, *Reference]{
		permission: SetUp,
		fields:     func(e *Event) Fields[Reference] { return ReferenceFields(e.referenceKind()) },
		read:       referenceOf,
		save:       Access.SaveReference,
		also: func(ctx context.Context, a Access, r *Reference, plan *UndoPlan) (err error) {
			plan.Kind = r.Kind
			plan.Followers, err = a.Followers(ctx, r)
			return err
		},
	}.reversal(),
	EventStoreEdited: fieldUndo[RentalStore, *RentalStore]{
		permission: SetUp,
		fields:     always(RentalStoreFields),
		read:       byID(Access.RentalStoreForChange),
		save:       Access.SaveRentalStore,
		version:    (*RentalStore).FormVersion,
	}.reversal(),
	EventWarehouseEdited: fieldUndo[Warehouse, *Warehouse]{
		permission: SetUp,
		fields:     always(WarehouseFields),
		read:       byID(Access.WarehouseForChange),
		save:       Access.SaveWarehouse,
	}.reversal(),

	EventReorderPointSet: fieldUndo[WarehouseItem, *WarehouseItem]{
		permission: ChangeStock,
		fields:     always(reorderFields),
		read:       stockItemOf,
		save:       Access.saveReorderPoint,
	}.reversal(),
	EventStockAdjusted:    {ChangeStock, planStockUndo, endsStockUndo},
	EventStockCounted:     {ChangeStock, planStockUndo, endsStockUndo},
	EventStockReceived:    {ChangeStock, planStockUndo, endsStockUndo},
	EventStockTransferred: {ChangeStock, planStockUndo, endsStockUndo},

	EventNote:          {WriteNotes, planNoteUndo, nil},
	EventNoteWithdrawn: {WriteNotes, planNoteUndo, nil},

	EventViewDeleted: viewUndo.reversal(),
	EventViewRenamed: viewUndo.reversal(),
	EventViewSaved:   viewUndo.reversal(),

	EventKayakMoved:         kayakUndo(kayakPlace, Access.moveBack),
	EventKayakRepairStarted: kayakUndo(kayakStatus, Access.restoreStatus),
	EventKayakRepaired:      kayakUndo(kayakStatus, Access.restoreStatus),
	EventKayakRestored:      kayakUndo(kayakStatus, Access.restoreStatus),
	EventKayakRetired:       kayakUndo(kayakStatus, Access.restoreStatus),

	EventCustomerClosed:    customerCloseUndo,
	EventCustomerReopened:  customerCloseUndo,
	EventCategoryArchived:  categoryArchiveUndo,
	EventCategoryRestored:  categoryArchiveUndo,
	EventProductArchived:   productArchiveUndo,
	EventProductRestored:   productArchiveUndo,
	EventStoreArchived:     storeArchiveUndo,
	EventStoreRestored:     storeArchiveUndo,
	EventWarehouseArchived: warehouseArchiveUndo,
	EventWarehouseRestored: warehouseArchiveUndo,

	EventPaymentSkipped:        subscriptionUndo,
	EventSubscriptionCancelled: subscriptionUndo,
	EventSubscriptionChanged:   subscriptionUndo,
	EventSubscriptionEnding:    subscriptionUndo,
	EventSubscriptionKept:      subscriptionUndo,
	EventSubscriptionPaused:    subscriptionUndo,
	EventSubscriptionResumed:   subscriptionUndo,
}

var (
	categoryArchiveUndo  = archiveUndo(func(r *Reference) string { return r.ID }, func(r *Reference) *bool { return &r.Archived }, Access.CategoryForChange, Access.ArchiveCategory)
	productArchiveUndo   = archiveUndo(func(p *Product) string { return p.ID }, func(p *Product) *bool { return &p.Archived }, Access.ProductForChange, Access.ArchiveProduct)
	storeArchiveUndo     = archiveUndo(func(s *RentalStore) string { return s.ID }, func(s *RentalStore) *bool { return &s.Archived }, Access.RentalStoreForChange, Access.ArchiveRentalStore)
	warehouseArchiveUndo = archiveUndo(func(w *Warehouse) string { return w.ID }, func(w *Warehouse) *bool { return &w.Archived }, Access.WarehouseForChange, Access.ArchiveWarehouse)

	customerCloseUndo = fieldUndo[Customer, *Customer]{
		permission: EditCustomers,
		fields:     always(closedFields),
		read:       byID(Access.CustomerForChange),
		save: func(a Access, ctx context.Context, c Customer, token string) error {
			return a.CloseCustomer(ctx, Archiving{ID: c.ID, Restore: !c.IsClosed(), Version: c.Version, Token: token})
		},
	}.reversal()

	subscriptionUndo = fieldUndo[Subscription, *Subscription]{
		permission: Subscribe,
		fields:     always(subscriptionState),
		read:       subscriptionOf,
		save:       Access.restoreSubscription,
	}.reversal()
)

func kayakUndo(fields Fields[Kayak], save func(Access, context.Context, Kayak, string) error) reversal {
	return fieldUndo[Kayak, *Kayak]{
		permission: RunRentals,
		fields:     always(fields),
		read:       byID(Access.KayakForChange),
		save:       save,
	}.reversal()
}

// Reasons in irreversible that several events share.
const (
	reasonAdded    = "Other records may already refer to this record, so adding it can't be undone. Edit it instead."
	reasonEmailed  = "A queued or sent email can't be recalled."
	reasonErased   = "The personal data was erased for good."
	reasonCharged  = "The payment service has already processed this payment. Refund it at the payment service, or skip a later payment."
	reasonShipped  = "The goods have left the warehouse. Record a return instead."
	reasonReceived = "The goods have arrived. Adjust or transfer the stock instead."
	reasonUser     = "To change a user, you must confirm your identity. Edit the user instead."
	reasonImport   = "An import can't be undone. Restore a backup, or edit the records."
	reasonBulk     = "If the bulk change can be undone, its page has the button Preview undo."
	reasonAccess   = "This entry only records what happened. There is nothing to undo."
)

// irreversible says why the events that are not in reversals cannot be undone.
var irreversible = map[EventCode]string{
	EventBookingAdded:          "Cancel the booking instead.",
	EventBookingCancelled:      "Someone else may have booked these days in the meantime. Book the kayak again.",
	EventBookingCheckedOut:     "The kayak has left the store. Check it in instead.",
	EventBookingMoved:          "Move the booking again instead, because other bookings may need the earlier days.",
	EventBookingReopened:       "Cancel the booking instead.",
	EventBookingNoShow:         "Someone else may have booked these days in the meantime. Book the kayak again.",
	EventBulkChangeCancelled:   "Nothing was changed. Select the rows in the list again.",
	EventBulkChangeDone:        reasonBulk,
	EventBulkChangeStarted:     reasonBulk,
	EventBulkChangeStopped:     reasonBulk,
	EventCustomerAdded:         reasonAdded,
	EventCountClosed:           "A closed count is a record of what was counted. Start another count.",
	EventCountStarted:          "Close the count instead.",
	EventDeliveryAdded:         "Cancel the expected delivery instead.",
	EventDeliveryCancelled:     "Add another expected delivery instead.",
	EventDeliveryReceived:      reasonReceived,
	EventSheetReceived:         reasonReceived,
	EventCardLinkCreated:       "The link has been emailed. It works only once and expires after 7 days.",
	EventEmailFailed:           reasonAccess,
	EventEmailQueued:           reasonEmailed,
	EventViewEmailChanged:      "Change the email frequency on the page of the view instead.",
	EventEmailQueuedAgain:      reasonEmailed,
	EventEmailSent:             reasonEmailed,
	EventEmailUnconfirmed:      reasonEmailed,
	EventEmployeeAdded:         reasonAdded,
	EventEmploymentEnded:       "Hire the employee again instead. If the last day has not passed, change or remove it in the list of staff.",
	EventEmploymentKept:        "End the employment again instead.",
	EventEmploymentStarted:     "End the employment instead.",
	EventDownloaded:            reasonAccess,
	EventDownloadStopped:       reasonAccess,
	EventImportCancelled:       reasonImport,
	EventImported:              reasonImport,
	EventImportInterrupted:     reasonImport,
	EventImportStopped:         reasonImport,
	EventJobCharged:            "A daily job has charged payments. Refund them at the payment service instead.",
	EventJobStarted:            "A daily job charges payments or sends emails. Neither can be undone.",
	EventKayakAdded:            "Retire the kayak instead.",
	EventKayakCheckedIn:        "The rental is charged. Check the kayak out again instead.",
	EventKayakCheckedOut:       "The kayak has left the store. Check it in instead.",
	EventKayakExtended:         "Change the due date again instead, because a booking may need the days.",
	EventKayaksCounted:         "Stockroom calculates the number of kayaks of a store automatically.",
	EventOrderCancelled:        "The items are available to other orders again. Place the order again.",
	EventOrderEdited:           "Stock and invoices have already changed. Edit the order again instead.",
	EventOrderFinished:         "This is part of a cancellation or a return, which can't be undone.",
	EventOrderPlaced:           "Cancel the order instead.",
	EventOrderReturned:         "The return has been credited. Place another order instead.",
	EventOrderShipped:          "Unpack the shipment. If it has left the warehouse, record a return of its items.",
	EventPaymentDeclined:       "The payment service has declined this payment. Retry the payment or skip it instead.",
	EventPaymentDropped:        reasonAccess,
	EventPaymentMethodChanged:  "The history doesn't store payment methods. Edit the payment method again.",
	EventPaymentPaused:         "The payment service has declined this payment. Retry the payment or resume the subscription instead.",
	EventPaymentRecorded:       "Reverse the payment on the page of its invoice, or record a refund.",
	EventPaymentRefunded:       "Money was paid out. Record another payment instead.",
	EventPaymentReversed:       "Record the payment again instead.",
	EventPaymentTaken:          reasonCharged,
	EventErased:                reasonErased,
	EventPersonAdded:           reasonAdded,
	EventPersonErased:          reasonErased,
	EventErasureFailed:         reasonAccess,
	EventPersonExported:        reasonAccess,
	EventPersonJoined:          "Separate the records instead.",
	EventPersonSeparated:       "Join the records again instead.",
	EventProductAdded:          reasonAdded,
	EventReferenceAdded:        reasonAdded,
	EventReminderCreated:       reasonEmailed,
	EventRentalPaid:            "Money was paid, and Stockroom doesn't record refunds of rentals.",
	EventSettingsChanged:       "To change settings, you must confirm your identity. Edit the settings instead.",
	EventShipmentDelivered:     "The customer has the goods. Record a return instead.",
	EventShipmentSent:          reasonShipped,
	EventShipmentUnpacked:      "Ship the order again.",
	EventSiteViewed:            reasonAccess,
	EventStockMoved:            "Undo the change that moved the stock instead.",
	EventStoreAdded:            reasonAdded,
	EventSubscriptionCreated:   "Cancel the subscription instead.",
	EventSessionEnded:          reasonAccess,
	EventSignedIn:              reasonAccess,
	EventSignedOut:             reasonAccess,
	EventSignInBlocked:         reasonAccess,
	EventSignInFailed:          reasonAccess,
	EventTransferCancelled:     "Send another transfer instead.",
	EventTransferReceived:      reasonReceived,
	EventTransferSent:          "Cancel the transfer instead.",
	EventAccessTokenCreated:    "Revoke the access token instead.",
	EventAccessTokenRefused:    reasonAccess,
	EventAccessTokenRevoked:    "A revoked access token can't be restored. Create another one.",
	EventConfirmed:             reasonAccess,
	EventRecoveryCodesRenewed:  reasonUser,
	EventRecoveryCodeUsed:      reasonAccess,
	EventSecondFactorAdded:     reasonUser,
	EventSecondFactorRemoved:   reasonUser,
	EventSecondFactorReset:     reasonUser,
	EventUserAdded:             reasonUser,
	EventUserLocked:            reasonUser,
	EventUserPasswordChanged:   reasonUser,
	EventUserPasswordReset:     reasonUser,
	EventPasswordLinkRequested: "The link has been emailed. It works only once and expires after 30 minutes.",
	EventUserSessionsEnded:     reasonAccess,
	EventUserFromProvider:      reasonUser,
	EventUserRoleChanged:       reasonUser,
	EventUserRoleFromProvider:  reasonUser,
	EventUserEmailChanged:      reasonUser,
	EventUserUnlocked:          reasonUser,
	EventUserAttemptsCleared:   reasonUser,
	EventWarehouseAdded:        reasonAdded,
}
