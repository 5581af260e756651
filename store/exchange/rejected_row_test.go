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

func model(items ...string) string {
	return `{"DataModel": [{"TableName": "T", "KeyAttributes": {"PartitionKey": {"AttributeName": "PK"}, "SortKey": {"AttributeName": "SK"}}, "TableData": [` + strings.Join(items, ",\n") + `]}]}`
}

func TestReadModel_RejectsInvalidRows(t *testing.T) {
	const customer = `{"PK": {"S": "c#1"}, "SK": {"S": "c#1"}, "EntityType": {"S": "customer"}, "Name": {"S": "Kim"}}`
	for name, tt := range map[string]struct{ row, reason string }{
		"unknown kind":                 {`{"PK": {"S": "x#1"}, "SK": {"S": "x#1"}, "EntityType": {"S": "unicorn"}}`, "unicorn"},
		"missing keys":                 {`{"EntityType": {"S": "customer"}}`, "PK"},
		"separator in ID":              {`{"PK": {"S": "c#1#2"}, "SK": {"S": "c#1#2"}}`, "#"},
		"control character in ID":      {`{"PK": {"S": "c#1\u0000"}, "SK": {"S": "c#1\u0000"}}`, "control"},
		"text as amount":               {`{"PK": {"S": "p#1"}, "SK": {"S": "p#1"}, "Price": {"S": "much"}}`, "Price"},
		"amount out of bounds":         {`{"PK": {"S": "p#1"}, "SK": {"S": "p#1"}, "Price": {"N": "1e30"}}`, "Price"},
		"invalid date":                 {`{"PK": {"S": "o#1"}, "SK": {"S": "c#1"}, "Date": {"S": "21/06/2020"}}`, "Date"},
		"missing date":                 {`{"PK": {"S": "o#1"}, "SK": {"S": "c#1"}}`, "date"},
		"line without customer":        {`{"PK": {"S": "o#1"}, "SK": {"S": "p#1"}, "Quantity": {"N": "1"}}`, "customer"},
		"payment without invoice":      {`{"PK": {"S": "o#1"}, "SK": {"S": "pmn#1"}, "Amount": {"N": "1"}, "Data": {"S": "4111111111111111"}}`, "invoice"},
		"repeated keys":                {`{"PK": {"S": "c#1"}, "SK": {"S": "c#1"}, "EntityType": {"S": "customer"}, "Name": {"S": "Lee"}}`, "Name"},
		"negative amount":              {`{"PK": {"S": "p#1"}, "SK": {"S": "p#1"}, "Price": {"N": "-1"}}`, "Price"},
		"empty amount":                 {`{"PK": {"S": "p#1"}, "SK": {"S": "p#1"}, "Price": {"S": ""}}`, "Price"},
		"empty quantity":               {`{"PK": {"S": "p#1"}, "SK": {"S": "w#1"}, "Quantity": {"N": ""}}`, "Quantity"},
		"negative quantity":            {`{"PK": {"S": "p#1"}, "SK": {"S": "w#1"}, "Quantity": {"S": "-4"}}`, "Quantity"},
		"map as number":                {`{"PK": {"S": "p#1"}, "SK": {"S": "w#1"}, "Quantity": {"M": {}}}`, "Quantity"},
		"text as map":                  {`{"PK": {"S": "w#1"}, "SK": {"S": "w#1"}, "Address": {"S": "Borås"}}`, "Address"},
		"unknown attribute":            {`{"PK": {"S": "w#1"}, "SK": {"S": "w#1"}, "Address": {"M": {"Floor": {"S": "2"}}}}`, "Address.Floor"},
		"separator in SKU":             {`{"PK": {"S": "p#1"}, "SK": {"S": "p#1"}, "Price": {"N": "1"}, "SKU": {"S": "a#b"}}`, "SKU"},
		"long email":                   {`{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Email": {"S": "` + strings.Repeat("x", 255) + `"}}`, "Email"},
		"item of 400 KB":               {`{"PK": {"S": "w#1"}, "SK": {"S": "w#1"}, "Name": {"S": "` + strings.Repeat("x", 400<<10) + `"}}`, "400"},
		"unknown type with known keys": {`{"PK": {"S": "p#1"}, "SK": {"S": "w#1"}, "EntityType": {"S": "reservation"}, "Quantity": {"N": "1"}}`, "reservation"},
		"keys of another type":         {`{"PK": {"S": "p#1"}, "SK": {"S": "w#1"}, "EntityType": {"S": "customer"}}`, "PK"},
		"unknown status":               {`{"PK": {"S": "o#1"}, "SK": {"S": "c#1"}, "Date": {"S": "2020-06-21"}, "Status": {"S": "LOST"}}`, "LOST"},
		"invalid shipment ID":          {`{"PK": {"S": "o#1"}, "SK": {"S": "shp#1"}, "GSI1-PK": {"S": "sh#a#b"}, "GSI1-SK": {"S": "p#1"}, "Quantity": {"N": "1"}}`, "GSI1-PK"},
		"missing shipment ID":          {`{"PK": {"S": "o#1"}, "SK": {"S": "shp#1"}, "GSI1-SK": {"S": "p#1"}, "Quantity": {"N": "1"}}`, "ShipmentID is missing."},
		"shipment without date":        {`{"PK": {"S": "o#1"}, "SK": {"S": "sh#1"}}`, "Date"},
		"line without price":           {`{"PK": {"S": "o#1"}, "SK": {"S": "p#1"}, "GSI1-SK": {"S": "2020-06-21"}, "GSI2-PK": {"S": "c#1"}, "Quantity": {"N": "1"}}`, "Price"},
		"repeated payment ID":          {`{"PK": {"S": "o#1"}, "SK": {"S": "i#1"}, "GSI2-PK": {"S": "c#1"}, "GSI2-SK": {"S": "2020-06-21"}, "Amount": {"N": "1"}, "Detail": {"M": {"Payments": {"L": [{"M": {"ID": {"S": "2"}, "Amount": {"N": "1"}}}, {"M": {"Amount": {"N": "1"}, "Type": {"S": "Visa"}}}]}}}}`, "ID 2"},
		"payment without amount":       {`{"PK": {"S": "o#1"}, "SK": {"S": "i#1"}, "GSI2-PK": {"S": "c#1"}, "Amount": {"N": "1"}, "Detail": {"M": {"Payments": {"L": [{"M": {"Type": {"S": "Visa"}}}]}}}}`, "Detail.Payments[0].Amount"},
		"repeated attribute":           {`{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Name": {"S": "Kim"}, "Name": {"S": "Lee"}}`, "Name"},
		"card number as number":        {`{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Data": {"N": 4111111111111111}}`, "Data"},
		"card number as date":          {`{"PK": {"S": "o#1"}, "SK": {"S": "c#1"}, "Date": {"S": "4111111111111111"}}`, "Date"},
		"deep nesting":                 {`{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Name": ` + strings.Repeat(`{"L": [`, 40) + strings.Repeat(`]}`, 40) + `}`, "deep"},
		"invalid base64":               {`{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Name": {"B": "?"}}`, "base64"},
		"invalid quarter":              {`{"PK": {"S": "e#1"}, "SK": {"S": "QUOTA#2026-Q5"}, "OrderTotal": {"N": "1"}, "Orders": {"N": "1"}}`, "the key of a quota"},
		"negative quota":               {`{"PK": {"S": "e#1"}, "SK": {"S": "QUOTA#2026-Q4"}, "OrderTotal": {"N": "-1"}, "Orders": {"N": "1"}}`, "OrderTotal"},
		"invalid warehouse ID":         {`{"PK": {"S": "e#1"}, "SK": {"S": "e#1"}, "WarehouseID": {"S": "a#b"}}`, "WarehouseID"},
		"invalid hire date":            {`{"PK": {"S": "e#1"}, "SK": {"S": "e#1"}, "HireDate": {"S": "spring"}}`, "HireDate"},
		"region in a region":           {`{"PK": {"S": "r#1"}, "SK": {"S": "r#1"}, "RegionID": {"S": "2"}}`, "RegionID"},
		"invalid country ID":           {`{"PK": {"S": "l#1"}, "SK": {"S": "l#1"}, "CountryID": {"S": "a#b"}}`, "CountryID"},
		"list as item":                 {`[1]`, "object"},
		"value without type":           {`{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Name": "Kim"}`, "Name"},
		"value with two types":         {`{"PK": {"S": "c#2"}, "SK": {"S": "c#2"}, "Name": {"S": "Kim", "N": "1"}}`, "Name"},
	} {
		batch, err := exchange.ReadModel("file.json", strings.NewReader(model(customer, tt.row)))
		if err != nil || len(batch.Rejected) != 1 || len(batch.Entities) != 1 {
			t.Errorf("%s: got %v, %d entities, rejected %+v, want one of each", name, err, len(batch.Entities), batch.Rejected)
			continue
		}
		if r := batch.Rejected[0]; r.Number != 2 || r.Table != "T" || !strings.Contains(r.Reason, tt.reason) {
			t.Errorf("%s: rejected row %d of %s: %s, want row 2 of T with %q", name, r.Number, r.Table, r.Reason, tt.reason)
		}
		var out bytes.Buffer
		if err := exchange.NewRejectedWriter(&out, "file.json").Write(&batch.Rejected[0]); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var line struct {
			Item     json.RawMessage
			Rejected struct {
				File, Table, Reason string
				Row                 int
			}
		}
		if err := json.Unmarshal(out.Bytes(), &line); err != nil || line.Item == nil || line.Rejected.File != "file.json" || line.Rejected.Row != 2 || line.Rejected.Reason == "" ||
			strings.Contains(out.String(), "41111111") != (name == "card number as date") {
			t.Errorf("%s: RejectedWriter wrote %s (%v)", name, out.String(), err)
		}
	}
}

