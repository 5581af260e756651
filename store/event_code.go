package store

import (
	"encoding/json"
	"slices"
	"strings"
)

// EventCode identifies a kind of change. Events store the code, and Event.Sentence
// returns a sentence for it.
type EventCode string

// The event codes. The table stores codes, so they must never change. Their sentences
// may change.
const (
	EventBookingAdded          EventCode = "booking.added"
	EventBookingCancelled      EventCode = "booking.cancelled"
	EventBookingCheckedOut     EventCode = "booking.checked_out"
	EventBookingMoved          EventCode = "booking.moved"
	EventBookingNoShow         EventCode = "booking.no_show"
	EventBookingReopened       EventCode = "booking.reopened"
	EventBulkChangeCancelled   EventCode = "bulk.cancelled" // subject: BulkChange.Describe
	EventBulkChangeDone        EventCode = "bulk.done"      // subject: BulkChange.Describe
	EventBulkChangeStarted     EventCode = "bulk.started"   // subject: BulkChange.Describe
	EventBulkChangeStopped     EventCode = "bulk.stopped"   // subject: BulkChange.Describe
	EventCustomerAdded         EventCode = "customer.added"
	EventCustomerEdited        EventCode = "customer.edited"
	EventCustomerClosed        EventCode = "customer.closed"
	EventCustomerReopened      EventCode = "customer.reopened"
	EventCountClosed           EventCode = "count.closed"       // subject: count ID
	EventCountStarted          EventCode = "count.started"      // subject: count ID
	EventDeliveryAdded         EventCode = "delivery.added"     // subject: warehouse ID
	EventDeliveryCancelled     EventCode = "delivery.cancelled" // subject: warehouse ID
	EventDeliveryEdited        EventCode = "delivery.edited"    // subject: warehouse ID
	EventDeliveryReceived      EventCode = "delivery.received"  // subject: warehouse ID
	EventSheetReceived         EventCode = "delivery.sheet_received"
	EventEmailFailed           EventCode = "email.failed"       // subject: Email.Label
	EventEmailQueued           EventCode = "email.queued"       // subject: Email.Label
	EventEmailQueuedAgain      EventCode = "email.queued_again" // subject: Email.Label
	EventEmailSent             EventCode = "email.sent"         // subject: Email.Label
	EventEmailUnconfirmed      EventCode = "email.unconfirmed"  // subject: Email.Label
	EventEmployeeAdded         EventCode = "employee.added"
	EventEmployeeEdited        EventCode = "employee.edited"
	EventEmploymentEnded       EventCode = "employment.ended"
	EventEmploymentKept        EventCode = "employment.kept"
	EventEmploymentStarted     EventCode = "employment.started"
	EventDownloaded            EventCode = "file.downloaded"       // subject: URL, or name of the file
	EventDownloadStopped       EventCode = "file.download_stopped" // subject: URL, or name of the file
	EventImportCancelled       EventCode = "import.cancelled"      // subject: names of the files
	EventImported              EventCode = "import.done"           // subject: names of the files
	EventImportInterrupted     EventCode = "import.interrupted"    // subject: names of the files
	EventImportStopped         EventCode = "import.stopped"        // subject: names of the files
	EventJobCharged            EventCode = "job.charged"           // subject: job
	EventJobStarted            EventCode = "job.started"           // subject: job
	EventKayakAdded            EventCode = "kayak.added"
	EventKayakCheckedIn        EventCode = "kayak.checked_in"
	EventKayakCheckedOut       EventCode = "kayak.checked_out"
	EventKayakEdited           EventCode = "kayak.edited"
	EventKayakExtended         EventCode = "kayak.extended"
	EventKayakMoved            EventCode = "kayak.moved"
	EventKayakRepairStarted    EventCode = "kayak.repair_started"
	EventKayakRepaired         EventCode = "kayak.repaired"
	EventKayakRestored         EventCode = "kayak.restored"
	EventKayakRetired          EventCode = "kayak.retired"
	EventKayaksCounted         EventCode = "kayaks.counted"
	EventErased                EventCode = "event.erased" // replaces the sentence of an older event
	EventNote                  EventCode = "note"
	EventNoteWithdrawn         EventCode = "note.withdrawn"
	EventOrderAddressEdited    EventCode = "order.address_edited"
	EventOrderCancelled        EventCode = "order.cancelled"
	EventOrderEdited           EventCode = "order.edited"
	EventOrderFinished         EventCode = "order.finished" // recorded in each transaction of a cancellation or return, except the first one
	EventOrderPlaced           EventCode = "order.placed"
	EventOrderReturned         EventCode = "order.returned"
	EventOrderShipped          EventCode = "order.shipped" // subject: shipment ID
	EventPaymentDeclined       EventCode = "payment.declined"
	EventPaymentDropped        EventCode = "payment.dropped"
	EventCardLinkCreated       EventCode = "payment.card_link"
	EventPaymentMethodChanged  EventCode = "payment.method_changed"
	EventPaymentPaused         EventCode = "payment.declined_paused"
	EventPaymentRecorded       EventCode = "payment.recorded" // subject: invoice ID and amount
	EventPaymentRefunded       EventCode = "payment.refunded" // subject: invoice ID and amount
	EventPaymentReversed       EventCode = "payment.reversed" // subject: invoice ID and amount
	EventPaymentSkipped        EventCode = "payment.skipped"
	EventPaymentTaken          EventCode = "payment.taken"
	EventPersonAdded           EventCode = "person.added"
	EventPersonEdited          EventCode = "person.edited"
	EventPersonErased          EventCode = "person.erased"
	EventErasureFailed         EventCode = "person.erasure_failed"
	EventPersonExported        EventCode = "person.exported" // an export of all records about the person
	EventPersonJoined          EventCode = "person.joined"
	EventPersonSeparated       EventCode = "person.separated"
	EventProductAdded          EventCode = "product.added"
	EventProductArchived       EventCode = "product.archived"
	EventProductRestored       EventCode = "product.restored"
	EventProductEdited         EventCode = "product.edited"
	EventQuotaTargetSet        EventCode = "quota.target_set" // subject: quarter
	EventReferenceAdded        EventCode = "reference.added"
	EventReferenceEdited       EventCode = "reference.edited"
	EventCategoryArchived      EventCode = "category.archived"
	EventCategoryRestored      EventCode = "category.restored"
	EventReminderCreated       EventCode = "reminder.sent"           // the code is from earlier program versions, which sent the reminder immediately
	EventRentalPaid            EventCode = "rental.paid"             // subject: amount
	EventReorderPointSet       EventCode = "stock.reorder_point_set" // subject: warehouse ID
	EventSettingsChanged       EventCode = "settings.changed"
	EventShipmentDelivered     EventCode = "shipment.delivered" // subject: shipment ID
	EventShipmentSent          EventCode = "shipment.sent"      // subject: shipment ID
	EventShipmentUnpacked      EventCode = "shipment.unpacked"  // subject: shipment ID
	EventSiteViewed            EventCode = "site.viewed_as"
	EventStockAdjusted         EventCode = "stock.adjusted"
	EventStockCounted          EventCode = "stock.counted"
	EventStockMoved            EventCode = "stock.moved" // never stored; see LastStockChange
	EventStockReceived         EventCode = "stock.received"
	EventStockTransferred      EventCode = "stock.transferred"
	EventStoreAdded            EventCode = "store.added"
	EventStoreArchived         EventCode = "store.archived"
	EventStoreRestored         EventCode = "store.restored"
	EventStoreEdited           EventCode = "store.edited"
	EventSubscriptionCancelled EventCode = "subscription.cancelled"
	EventSubscriptionChanged   EventCode = "subscription.changed"
	EventSubscriptionCreated   EventCode = "subscription.created"
	EventSubscriptionEnding    EventCode = "subscription.ending"
	EventSubscriptionKept      EventCode = "subscription.kept"
	EventSubscriptionPaused    EventCode = "subscription.paused"
	EventSubscriptionResumed   EventCode = "subscription.resumed"
	EventSessionEnded          EventCode = "user.session_ended" // a user ended the session from another session
	EventSignedIn              EventCode = "user.signed_in"
	EventSignedOut             EventCode = "user.signed_out"
	EventSignInBlocked         EventCode = "user.sign_in_blocked"
	EventSignInFailed          EventCode = "user.sign_in_failed"
	EventTransferCancelled     EventCode = "transfer.cancelled" // subject: ID of the target warehouse
	EventTransferReceived      EventCode = "transfer.received"  // subject: ID of the target warehouse
	EventTransferSent          EventCode = "transfer.sent"      // subject: ID of the target warehouse
	EventAccessTokenCreated    EventCode = "user.token_created" // subject: name of the token
	EventAccessTokenRefused    EventCode = "user.token_refused"
	EventAccessTokenRevoked    EventCode = "user.token_revoked" // subject: name of the token
	EventConfirmed             EventCode = "user.confirmed"
	EventRecoveryCodesRenewed  EventCode = "user.recovery_codes_renewed"
	EventRecoveryCodeUsed      EventCode = "user.recovery_code_used"    // subject: number of codes left
	EventSecondFactorAdded     EventCode = "user.second_factor_added"   // subject: authenticator app, or passkey and its name
	EventSecondFactorRemoved   EventCode = "user.second_factor_removed" // subject: app or passkey
	EventSecondFactorReset     EventCode = "user.second_factor_reset"
	EventUserAdded             EventCode = "user.added"
	EventUserFromProvider      EventCode = "user.from_provider" // single sign-on created the user
	EventUserLocked            EventCode = "user.locked"
	EventUserPasswordChanged   EventCode = "user.password_changed"
	EventUserPasswordReset     EventCode = "user.password_reset"
	EventPasswordLinkRequested EventCode = "user.password_link" // somebody asked for an emailed link
	EventUserSessionsEnded     EventCode = "user.sessions_ended"
	EventUserAttemptsCleared   EventCode = "user.attempts_cleared" // failed attempts to sign in
	EventUserRoleChanged       EventCode = "user.role_changed"
	EventUserRoleFromProvider  EventCode = "user.role_from_provider" // single sign-on changed the role
	EventUserEmailChanged      EventCode = "user.email_changed"
	EventUserUnlocked          EventCode = "user.unlocked"
	EventViewDeleted           EventCode = "view.deleted"
	EventViewEmailChanged      EventCode = "view.email_changed" // subject: name of the view
	EventViewRenamed           EventCode = "view.renamed"
	EventViewSaved             EventCode = "view.saved"
	EventWarehouseAdded        EventCode = "warehouse.added"
	EventWarehouseArchived     EventCode = "warehouse.archived"
	EventWarehouseRestored     EventCode = "warehouse.restored"
	EventWarehouseEdited       EventCode = "warehouse.edited"
)

