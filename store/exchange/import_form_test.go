package exchange_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestImport_EmailDomain imports and updates email addresses without a dot in the domain.
// Only forms require the dot.
func TestImport_EmailDomain(t *testing.T) {
	s := storetest.Open(t, storetest.NewClock())
	for _, tt := range []struct {
		name, content string
		update        bool
	}{
		{"customers.csv", "CustomerID,Name,Email\n1,Kim,kim@mail\n", false},
		{"employees.csv", "EmployeeID,Name,Email\n2,Ole,ole@mail\n", false},
		{"people.csv", "PersonID,Name,Email\n3,Bo,bo@mail\n", false},
		{"customers.csv", "CustomerID,Name\n1,Kim Ek\n", true},
		{"customers.csv", "CustomerID,Email\n1,ek@mail\n", true},
	} {
		f := newFile(tt.name, tt.content)
		f.Partial = tt.update
		if got, rejected := importFiles(t, s, exchange.ImportOptions{Update: tt.update}, f); len(rejected) > 0 || len(got.Warnings) > 0 {
			t.Errorf("%q: rejected %q, warnings %+v, want none", tt.content, rejected, got.Warnings)
		}
	}
}

// TestImport_FollowsRulesOfForms checks that imports reject values that forms reject,
// in CSV, JSON Lines and a model. A lenient import accepts them with a warning. An
// update does not check columns that a file lacks.
func TestImport_FollowsRulesOfForms(t *testing.T) {
	long := strings.Repeat("x", 201)
	phones := strings.Repeat("7;", 10) + "7"
	for _, tt := range []struct{ name, content, want string }{
		{"customers.csv", "CustomerID,Name,Email\n1,Kim,kim.example.com\n", `Email “kim.example.com”: Enter a valid email address.`},
		{"customers.csv", "CustomerID,Name,Email\n1,Kim,Kim <kim@example.com>\n", `Email “Kim <kim@example.com>”: Enter a valid email address.`},
		{"customers.csv", "CustomerID,Name,Email\n1,,kim@example.com\n", "Name is missing."},
		{"customers.csv", "CustomerID,Name,Email\n1, ,kim@example.com\n", "Name is missing."},
		{"customers.csv", "CustomerID,Name,Phones\n1,Kim,\"" + phones + "\"\n", "Phones: Enter at most 10 lines."},
		{"customers.csv", "CustomerID,Name,Phones\n1,Kim,ask Bo\n", `Phones “ask Bo”: “ask Bo” is not a phone number. Enter 5 to 20 digits, such as +46 70 555 01 42 or 031-555 01 00 ext. 12.`},
		{"customers.csv", "CustomerID,Name,Address.Country\n1,Kim," + long + "\n", fmt.Sprintf("Address.Country “%s”: Enter one line of at most 200 characters.", long[:60]+"…")},
		{"customers.csv", "CustomerID,Name,Address.City\n1,Kim,\"Aar\nhus\"\n", `Address.City: Enter one line of at most 200 characters.`},
		{"customers.csv", "CustomerID,Name\n1,Kim\u202e gnoS\n", `Name “Kim  gnoS”: This text has invisible control characters. Type it again.`},
		{"customers.jsonl", `{"Item":{"PK":{"S":"c#1"},"SK":{"S":"c#1"},"Name":{"S":"Kim"},"Email":{"S":"kim"}}}` + "\n", `Email “kim”: Enter a valid email address.`},
		{"customers.json", model(`{"PK": {"S": "c#1"}, "SK": {"S": "c#1"}, "Name": {"S": "Kim"}, "Email": {"S": "kim"}}`), `Email “kim”: Enter a valid email address.`},
		{"employees.csv", "EmployeeID,Name,Email\n1,Kim,kim\n", `Email “kim”: Enter a valid email address.`},
		{"employees.csv", "EmployeeID,Name\n1,\n", "Name is missing."},
		{"warehouses.csv", "WarehouseID,Name\n1,\n", "Name is missing."},
		{"products.csv", "ProductID,Price,Detail.Name\n1,1,\n", "Detail.Name is missing."},
	} {
		s := storetest.Open(t, storetest.NewClock())
		for _, dryRun := range []bool{true, false} {
			got, rejected := importFiles(t, s, exchange.ImportOptions{DryRun: dryRun}, newFile(tt.name, tt.content))
			if len(rejected) != 1 || !strings.HasSuffix(rejected[0], ": "+tt.want) || got.Counts.Rejected != 1 {
				t.Errorf("%s %q: rejected %q, want %q", tt.name, tt.content, rejected, tt.want)
			}
		}
		got, rejected := importFiles(t, s, exchange.ImportOptions{Lenient: true}, newFile(tt.name, tt.content))
		if len(rejected) > 0 || got.Counts.Added != 1 || len(got.Warnings) != 1 || got.Warnings[0].Reason != tt.want {
			t.Errorf("lenient, %s %q: got %+v, rejected %q", tt.name, tt.content, got, rejected)
		}
	}
	s := storetest.Open(t, storetest.NewClock())
	importFiles(t, s, exchange.ImportOptions{}, newFile("customers.csv", "CustomerID,Name,Email\n1,Kim,kim@example.com\n"))
	for _, tt := range []struct {
		content string
		want    []string
	}{
		{"CustomerID,Name\n1,Bo\n", nil},
		{"CustomerID,Address.City\n1,Ribe\n", nil},
		{"CustomerID,Name\n1,\n", []string{"customers.csv 2: Name is missing."}},
		{"CustomerID,Email\n1,bo\n", []string{`customers.csv 2: Email “bo”: Enter a valid email address.`}},
	} {
		f := newFile("customers.csv", tt.content)
		f.Partial = true
		if _, rejected := importFiles(t, s, exchange.ImportOptions{Update: true}, f); !slices.Equal(rejected, tt.want) {
			t.Errorf("update with %q: rejected %q, want %q", tt.content, rejected, tt.want)
		}
	}
}
