package exchange_test

import (
	"strings"
	"testing"
	"time"

	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestImport_CalendarDays imports calendar days in several formats. The import must keep
// the day as written, in any time zone.
func TestImport_CalendarDays(t *testing.T) {
	const header = "EmployeeID,Name,HireDate\ne1,Kim,"
	german := func(dates, cell string) []exchange.File {
		mapping := "files: {Personal.csv: {entity: employees, dates: " + dates + ", columns: {Nr: EmployeeID, Eintrittsdatum: HireDate}}}"
		return mapped(t, mapping, newFile("Personal.csv", "Nr;Name;Eintrittsdatum\ne1;Kim;"+cell+"\n"))
	}
	for name, files := range map[string][]exchange.File{
		"ISO":                     {newFile("employees.csv", header+"2020-02-01\n")},
		"day and time":            {newFile("employees.csv", header+"2020-02-01 23:30\n")},
		"spreadsheet":             {newFile("employees.csv", header+"01.02.2020\n")},
		"east of UTC":             {newFile("employees.csv", header+"2020-02-01T00:00:00+01:00\n")},
		"west of UTC":             {newFile("employees.csv", header+"2020-02-01T23:00:00-05:00\n")},
		"JSON":                    {newFile("items.jsonl", `{"Item":{"PK":{"S":"e#e1"},"SK":{"S":"e#e1"},"Name":{"S":"Kim"},"HireDate":{"S":"2020-02-01T00:00:00+01:00"}}}`)},
		"mapping":                 german("DD.MM.YYYY", "01.02.2020"),
		"mapping with month":      german("MMM D YYYY", "Feb 1 2020"),
		"mapping with time zone":  german(`"YYYY-MM-DDThh:mm:ssZ"`, "2020-02-01T00:00:00+01:00"),
		"mapping without formats": german("[]", "01.02.2020"),
	} {
		s := storetest.Open(t, storetest.NewClock())
		_, rejected := importAll(t, s, exchange.ImportOptions{}, files)
		if e, err := s.As(importAdmin).Employee(t.Context(), "e1"); len(rejected) > 0 || err != nil || e.HireDate.Format("2006-01-02 15:04") != "2020-02-01 00:00" {
			t.Errorf("%s: got %+v, %v, rejected %q, want 2020-02-01", name, e, err, rejected)
		}
	}
	for name, files := range map[string][]exchange.File{
		"HireDate “spring” is not valid. Enter a date such as 2026-11-21.":     {newFile("employees.csv", header+"spring\n")},
		"HireDate “03/04/2026” is not valid. Enter a date such as 2026-11-21.": {newFile("employees.csv", header+"03/04/2026\n")},
		"It matches none of the date formats in the mapping.":                  german("DD.MM.YYYY", "2020-02-01"),
	} {
		s := storetest.Open(t, storetest.NewClock())
		if _, rejected := importAll(t, s, exchange.ImportOptions{}, files); len(rejected) != 1 || !strings.Contains(rejected[0], name) {
			t.Errorf("got rejected %q, want %q", rejected, name)
		}
	}
}

// TestImport_CalendarDaysInKeys imports receipts, whose keys contain a calendar day. The
// key must have the day as written, in any format and time zone.
func TestImport_CalendarDaysInKeys(t *testing.T) {
	for _, day := range []string{"2026-10-05", "05.10.2026", "2026-10-05T00:00:00+02:00"} {
		s := storetest.Open(t, storetest.NewClock())
		_, rejected := importAll(t, s, exchange.ImportOptions{}, []exchange.File{
			newFile("receipts.csv", "AccountID,DueDate,SKU,SubscriptionID,ProcessedDate,ProcessedAmount,NextPaymentDate\nc1,"+day+",k,s,"+day+",5,"+day+"\n"),
		})
		var next any
		for place, item := range readTable(t, s) {
			if place == "ACC#c1 / REC#2026-10-05#SKU#k#SUB#s" {
				next = plainValues(item)["NextPaymentDate"]
			}
		}
		if len(rejected) > 0 || next != "2026-10-05" {
			t.Errorf("%s: got NextPaymentDate %v, rejected %q, want the receipt of the day", day, next, rejected)
		}
	}
}

// TestSuggest_FormatOfCalendarDays suggests a mapping for a file with calendar days in a
// foreign format, and imports the file with this mapping.
func TestSuggest_FormatOfCalendarDays(t *testing.T) {
	const content = "Personalnummer;Name;Eintrittsdatum\ne1;Kim;12/31/2020\n"
	got := suggest(t, newFile("Mitarbeiter.csv", content))
	wantLines(t, got, "dates: [M/D/YYYY]")
	s := storetest.Open(t, storetest.NewClock())
	_, rejected := importAll(t, s, exchange.ImportOptions{}, mapped(t, got, newFile("Mitarbeiter.csv", content)))
	if e, err := s.As(importAdmin).Employee(t.Context(), "e1"); len(rejected) > 0 || err != nil || e.HireDate.Format(time.DateOnly) != "2020-12-31" {
		t.Errorf("got %+v, %v, rejected %q, want the last day of 2020", e, err, rejected)
	}
}
