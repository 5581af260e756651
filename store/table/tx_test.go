package table

import "testing"

// TestAdd_WithoutCounts adds a sum but no count. The version must still increase.
func TestAdd_WithoutCounts(t *testing.T) {
	x := New(nil, "T", boats).NewTx(1)
	x.Add(&boat{ID: "1"}, Addition{Sums: map[string]string{"Price": "1"}})
	if len(x.items) != 1 || x.err != nil {
		t.Errorf("got %d actions, error %v; want 1", len(x.items), x.err)
	}
}