func TestReadModel_RejectsInvalidFiles(t *testing.T) {
	for name, tt := range map[string]struct {
		content string
		line    int
	}{
		"empty":                {"", 0},
		"spaces":               {" \n ", 0},
		"text":                 {"hello", 1},
		"NUL":                  {"{\n\x00}", 2},
		"truncated":            {model(`{"PK": {"S": "c#1"}`)[:150], 1},
		"other JSON":           {`{"a": 1}`, 0},
		"list":                 {`[]`, 1},
		"null":                 {`null`, 0},
		"Latin-1":              {"{\n\"ModelName\": \"caf\xe9\"}", 2},
		"text after the model": {model() + "\n{}", 2},
		"wrong type":           {"{\n\"DataModel\": 7}", 2},
		"missing key names":    {`{"DataModel": [{"TableName": "T", "TableData": []}]}`, 0},
		"deep nesting":         {strings.Repeat("[", 20000), 1},
	} {
		batch, err := exchange.ReadModel("file.json", strings.NewReader(tt.content))
		var e *exchange.FileError
		if !errors.As(err, &e) || e.File != "file.json" || e.Line != tt.line || batch != nil {
			t.Errorf("%s: got %+v, %v, want a FileError in line %d", name, batch, err, tt.line)
		}
	}
}

