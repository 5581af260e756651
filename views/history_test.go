package views_test

import (
	"testing"

	"stockroom/views"
)

func TestRecordName(t *testing.T) {
	for partition, want := range map[string]string{
		"o#12345": "Order 12345", "c#7": "Customer 7", "p#1": "Product 1", "w#2": "Warehouse 2", "user#kim": "User kim",
		"e#9": "Employee 9", "ACC#7": "Account 7", "v1#inventory#inventoryULID#01H": "Kayak 01H", "v1#store#storeULID#01S": "Store 01S",
		"v1#person#personULID#01P": "Person 01P", "settings": "Settings", "views": "Shared views", "job#payments": "Payments job",
		"job#reminders": "Reminders job", "": "–", "other#x": "other#x", "o#": "o#",
	} {
		if got := views.RecordName(partition); got != want {
			t.Errorf("%q: got %q, want %q", partition, got, want)
		}
	}
}
