package views

import (
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// PersonalData is the page on which admins export or erase the data of a person.
type PersonalData struct {
	Page
	Form
	ID, Name string
	Others   []store.Renter // other records of the same person
	Erasure  store.Erasure  // result of a dry run of the erasure
	Erasing  bool           // a server is erasing the data
	Failed   *store.Event   // event of the last erasure, if that erasure failed
}

// FieldJoined is the field that adds the other records of the person to an export.
const FieldJoined = "joined"

// PersonalDataPath returns the path of the personal data of a customer, renter or
// employee.
func PersonalDataPath(id string) string { return PersonPath(id) + "/data" }

// erase returns the form that erases the data.
func (p PersonalData) erase() ui.Change {
	c := p.to(PersonalDataPath(p.ID)+"/erase", "Erase personal data", PersonPath(p.ID))
	c.Danger, c.Keep = true, "Keep personal data"
	return c
}

// export returns the form that downloads the data.
func (p PersonalData) export() ui.Change {
	return ui.Change{Action: PersonalDataPath(p.ID) + "/export", Token: p.Token, Submit: "Export personal data"}
}

var groupNames = map[store.PersonalFile]string{
	store.PersonalProfile:     "Contacts, address, notes and history",
	store.PersonalAccount:     "Subscriptions, receipts and history",
	store.PersonalOrders:      "Orders, invoices, shipments and history",
	store.PersonalEmails:      "Emails",
	store.PersonalRentals:     "Rentals, bookings and history",
	store.PersonalPayments:    "Payments of rentals",
	store.PersonalEmployments: "Employment at stores",
}

// records returns the number of records in a group that the erasure would change or
// delete. If not all records were counted, it returns "at least" and the number, or ""
// instead of 0.
func (p PersonalData) records(group store.PersonalFile) string {
	n := p.Erasure.Changed[group]
	if group == store.PersonalEmails {
		n += p.Erasure.Deleted
	}
	switch {
	case p.Erasure.More && n == 0:
		return ""
	case p.Erasure.More:
		return "at least " + strconv.Itoa(n)
	}
	return strconv.Itoa(n)
}
