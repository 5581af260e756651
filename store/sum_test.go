package store_test

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/table"
)

// maxWhole is the largest result of Whole.
const maxWhole = 1_000_000_000_000_000_000

func sum(text string) store.Sum {
	s, err := store.ParseSum(text)
	if err != nil {
		panic(err)
	}
	return s
}

func TestParseSum(t *testing.T) {
	huge := strings.Repeat("9", 126)
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "0.0000": "0", "12.5": "12.5", "-0.0001": "-0.0001", " 7 ": "7", "12500000000": "12500000000",
		"9223372036854775808": "9223372036854775808", "100": "100", "-1.50": "-1.5", huge: huge,
		".5": "0.5", "-.5": "-0.5", "99999999999999": "99999999999999", "-99999999999999.9999": "-99999999999999.9999",
		"999999999999999.9999": "999999999999999.9999", "-9999999999.9999": "-9999999999.9999",
	} {
		if s, err := store.ParseSum(text); err != nil || s.String() != want {
			t.Errorf("%q: got %s, %v; want %s", text, s, err, want)
		}
	}
	for _, text := range []string{"", "-", ".", "much", "1,5", "0.00001", "1e3", "+1", "--1", "1.-5", "1.2.3", "0x10", strings.Repeat("9", 141)} {
		if s, err := store.ParseSum(text); err == nil {
			t.Errorf("%q: got %s, want an error", text, s)
		}
	}
}

func TestAmount_Sum(t *testing.T) {
	for _, text := range []string{"0", "-0.0001", "12.5", "9999999999.9999", "-9999999999.9999"} {
		amount, err := store.ParseAmount(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := amount.Sum(); !reflect.DeepEqual(got, sum(text)) {
			t.Errorf("%s: got %s", text, got)
		}
	}
	most := store.MinorUnits(math.MaxInt64) // its ten-thousandths do not fit into an int64
	if got := most.Sum(); got.String() != most.String() {
		t.Errorf("got %s, want %s", got, most)
	}
}

func TestSum_AddsExactly(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var s store.Sum
	exact := new(big.Rat)
	for range 1000 {
		a := store.Amount{}.Minus(store.MinorUnits(random.Int64N(2_000_000_000_000) - 1_000_000_000_000))
		s = s.Plus(a.Sum())
		added, _ := new(big.Rat).SetString(a.String())
		exact.Add(exact, added)
		if got, _ := new(big.Rat).SetString(s.String()); got.Cmp(exact) != 0 || s.Sign() != exact.Sign() || s.Negative().Sign() != -exact.Sign() {
			t.Fatalf("got %s, want %s", s, exact.FloatString(4))
		}
	}
	if !reflect.DeepEqual(s.Plus(s.Negative()), store.Sum{}) {
		t.Error("s − s: got a different value, want the zero Sum")
	}
}

func TestSum_Formats(t *testing.T) {
	for text, want := range map[string]struct {
		fixed string
		whole int
	}{
		"0": {"0.00", 0}, "0.5": {"0.50", 1}, "-0.001": {"0.00", 0}, "1.005": {"1.01", 1}, "-1.005": {"-1.01", -1}, "12500000000": {"12500000000.00", 12_500_000_000},
		"760.95": {"760.95", 761}, "-760.5": {"-760.50", -761}, "760.4999": {"760.50", 760},
		"1000000000000000001": {"1000000000000000001.00", maxWhole}, "-" + strings.Repeat("9", 30): {"-" + strings.Repeat("9", 30) + ".00", -maxWhole},
	} {
		if s := sum(text); string(s.AppendFixed(nil, 2)) != want.fixed || s.Whole() != want.whole {
			t.Errorf("%s: got %s and %d, want %s and %d", text, s.AppendFixed(nil, 2), s.Whole(), want.fixed, want.whole)
		}
	}
	if text, err := json.Marshal(sum("-1.05")); err != nil || string(text) != "-1.05" {
		t.Errorf("JSON: got %s, %v, want -1.05", text, err)
	}
}

// TestEncode_RejectsValuesThatDecodeCannotRead encodes values at their limits and beyond.
// Encode must reject the amounts and numbers beyond their limits. Decode must accept the
// other items.
func TestEncode_RejectsValuesThatDecodeCannotRead(t *testing.T) {
	most := amount("9999999999.9999")
	order := func(total store.Amount, items int) store.Entity {
		return &store.Order{ID: "1", CustomerID: "1", Date: at("2026-01-01T00:00:00Z"), Total: total, ItemCount: items, Version: 1}
	}
	for name, tt := range map[string]struct {
		entity  store.Entity
		refused bool
	}{
		"largest amount":     {order(most, 1), false},
		"amount too large":   {order(most.Plus(amount("0.0001")), 1), true},
		"negative too large": {order(store.Amount{}.Minus(most).Minus(most), 1), true},
		"largest number":     {order(most, table.MaxNumber), false},
		"number too large":   {order(most, table.MaxNumber+1), true},
		"large version":      {&store.Order{ID: "1", CustomerID: "1", Date: at("2026-01-01T00:00:00Z"), Version: table.MaxNumber + 1}, false},
		"large counts":       {&store.JobRun{Job: store.PaymentsJob, Date: at("2026-11-30T00:00:00Z"), Due: 1e10, JobCounts: store.JobCounts{1e10, 1e10, 1e10, 1e10, sum("1" + strings.Repeat("0", 33))}, Version: 1e10}, false},
		"large total":        {&store.Total{Kind: store.TotalOrders, Day: at("2026-11-30T00:00:00Z"), Count: 1e15, Amount: sum(strings.Repeat("9", 34) + ".9999"), Version: 1e15}, false},
		"large quota":        {&store.Quota{EmployeeID: "1", Period: store.Quarter{2026, 4}, OrderTotal: sum(strings.Repeat("9", 34)), Orders: 1e15, Version: 1e15}, false},
		"large store":        {&store.RentalStore{ID: "1", In: 1e10, Out: 1e10, Repair: 1e10, Version: 1e10}, false},
		"large user":         {&store.Session{Hash: "1", User: store.User{Name: "x"}, UserVersion: 1e10}, false},
	} {
		item, err := store.Encode(tt.entity, 15)
		if tt.refused {
			if store.KindOf(err) != store.Invalid {
				t.Errorf("%s: got %v, want Invalid", name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := store.Decode(item); err != nil {
			t.Errorf("%s: got an item that cannot be decoded, want the same value back: %v", name, err)
		}
	}
}