// TestReadModel_RejectsWholeOrder reads orders with an invalid row or too many rows.
// The whole order must be rejected, because its total would be wrong without the
// invalid row.
func TestReadModel_RejectsWholeOrder(t *testing.T) {
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
		"text as price":                 {[]string{`{"PK": {"S": "o#1"}, "SK": {"S": "p#2"}, "Quantity": {"N": "1"}, "Price": {"S": "much"}}`}, "Price"},
		"line of another customer":      {[]string{`{"PK": {"S": "o#1"}, "SK": {"S": "p#2"}, "GSI2-PK": {"S": "c#9"}, "Quantity": {"N": "1"}, "Price": {"N": "1"}}`}, "customer 9"},
		"second customer":               {[]string{`{"PK": {"S": "o#1"}, "SK": {"S": "c#2"}, "Date": {"S": "2020-06-21"}}`}, "Row 1 of T contains the same order"},
		"repeated line":                 {[]string{`{"PK": {"S": "o#1"}, "SK": {"S": "p#1"}, "Quantity": {"N": "7"}}`}, "a different Quantity"},
		"payment of an unknown invoice": {[]string{`{"PK": {"S": "o#1"}, "SK": {"S": "pmn#1"}, "GSI1-PK": {"S": "i#9"}, "Amount": {"N": "1"}}`}, "invoice"},
		"too many lines":                {many, "80 lines"},
		"total out of bounds":           {many[:70], "Total"},
	} {
		rows := append(append([]string{}, order...), tt.rows...)
		batch, err := exchange.ReadModel("file.json", strings.NewReader(model(append(rows, other)...)))
		if err != nil || len(batch.Entities) != 1 || len(batch.Rejected) != len(rows) {
			t.Errorf("%s: got %v, %d entities, rejected %+v, want one entity and all other rows rejected", name, err, len(batch.Entities), batch.Rejected)
			continue
		}
		found := false
		for i, r := range batch.Rejected {
			found = found || strings.Contains(r.Reason, tt.reason)
			if r.Number != i+1 {
				t.Errorf("%s: got the rejected row %d at position %d, want all rows in order", name, r.Number, i+1)
			}
		}
		if !found {
			t.Errorf("%s: got reasons %+v, want %q in one of them", name, batch.Rejected, tt.reason)
		}
	}
}

func TestReadModel_SkipsByteOrderMark(t *testing.T) {
	batch, err := exchange.ReadModel("file.json", strings.NewReader("\ufeff"+model(`{"PK": {"S": "c#1"}, "SK": {"S": "c#1"}}`)))
	if err != nil || len(batch.Entities) != 1 {
		t.Errorf("got %+v, %v, want one entity", batch, err)
	}
}
