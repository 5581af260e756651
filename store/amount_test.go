package store_test

import (
	"encoding/json"
	"testing"

	"stockroom/store"
	"stockroom/store/table"
)

func TestParseAmount(t *testing.T) {
	for text, want := range map[string]string{
		"12.99": "12.99", "100": "100", "40.00": "40", " 7 ": "7", "-3.5": "-3.5", "0": "0", "0.0001": "0.0001", "9999999999.9999": "9999999999.9999",
	} {
		if a, err := store.ParseAmount(text); err != nil || a.String() != want {
			t.Errorf("ParseAmount(%q) = %s, %v; want %s", text, a, err, want)
		}
	}
	for _, text := range []string{"", "much", "1,50", "0.00001", "10000000000", "1e30", "NaN", "Inf", "1.2.3", "0x10"} {
		if a, err := store.ParseAmount(text); err == nil {
			t.Errorf("ParseAmount(%q) = %s, want an error", text, a)
		}
	}
}

func TestAmountsAreExact(t *testing.T) {
	var sum store.Amount
	for range 10 {
		sum = sum.Plus(amount("0.1"))
	}
	if sum.Compare(amount("1")) != 0 || sum.Minus(amount("1")).Sign() != 0 {
		t.Errorf("sum of ten times 0.1: got %s, want 1", sum)
	}
	// The total of the largest order within the limits must not overflow.
	var largest store.Amount
	for range 80 {
		largest = largest.Plus(amount("9999999999.9999").Times(table.MaxNumber))
	}
	if largest.Sign() != 1 {
		t.Errorf("got %s for the largest order, want a positive amount", largest)
	}
}

func TestAmount_Formats(t *testing.T) {
	if got := string(amount("1234.5").AppendFixed(nil, 2)); got != "1234.50" {
		t.Errorf("AppendFixed: got %s, want 1234.50", got)
	}
	if got, err := json.Marshal(store.MinorUnits(-105)); err != nil || string(got) != "-1.05" {
		t.Errorf("JSON: got %s, %v, want -1.05", got, err)
	}
}

