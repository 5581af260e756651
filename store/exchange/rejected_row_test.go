package exchange_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"stockroom/store/exchange"
)

// model puts items into a file.
func model(items ...string) string {
	return `{"DataModel": [{"TableName": "T", "KeyAttributes": {"PartitionKey": {"AttributeName": "PK"}, "SortKey": {"AttributeName": "SK"}}, "TableData": [` + strings.Join(items, ",\n") + `]}]}`
}

func TestWhatCannotBePlacedIsRefused(t *testing.T) {
	const customer = `{"PK": {"S": "c#1"}, "SK": {"S": "c#1"}, "EntityType": {"S": "customer"}, "Name": {"S": "Kim"}}`
	for name, tt := range map[string]struct{ row, reason string }{
		"an unknown kind":         {`{"PK": {"S": "x#1"}, "SK": {"S": "x#1"}, "EntityType": {"S": "unicorn"}}`, "unicorn"},
		"no keys":                 {`{"EntityType": {"S": "customer"}}`, "PK"},
		"an ID with a separator":  {`{"PK": {"S": "c#1#2"}, "SK": {"S": "c#1#2"}}`, "#"},
		"a control character":     {`{"PK": {"S": "c#1\u0000"}, "SK": {"S": "c#1\u0000"}}`, "control"},
		"a bad number":            {`{"PK": {"S": "p#1"}, "SK": {"S": "p#1"}, "Price": {"S": "much"}}`, "Price"},
		"an amount out of bounds": {`{"PK": {"S": "p#1"}, "SK": {"S": "p#1"}, "Price": {"N": "1e30"}}`, "Price"},
		"a bad date":              {`{"PK": {"S": "o#1"}, "SK": {"S": "c#1"}, "Date": {"S": "21/06/2020"}}`, "Date"},
		"no date":                 {`{"PK": {"S": "o#1"}, "SK": {"S": "c#1"}}`, "date"},
		"a line without customer": {`{"PK": {"S": "o#1"}, "SK": {"S": "p#1"}, "Quantity": {"N": "1"}}`, "customer"},
		"a payment without place": {`{"PK": {"S": "o#1"}, "SK": {"S": "pmn#1"}, "Amount": {"N": "1"}, "Data": {"S": "4111111111111111"}}`, "invoice"},
		"a doubled key":           {`{"PK": {"S": "c#1"}, "SK": {"S": "c#1"}, "EntityType": {"S": "customer"}, "Name": {"S": "Lee"}}`, "Name"},
		"an amount below zero":    {`{"PK": {"S": "p#1"}, "SK": {"S": "p#1"}, "Price": {"N": "-1"}}`, "Price"},
		"no amount":               {`{"PK": {"S": "p#1"}, "SK": {"S": "p#1"}, "Price": {"S": ""}}`, "Price"},
		"an empty number":         {`{"PK": {"S": "p#1"}, "SK": {"S": "w#1"}, "Quantity": {"N": ""}}`, "Quantity"},
		"stock below zero":        {`{"PK": {"S": "p#1"}, "SK": {"S": "w#1"}, "Quantity": {"S": "-4"}}`, "Quantity"},
		"a number in a map":       {`{"PK": {"S": "p#1"}, "SK": {"S": "w#1"}, "Quantity": {"M": {}}}`, "Quantity"},
		"a map that is a text":    {`{"PK": {"S": "w#1"}, "SK": {"S": "w#1"}, "Address": {"S": "Borås"}}`, "Address"},
		"what has no place here":  {`{"PK": {"S": "w#1"}, "SK": {"S": "w#1"}, "Address": {"M": {"Floor": {"S": "2"}}}}`, "Address.Floor"},
		"an SKU with a separator": {`{"PK": {"S": "p#1"}, "SK": {"S": "p#1"}, "Price": {"N": "1"}, "SKU": {"S": "a#b"}}`, "SKU"},
		"an endless address":      {`{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Email": {"S": "` + strings.Repeat("x", 255) + `"}}`, "Email"},
		"an item of 400 KB":       {`{"PK": {"S": "w#1"}, "SK": {"S": "w#1"}, "Name": {"S": "` + strings.Repeat("x", 400<<10) + `"}}`, "400"},
		"a type before its keys":  {`{"PK": {"S": "p#1"}, "SK": {"S": "w#1"}, "EntityType": {"S": "reservation"}, "Quantity": {"N": "1"}}`, "reservation"},
		"keys of another type":    {`{"PK": {"S": "p#1"}, "SK": {"S": "w#1"}, "EntityType": {"S": "customer"}}`, "PK"},
		"an unknown status":       {`{"PK": {"S": "o#1"}, "SK": {"S": "c#1"}, "Date": {"S": "2020-06-21"}, "Status": {"S": "LOST"}}`, "LOST"},
		"parcel of a bad ID":      {`{"PK": {"S": "o#1"}, "SK": {"S": "shp#1"}, "GSI1-PK": {"S": "sh#a#b"}, "GSI1-SK": {"S": "p#1"}, "Quantity": {"N": "1"}}`, "GSI1-PK"},
		"goods of no parcel":      {`{"PK": {"S": "o#1"}, "SK": {"S": "shp#1"}, "GSI1-SK": {"S": "p#1"}, "Quantity": {"N": "1"}}`, "shipment"},
		"a parcel of no day":      {`{"PK": {"S": "o#1"}, "SK": {"S": "sh#1"}}`, "Date"},
		"a line without price":    {`{"PK": {"S": "o#1"}, "SK": {"S": "p#1"}, "GSI1-SK": {"S": "2020-06-21"}, "GSI2-PK": {"S": "c#1"}, "Quantity": {"N": "1"}}`, "Price"},
		"two payments of one ID":  {`{"PK": {"S": "o#1"}, "SK": {"S": "i#1"}, "GSI2-PK": {"S": "c#1"}, "GSI2-SK": {"S": "2020-06-21"}, "Amount": {"N": "1"}, "Detail": {"M": {"Payments": {"L": [{"M": {"ID": {"S": "2"}, "Amount": {"N": "1"}}}, {"M": {"Amount": {"N": "1"}, "Type": {"S": "Visa"}}}]}}}}`, "ID 2"},
		"a payment of no amount":  {`{"PK": {"S": "o#1"}, "SK": {"S": "i#1"}, "GSI2-PK": {"S": "c#1"}, "Amount": {"N": "1"}, "Detail": {"M": {"Payments": {"L": [{"M": {"Type": {"S": "Visa"}}}]}}}}`, "Detail.Payments[0].Amount"},
		"an attribute twice":      {`{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Name": {"S": "Kim"}, "Name": {"S": "Lee"}}`, "Name"},
		"a bare card number":      {`{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Data": {"N": 4111111111111111}}`, "Data"},
		"a date like a card":      {`{"PK": {"S": "o#1"}, "SK": {"S": "c#1"}, "Date": {"S": "4111111111111111"}}`, "Date"},
		"deep nesting":            {`{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Name": ` + strings.Repeat(`{"L": [`, 40) + strings.Repeat(`]}`, 40) + `}`, "deep"},
		"no base64":               {`{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Name": {"B": "?"}}`, "base64"},
		"a quarter that is none":  {`{"PK": {"S": "e#1"}, "SK": {"S": "QUOTA#2026-Q5"}, "OrderTotal": {"N": "1"}, "Orders": {"N": "1"}}`, "quarter"},
		"less than nothing sold":  {`{"PK": {"S": "e#1"}, "SK": {"S": "QUOTA#2026-Q4"}, "OrderTotal": {"N": "-1"}, "Orders": {"N": "1"}}`, "OrderTotal"},
		"staff of a bad place":    {`{"PK": {"S": "e#1"}, "SK": {"S": "e#1"}, "WarehouseID": {"S": "a#b"}}`, "WarehouseID"},
		"a bad hire date":         {`{"PK": {"S": "e#1"}, "SK": {"S": "e#1"}, "HireDate": {"S": "spring"}}`, "HireDate"},
		"a region of a region":    {`{"PK": {"S": "r#1"}, "SK": {"S": "r#1"}, "RegionID": {"S": "2"}}`, "RegionID"},
		"a place in a bad place":  {`{"PK": {"S": "l#1"}, "SK": {"S": "l#1"}, "CountryID": {"S": "a#b"}}`, "CountryID"},
		"no item":                 {`[1]`, "item"},
		"no type":                 {`{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Name": "Kim"}`, "Name"},
		"two types":               {`{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Name": {"S": "Kim", "N": "1"}}`, "Name"},
	} {
		imported, err := exchange.Workbench("file.json", strings.NewReader(model(customer, tt.row)))
		if err != nil || len(imported.Refused) != 1 || len(imported.Entities) != 1 {
			t.Errorf("%s: %v, %d taken, refused %+v", name, err, len(imported.Entities), imported.Refused)
			continue
		}
		if r := imported.Refused[0]; r.Number != 2 || r.Table != "T" || !strings.Contains(r.Reason, tt.reason) {
			t.Errorf("%s: row %d of %s: %s", name, r.Number, r.Table, r.Reason)
		}
		var out bytes.Buffer
		if err := exchange.WriteRefused(&out, "file.json", imported.Refused); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var line struct {
			File, Table, Reason string
			Row                 int
			Item                json.RawMessage
		}
		if err := json.Unmarshal(out.Bytes(), &line); err != nil || line.File != "file.json" || line.Row != 2 || line.Reason == "" || strings.Contains(out.String(), "41111111") {
			t.Errorf("%s: written as %s (%v)", name, out.String(), err)
		}
	}
}