// eventSentences contains the sentence for each code. %s stands for the event's
// subject.
var eventSentences = map[EventCode]string{
	EventBookingAdded:          "Booked",
	EventBookingCancelled:      "Booking cancelled",
	EventBookingCheckedOut:     "Booking checked out",
	EventBookingMoved:          "Booking moved",
	EventBookingNoShow:         "No-show recorded",
	EventBookingReopened:       "Booking reopened",
	EventBulkChangeCancelled:   "Bulk change cancelled: %s",
	EventBulkChangeDone:        "Bulk change finished: %s",
	EventBulkChangeStarted:     "Bulk change started: %s",
	EventBulkChangeStopped:     "Bulk change stopped: %s",
	EventCustomerAdded:         "Customer added",
	EventCustomerEdited:        "Customer edited",
	EventCustomerClosed:        "Customer closed",
	EventCustomerReopened:      "Customer reopened",
	EventCountClosed:           "Count %s closed",
	EventCountStarted:          "Count %s started",
	EventDeliveryAdded:         "Expected delivery to warehouse %s added",
	EventDeliveryCancelled:     "Expected delivery to warehouse %s cancelled",
	EventDeliveryEdited:        "Expected delivery to warehouse %s edited",
	EventDeliveryReceived:      "Expected delivery received at warehouse %s",
	EventSheetReceived:         "Delivery received",
	EventEmailFailed:           "Email not sent: %s",
	EventEmailQueued:           "Email queued: %s",
	EventEmailQueuedAgain:      "Email queued again: %s",
	EventEmailSent:             "Email sent: %s",
	EventEmailUnconfirmed:      "Email may not have been sent: %s",
	EventEmployeeAdded:         "Employee added",
	EventEmployeeEdited:        "Employee edited",
	EventEmploymentEnded:       "Employment ended",
	EventEmploymentKept:        "Last day of employment removed",
	EventEmploymentStarted:     "Hired",
	EventDownloaded:            "Downloaded %s",
	EventDownloadStopped:       "Download of %s stopped",
	EventImportCancelled:       "Import of %s cancelled",
	EventImported:              "Imported %s",
	EventImportInterrupted:     "Import of %s interrupted",
	EventImportStopped:         "Import of %s stopped",
	EventJobCharged:            "Payments charged",
	EventJobStarted:            "Job started: %s",
	EventKayakAdded:            "Kayak added",
	EventKayakCheckedIn:        "Checked in",
	EventKayakCheckedOut:       "Checked out",
	EventKayakEdited:           "Kayak edited",
	EventKayakExtended:         "Due date changed",
	EventKayakMoved:            "Moved to another store",
	EventKayakRepairStarted:    "Sent for repair",
	EventKayakRepaired:         "Repaired",
	EventKayakRestored:         "Restored",
	EventKayakRetired:          "Retired",
	EventKayaksCounted:         "Kayaks counted",
	EventErased:                "Change",
	EventNote:                  "Note",
	EventNoteWithdrawn:         "Note withdrawn",
	EventOrderAddressEdited:    "Delivery address edited",
	EventOrderCancelled:        "Order cancelled",
	EventOrderEdited:           "Order edited",
	EventOrderFinished:         "Cancellation or return continued",
	EventOrderPlaced:           "Order placed",
	EventOrderReturned:         "Return recorded",
	EventOrderShipped:          "Shipment %s packed",
	EventPaymentDeclined:       "Payment declined",
	EventPaymentDropped:        "Payment attempt discarded",
	EventCardLinkCreated:       "Card link created",
	EventPaymentMethodChanged:  "Payment method changed",
	EventPaymentPaused:         "Payment declined, subscription paused",
	EventPaymentRecorded:       "Payment recorded for invoice %s",
	EventPaymentRefunded:       "Refund recorded for invoice %s",
	EventPaymentReversed:       "Payment reversed for invoice %s",
	EventPaymentSkipped:        "Payment skipped",
	EventPaymentTaken:          "Payment charged",
	EventPersonAdded:           "Person added",
	EventPersonEdited:          "Person edited",
	EventPersonErased:          "Personal data erased",
	EventErasureFailed:         "Personal data not erased",
	EventPersonExported:        "Personal data exported",
	EventPersonJoined:          "Joined with another record of the same person",
	EventPersonSeparated:       "Separated from another record",
	EventProductAdded:          "Product added",
	EventProductArchived:       "Product archived",
	EventProductRestored:       "Product restored",
	EventProductEdited:         "Product edited",
	EventQuotaTargetSet:        "Target set for %s",
	EventReferenceAdded:        "Reference entry added",
	EventReferenceEdited:       "Reference entry edited",
	EventCategoryArchived:      "Category archived",
	EventCategoryRestored:      "Category restored",
	EventReminderCreated:       "Reminder created",
	EventRentalPaid:            "Rental charge of %s paid",
	EventReorderPointSet:       "Reorder point or bin set in warehouse %s",
	EventSettingsChanged:       "Settings changed",
	EventShipmentDelivered:     "Shipment %s delivered",
	EventShipmentSent:          "Shipment %s shipped",
	EventShipmentUnpacked:      "Shipment %s unpacked",
	EventSiteViewed:            "Site viewed as another user or role",
	EventStockAdjusted:         "Stock adjusted",
	EventStockCounted:          "Stock counted",
	EventStockMoved:            "Stock moved",
	EventStockReceived:         "Stock received",
	EventStockTransferred:      "Stock transferred",
	EventStoreAdded:            "Store added",
	EventStoreArchived:         "Store archived",
	EventStoreRestored:         "Store restored",
	EventStoreEdited:           "Store edited",
	EventSubscriptionCancelled: "Subscription cancelled",
	EventSubscriptionChanged:   "Subscription changed",
	EventSubscriptionCreated:   "Subscription created",
	EventSubscriptionEnding:    "Subscription will be cancelled",
	EventSubscriptionKept:      "Subscription kept",
	EventSubscriptionPaused:    "Subscription paused",
	EventSubscriptionResumed:   "Subscription resumed",
	EventSessionEnded:          "Session ended",
	EventSignedIn:              "Signed in",
	EventSignedOut:             "Signed out",
	EventSignInBlocked:         "Sign-in failed, further attempts blocked",
	EventSignInFailed:          "Sign-in failed",
	EventTransferCancelled:     "Transfer to warehouse %s cancelled",
	EventTransferReceived:      "Transfer received at warehouse %s",
	EventTransferSent:          "Transfer to warehouse %s sent",
	EventAccessTokenCreated:    "Access token created: %s",
	EventAccessTokenRefused:    "Access token refused",
	EventAccessTokenRevoked:    "Access token revoked: %s",
	EventConfirmed:             "Identity confirmed",
	EventRecoveryCodesRenewed:  "Recovery codes replaced",
	EventRecoveryCodeUsed:      "Recovery code used, %s left",
	EventSecondFactorAdded:     "Second factor added: %s",
	EventSecondFactorRemoved:   "Second factor removed: %s",
	EventSecondFactorReset:     "Second factor reset",
	EventUserAdded:             "User added",
	EventUserFromProvider:      "User added by single sign-on",
	EventUserLocked:            "User locked",
	EventUserPasswordChanged:   "Password changed",
	EventUserPasswordReset:     "One-time password created",
	EventPasswordLinkRequested: "Link for a new password requested",
	EventUserSessionsEnded:     "Sessions ended",
	EventUserRoleChanged:       "Role changed",
	EventUserRoleFromProvider:  "Role changed by single sign-on",
	EventUserEmailChanged:      "Email settings changed",
	EventUserUnlocked:          "User unlocked",
	EventUserAttemptsCleared:   "Failed attempts to sign in cleared",
	EventViewDeleted:           "View deleted",
	EventViewEmailChanged:      "Email frequency of a view changed",
	EventViewRenamed:           "View renamed",
	EventViewSaved:             "View saved",
	EventWarehouseAdded:        "Warehouse added",
	EventWarehouseArchived:     "Warehouse archived",
	EventWarehouseRestored:     "Warehouse restored",
	EventWarehouseEdited:       "Warehouse edited",
}