// TestMaskLikelyCards checks that card numbers are masked, and that other long numbers,
// such as EANs, are not.
func TestMaskLikelyCards(t *testing.T) {
	for text, want := range map[string]string{
		"SKU “4006381333931” is unknown.":           "SKU “4006381333931” is unknown.", // EAN
		"UPC 036000291452":                          "UPC 036000291452",
		"order 202611280000012346":                  "order 202611280000012346",
		"Name “4111 1111 1111 1111” is too long.":   "Name “•••• 1111” is too long.",
		"4111-1111-1111-1111":                       "•••• 1111",
		"378282246310005":                           "•••• 0005", // American Express
		"4111111111111111 2026 11":                  "•••• 1111 2026 11",
		"4111 1111 1111 1111 and 5555555555554444.": "•••• 1111 and •••• 4444.",
		"no number":                                 "no number",
		"":                                          "",
	} {
		if got := store.MaskLikelyCards(text); got != want {
			t.Errorf("MaskLikelyCards(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestMaskCardNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"4111 1111 1111 1234":              "•••• 1234",
		"4111-1111-1111-1234":              "•••• 1234",
		"Visa 4111111111111234 exp 12/27":  "Visa •••• 1234 exp 12/27",
		"•••• 1234":                        "•••• 1234",
		"GiftCard data here...":            "GiftCard data here...",
		"order 100001, tel 070 123 45 67":  "order 100001, tel 070 123 45 67",
		"411111111111123":                  "•••• 1123", // 15 digits, as on American Express
		"a4111111111111111b42222222222222": "a•••• 1111b•••• 2222",
		"":                                 "",
	} {
		if got := store.MaskCardNumbers(text); got != want {
			t.Errorf("MaskCardNumbers(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestParseMoney_Messages(t *testing.T) {
	const (
		commas = "Enter the amount with a decimal point and without commas, such as 1250.50."
		spaces = "Enter the amount without spaces, such as 1250.50."
	)
	for text, want := range map[string]string{
		"": "", " 12.50 ": "", "12.5000": "", "1.99": "", "-3": "", "007": "",
		"1e5": "Enter an amount in digits, such as 12.50.", "€5": "Enter an amount in digits, such as 12.50.",
		"1,500": "1,500 is ambiguous. Enter 1500, or an amount with at most 2 decimals.", "1.500": "",
		"1,250.50": commas, "1.250,50": commas, "1,250,5": commas, "1,": commas, ",": commas, "1,5-": commas,
		"10000000000": "Enter an amount below 10,000,000,000.", "99999999999999999999999.5": "Enter an amount below 10,000,000,000.",
		"1.00001": "Enter an amount with fewer decimals, such as 12.50.",
		"1 234":   "", "12 34": spaces, "1 23,5": spaces, "1 234 5": spaces, "- 5": spaces, "0 123": spaces, "1 234,567": "", "1 234,567,8": spaces,
		"1.2.3": "Enter an amount, such as 12.50.", "5-": "Enter an amount, such as 12.50.",
	} {
		got := ""
		if _, err := store.ParseMoney("amount", text); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestParseMoney_DecimalComma(t *testing.T) {
	for text, want := range map[string]string{"12,50": "12.5", "12,5": "12.5", " 1250,05 ": "1250.05", "-3,5": "-3.5", "0,99": "0.99", ",5": "0.5"} {
		if got, err := store.ParseMoney("amount", text); err != nil || got.String() != want {
			t.Errorf("%q: got %s and %v, want %s", text, got, err, want)
		}
	}
}

// TestParseMoney_Spaces parses amounts with an ordinary, a no-break, a thin and a narrow
// no-break space.
func TestParseMoney_Spaces(t *testing.T) {
	for text, want := range map[string]string{
		"1 234,5": "1234.5", "1\u00a0234,50": "1234.5", "1\u2009234": "1234", "-1\u202f234.5": "-1234.5", "12 345 678,90": "12345678.9", "1 234.500": "1234.5", "1 234,500": "1234.5",
	} {
		if got, err := store.ParseMoney("amount", text); err != nil || got.String() != want {
			t.Errorf("%q: got %s and %v, want %s", text, got, err, want)
		}
	}
}

func TestCheckDecimals_Currency(t *testing.T) {
	for _, c := range []struct{ amount, stored, currency, want string }{
		{"1.5", "0", "JPY", "Enter an amount without decimals, such as 12."},
		{"1.5", "1.5", "JPY", ""},
		{"2", "0", "JPY", ""},
		{"1.5001", "0", "KWD", "Enter an amount with at most 3 decimals, such as 12.500."},
		{"1.501", "0", "KWD", ""},
		{"1.501", "0", "XYZ", "Enter an amount with at most 2 decimals, such as 12.50. If you mean 1501, leave out the point."},
		{"0.501", "0", "XYZ", "Enter an amount with at most 2 decimals, such as 12.50."},
	} {
		got := ""
		if err := store.CheckDecimals("amount", amount(c.amount), amount(c.stored), c.currency); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.amount, c.currency, got, c.want)
		}
	}
}

// TestCheckDecimals_TwoMeanings checks which amounts with three digits after their only
// separator, such as 1.500, are rejected as ambiguous.
func TestCheckDecimals_TwoMeanings(t *testing.T) {
	for _, c := range []struct{ text, stored, currency, want string }{
		{"1.500", "0", "EUR", "1.500 is ambiguous. Enter 1500, or an amount with at most 2 decimals."},
		{"1.500", "1.5", "EUR", "1.500 is ambiguous. Enter 1500, or an amount with at most 2 decimals."},
		{"-12.000", "0", "EUR", "-12.000 is ambiguous. Enter -12000, or an amount with at most 2 decimals."},
		{"1.125", "0", "EUR", "Enter an amount with at most 2 decimals, such as 12.50. If you mean 1125, leave out the point."},
		{"1.125", "1.125", "EUR", ""}, // unchanged since the form was shown
		{"1.000", "0", "JPY", "Enter the amount without a point or comma, such as 1000."},
		{"1.500", "0", "KWD", ""},
		{"0.500", "0", "EUR", ""},
		{"1500.500", "0", "EUR", ""},
		{"1.50", "0", "EUR", ""},
	} {
		entered, err := store.ParseMoney("amount", c.text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := store.CheckDecimals("amount", entered, amount(c.stored), c.currency); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s %s: got %q, want %q", c.text, c.currency, got, c.want)
		}
	}
}

func TestParseWhole_Groups(t *testing.T) {
	for text, want := range map[string]string{
		"1 000": "", "1\u00a0000": "", "−12\u202f345": "", " 1 234 567 ": "", "10 00": "Enter a whole number, such as 12.", "1 234.5": "Enter a whole number, such as 12.",
		"1.500": "Enter the number without a point or comma, such as 1500.", "12,000": "Enter the number without a point or comma, such as 12000.",
		"1.5": "Enter a whole number, such as 12.", "x": "Enter a whole number, such as 12.", "1500": "",
	} {
		got := ""
		if _, err := store.ParseWhole("quantity", text); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
