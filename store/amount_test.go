package store

import (
	"encoding/json"
	"testing"
)

func TestParseAmount(t *testing.T) {
	for text, want := range map[string]string{
		"12.99": "12.99", "100": "100", "40.00": "40", " 7 ": "7", "-3.5": "-3.5", "0": "0", "0.0001": "0.0001", "9999999999.9999": "9999999999.9999",
	} {
		if a, err := ParseAmount(text); err != nil || a.String() != want {
			t.Errorf("ParseAmount(%q) = %s, %v; want %s", text, a, err, want)
		}
	}
	for _, text := range []string{"", "much", "1,50", "0.00001", "10000000000", "1e30", "NaN", "Inf", "1.2.3", "0x10"} {
		if a, err := ParseAmount(text); err == nil {
			t.Errorf("ParseAmount(%q) = %s, want an error", text, a)
		}
	}
}

func TestAmountsAreExact(t *testing.T) {
	var sum Amount
	for range 10 {
		sum = sum.Plus(amount("0.1"))
	}
	if sum.Compare(amount("1")) != 0 || sum.Minus(amount("1")).Sign() != 0 {
		t.Errorf("ten times 0.1 is %s", sum)
	}
	// The dearest order that the bounds allow does not overflow.
	var dearest Amount
	for range 80 {
		dearest = dearest.Plus(amount("9999999999.9999").Times(maxQuantity))
	}
	if dearest.Sign() != 1 {
		t.Errorf("the dearest order costs %s", dearest)
	}
}

func TestAmountForms(t *testing.T) {
	if got := string(amount("1234.5").AppendFixed(nil, 2)); got != "1234.50" {
		t.Errorf("AppendFixed: %s", got)
	}
	if got, err := json.Marshal(MinorUnits(-105)); err != nil || string(got) != "-1.05" {
		t.Errorf("JSON: %s, %v", got, err)
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
		"411111111111123":                  "•••• 1123", // 15 digits, American Express
		"a4111111111111111b42222222222222": "a•••• 1111b•••• 2222",
		"":                                 "",
	} {
		if got := MaskCardNumbers(text); got != want {
			t.Errorf("MaskCardNumbers(%q) = %q, want %q", text, got, want)
		}
	}
}