func TestForeignFilesAreRefusedWhole(t *testing.T) {
	for name, tt := range map[string]struct {
		content string
		line    int
	}{
		"nothing":       {"", 0},
		"blanks":        {" \n ", 0},
		"text":          {"hello", 1},
		"NUL":           {"{\n\x00}", 2},
		"cut off":       {model(`{"PK": {"S": "c#1"}`)[:150], 1},
		"other JSON":    {`{"a": 1}`, 0},
		"a list":        {`[]`, 1},
		"null":          {`null`, 0},
		"Latin-1":       {"{\n\"ModelName\": \"caf\xe9\"}", 2},
		"more behind":   {model() + "\n{}", 2},
		"a wrong type":  {"{\n\"DataModel\": 7}", 2},
		"no keys named": {`{"DataModel": [{"TableName": "T", "TableData": []}]}`, 0},
		"deep nesting":  {strings.Repeat("[", 20000), 1},
	} {
		imported, err := exchange.Workbench("file.json", strings.NewReader(tt.content))
		var e *exchange.FileError
		if !errors.As(err, &e) || e.File != "file.json" || e.Line != tt.line || imported != nil {
			t.Errorf("%s: %+v, %v, want line %d", name, imported, err, tt.line)
		}
	}
}

// TestOrderIsTakenWholeOrNotAtAll spoils one part of an order at a time: the
// sums of what would be left would be wrong for good.
func TestOrderIsTakenWholeOrNotAtAll(t *testing.T) {
	order := []string{
		`{"PK": {"S": "o#1"}, "SK": {"S": "c#1"}, "Date": {"S": "2020-06-21"}}`,
		`{"PK": {"S": "o#1"}, "SK": {"S": "p#1"}, "Quantity": {"N": "2"}, "Price": {"N": "3"}}`,
		`{"PK": {"S": "o#1"}, "SK": {"S": "i#1"}, "Amount": {"N": "6"}}`,
	}
	other := `{"PK": {"S": "o#2"}, "SK": {"S": "c#1"}, "Date": {"S": "2020-06-21"}}`
	many := make([]string, 81)
	for i := range many {
		many[i] = fmt.Sprintf(`{"PK": {"S": "o#1"}, "SK": {"S": "p#%d"}, "Quantity": {"N": "9999999"}, "Price": {"N": "9999999999"}}`, 100+i)
	}
	for name, tt := range map[string]struct {
		rows   []string
		reason string
	}{
		"a line of words":           {[]string{`{"PK": {"S": "o#1"}, "SK": {"S": "p#2"}, "Quantity": {"N": "1"}, "Price": {"S": "much"}}`}, "Price"},
		"a line of another":         {[]string{`{"PK": {"S": "o#1"}, "SK": {"S": "p#2"}, "GSI2-PK": {"S": "c#9"}, "Quantity": {"N": "1"}, "Price": {"N": "1"}}`}, "customer 9"},
		"a second customer":         {[]string{`{"PK": {"S": "o#1"}, "SK": {"S": "c#2"}, "Date": {"S": "2020-06-21"}}`}, "row 1 of T"},
		"another line in its place": {[]string{`{"PK": {"S": "o#1"}, "SK": {"S": "p#1"}, "Quantity": {"N": "7"}}`}, "another Quantity"},
		"a payment to nobody":       {[]string{`{"PK": {"S": "o#1"}, "SK": {"S": "pmn#1"}, "GSI1-PK": {"S": "i#9"}, "Amount": {"N": "1"}}`}, "invoice"},
		"too many lines":            {many, "80 lines"},
		"too much money":            {many[:70], "Total"},
	} {
		rows := append(append([]string{}, order...), tt.rows...)
		imported, err := exchange.Workbench("file.json", strings.NewReader(model(append(rows, other)...)))
		if err != nil || len(imported.Entities) != 1 || len(imported.Refused) != len(rows) {
			t.Errorf("%s: %v, %d taken, refused %+v", name, err, len(imported.Entities), imported.Refused)
			continue
		}
		said := false
		for i, r := range imported.Refused {
			said = said || strings.Contains(r.Reason, tt.reason)
			if r.Number != i+1 {
				t.Errorf("%s: row %d stands at %d of the refused", name, r.Number, i+1)
			}
		}
		if !said {
			t.Errorf("%s: none of the reasons says %q: %+v", name, tt.reason, imported.Refused)
		}
	}
}

// TestByteOrderMark: some editors write one.
func TestByteOrderMark(t *testing.T) {
	imported, err := exchange.Workbench("file.json", strings.NewReader("\ufeff"+model(`{"PK": {"S": "c#1"}, "SK": {"S": "c#1"}}`)))
	if err != nil || len(imported.Entities) != 1 {
		t.Errorf("%+v, %v", imported, err)
	}
}
