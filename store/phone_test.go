package store_test

import (
	"testing"

	"stockroom/store"
)

func TestCheckFields_Phone(t *testing.T) {
	check := func(text string) bool {
		c := &store.Customer{Name: "Kim", Phones: []string{text}}
		return store.CheckFields(c, func(string) bool { return true }) == nil
	}
	for _, text := range []string{"12345", "+46 70 555 01 42", "(0)31-555 01.00", "030/123456", "+46\u00a070\u00a05550142", "555-0100 ext. 12", "555 0100x7", "5550100 #3", "555-0100 Extension: 9"} {
		if !check(text) {
			t.Errorf("%q: got rejected, want accepted", text)
		}
	}
	for _, text := range []string{"1234", "123456789012345678901", "call me", "555-0100 ask for Kim", "555-0100 ext", "<b>55501", "5550100 ext 12345678901", "555_0100", "x12345"} {
		if check(text) {
			t.Errorf("%q: got accepted, want rejected", text)
		}
	}
}