// StaysInTable reports whether exports omit the event. Imports, sign-ins and downloads
// concern only this table.
func (c EventCode) StaysInTable() bool {
	return strings.HasPrefix(string(c), "import.") || c.isAccess()
}

// IsKnown reports whether the program knows the code. Events of earlier program versions
// contain a sentence instead of a code.
func (c EventCode) IsKnown() bool { return eventSentences[c] != "" }

// isAccess reports whether the event is about a sign-in, a session, a refused access token
// or a download. TTL deletes such events after Settings.AccessDays.
func (c EventCode) isAccess() bool {
	switch c {
	case EventSignedIn, EventSignedOut, EventConfirmed, EventSessionEnded, EventSignInFailed, EventSignInBlocked, EventAccessTokenRefused, EventDownloaded, EventDownloadStopped:
		return true
	}
	return false
}

// hasAddress reports whether the event records the address of the client: events about
// access, users, viewing the site as someone else, settings and imports. For other
// events, the sign-in event of the user has the address.
func (c EventCode) hasAddress() bool {
	kind, _, _ := strings.Cut(string(c), ".")
	return c.isAccess() || slices.Contains([]string{"user", "site", "settings", "import"}, kind)
}

// Sentence returns the sentence for the event, with its subject. An event of an earlier
// program version contains a sentence instead of a code. Sentence returns it unchanged.
func (e *Event) Sentence() string {
	sentence, ok := eventSentences[e.What]
	if !ok {
		return string(e.What)
	}
	sentence = strings.Replace(sentence, "%s", e.Subject, 1)
	switch kind := e.referenceKind(); {
	case kind == Category && e.What == EventReferenceEdited:
		sentence = "Category renamed" // the form of a category has no other field
	case kind != "":
		sentence = strings.Replace(sentence, "Reference entry", kind.Title(), 1)
	}
	if e.Redacted != "" {
		sentence += " (details erased)"
	}
	return sentence
}

// MarshalJSON encodes the event with its sentence, so that clients need not know the
// codes.
func (e Event) MarshalJSON() ([]byte, error) {
	type fields Event
	return json.Marshal(struct {
		fields
		Sentence string
	}{fields(e), e.Sentence()})
}
