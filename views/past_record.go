package views

import (
	"strconv"
	"strings"

	"stockroom/store"
)

// PastCustomer describes a customer at an earlier moment.
func PastCustomer(p *Page, s *store.PastCustomer) PastRecord {
	c := &s.Customer
	return PastRecord{
		Noun: "customer", Path: CustomerPath(c.ID), ID: c.ID, Heading: nameOr(c.Name, c.ID), List: "Customers", ListPath: "/customers",
		Facts: []PastFact{
			{Label: "Name", Value: c.Name},
			{Label: "Email", Value: c.Email},
			{Label: "Phone", Value: strings.Join(c.Phones, "\n")},
			{Label: "Address", Value: strings.Join(c.Address.Lines(), "\n")},
			{Label: "Account rep", Value: employeeName(p, c.AccountRepID)},
			{Label: "Customer since", Value: p.day(c.Created)},
		},
	}
}

// PastKayak describes a kayak at an earlier moment. Its second argument is the store of
// the kayak at that moment, or nil if the store was deleted or the user may not see it.
func PastKayak(p *Page, s *store.PastKayak, at *store.RentalStore) PastRecord {
	k := &s.Kayak
	storeName := k.StoreID
	if at != nil {
		storeName = nameOr(at.Name, at.ID)
	}
	return PastRecord{
		Noun: "kayak", Path: KayakPath(k.ID), ID: k.ID, Heading: nameOr(k.Name, k.ID), List: "Stores", ListPath: "/stores",
		Facts: []PastFact{
			{Label: "Name", Value: k.Name},
			{Label: "Status", Value: KayakStatusText(k.Status)},
			{Label: "Store", Value: storeName},
			{Label: "Kind", Value: k.Kind},
			{Label: "Daily rate", Value: p.money(k.DailyRate)},
			{Label: "Serial number", Value: k.Serial},
			{Label: "Condition", Value: k.Condition},
		},
	}
}

// PastUser describes a user at an earlier moment.
func PastUser(p *Page, s *store.PastUser) PastRecord {
	u := &s.User
	locked := "No"
	if u.Disabled {
		locked = "Yes"
	}
	return PastRecord{
		Noun: "user", Path: UserPath(u.Name), ID: u.Name, Heading: u.Name, List: "Users", ListPath: "/admin/users",
		Facts: []PastFact{
			{Label: "Role", Value: capital(string(u.Role))},
			{Label: "Warehouses", Value: strings.Join(u.Warehouses, "\n")},
			{Label: "Stores", Value: strings.Join(u.Stores, "\n")},
			{Label: "Locked", Value: locked},
		},
	}
}

// PastAccount describes the subscriptions of a billing account at an earlier moment.
func PastAccount(p *Page, accountID string, s *store.PastAccount) PastRecord {
	table := PastTable{Title: "Subscriptions", Columns: []string{"Plan", "Status", "Amount", "Payment day", "Next payment", "Declined attempts"}, Empty: "No subscriptions."}
	for i := range s.Subscriptions {
		sub := &s.Subscriptions[i]
		status := capital(strings.ToLower(strings.ReplaceAll(string(sub.Status), "_", " ")))
		if sub.Ending {
			status += ", will be cancelled"
		}
		table.Rows = append(table.Rows, PastRow{ID: sub.ID + "#" + sub.SKU, Cells: []string{
			sub.Plan(), status, p.money(sub.PaymentAmount), strconv.Itoa(sub.PaymentDay), p.calendar(sub.NextPayment()), number(sub.Attempt),
		}})
	}
	return PastRecord{
		Noun: "account", Path: BillingPath(accountID), ID: accountID, Heading: "Account " + accountID, List: "Customer", ListPath: CustomerPath(accountID),
		Tables: []PastTable{table},
	}
}
