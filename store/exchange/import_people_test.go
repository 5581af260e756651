package exchange_test

import (
	"strings"
	"testing"

	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestImport_EmailsOfOnePerson imports records with the same ID. Customers, employees and
// renters must have the same email address. A subscription can have another one than its
// customer, because the form accepts it too.
func TestImport_EmailsOfOnePerson(t *testing.T) {
	customers := func() exchange.File {
		return newFile("customers.csv", "CustomerID,Name,Email\nk1,Kim,kim@example.com\nk2,Lee,\n")
	}
	for _, tt := range []struct {
		name, file, content string
		want                []string // reasons to reject rows
	}{
		{"employee", "employees.csv", "EmployeeID,Name,Email\nk1,Kim,kim@work.example\nk2,Lee,lee@work.example\n", []string{"different email address", "an email address is missing"}},
		{"renter", "people.csv", "PersonID,Name,Email\nk1,Kim,KIM@example.com\n", nil},
		{"subscription", "subscriptions.csv", "AccountID,SubscriptionID,SKU,Status,PaymentDay,PaymentAmount,Email\nk1,s1,A,PAUSED,1,5,billing@example.com\nk1,s2,A,PAUSED,1,5,\nk2,s3,A,PAUSED,1,5,lee@example.com\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, dryRun := range []bool{true, false} {
				for _, before := range []bool{true, false} { // whether the customers are already in the table
					s := storetest.Open(t, storetest.NewClock())
					files := []exchange.File{customers(), newFile(tt.file, tt.content)}
					if before {
						importFiles(t, s, exchange.ImportOptions{}, customers())
						files = files[1:]
					}
					_, rejected := importFiles(t, s, exchange.ImportOptions{DryRun: dryRun}, files...)
					ok := len(rejected) == len(tt.want)
					for _, reason := range tt.want {
						ok = ok && strings.Contains(strings.Join(rejected, "\n"), reason)
					}
					if !ok {
						t.Errorf("dry run %t, customers in the table %t: got %q, want %q", dryRun, before, rejected, tt.want)
					}
				}
			}
		})
	}
}

// TestImport_NamesKindOfRecord checks that a reason calls a record as the pages do, not by its
// entity type.
func TestImport_NamesKindOfRecord(t *testing.T) {
	for _, tt := range []struct{ file, content, want string }{
		{"people.csv", "PersonID,Name\nx1,Kim\nx1,Lee\n", "The person x1 appears twice with different values."},
		{"kayaks.csv", "StoreID,InventoryID,Name,DailyRate,Status\ns1,k1,Red,5,in\n", "Unknown store s1"},
	} {
		_, rejected := importFiles(t, storetest.Open(t, storetest.NewClock()), exchange.ImportOptions{Update: true, DryRun: true}, newFile(tt.file, tt.content))
		if len(rejected) != 1 || !strings.Contains(rejected[0], tt.want) {
			t.Errorf("%s: got the rejected rows %q, want %q", tt.file, rejected, tt.want)
		}
	}
}
