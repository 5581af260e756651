package store

import "testing"

func TestIsPhone(t *testing.T) {
	for _, text := range []string{"12345", "+46 70 555 01 42", "(0)31-555 01.00", "030/123456", "+46\u00a070\u00a05550142", "555-0100 ext. 12", "555 0100x7", "5550100 #3", "555-0100 Extension: 9"} {
		if !isPhone(text) {
			t.Errorf("%q: got false, want true", text)
		}
	}
	for _, text := range []string{"", "1234", "123456789012345678901", "call me", "555-0100 ask for Kim", "555-0100 ext", "<b>55501", "5550100 ext 12345678901", "555_0100", "x12345"} {
		if isPhone(text) {
			t.Errorf("%q: got true, want false", text)
		}
	}
}

func TestCustomerFields_KeepStoredPhone(t *testing.T) {
	before := &Customer{Phones: []string{"ask Kim"}}
	for number, want := range map[string]bool{"ask Kim": true, "+46 70 555 01 42": true, "ask Bo": false} {
		err := CustomerFields.checkPhones(before, &Customer{Phones: []string{number}})
		if (err == nil) != want {
			t.Errorf("%s: got %v", number, err)
		}
	}
}
