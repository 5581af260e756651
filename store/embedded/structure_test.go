package embedded_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"stockroom/store/embedded"
)

const filePage = 4096 // page size in bytes

// rootOfItems returns the number of the items' root page, which is a branch page, and
// its offset in the file.
func rootOfItems(t *testing.T, dir string) (page, at int) {
	t.Helper()
	bolt, err := bbolt.Open(file(dir), 0o600, &bbolt.Options{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	err = errors.Join(bolt.View(func(tx *bbolt.Tx) error {
		page = int(tx.Bucket([]byte("items/\x00\x00\x00\x01")).Root())
		return nil
	}), bolt.Close())
	if err != nil {
		t.Fatal(err)
	}
	return page, page * filePage
}

// TestCheck_ReportsPageCycles creates cycles of pages, in which bbolt would loop forever,
// and a leaf that overflows into other pages. Check must report them and end, and Restore
// must reject the file.
func TestCheck_ReportsPageCycles(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(data []byte, page, at int)
	}{
		{"branch points to itself", func(data []byte, page, at int) {
			binary.NativeEndian.PutUint64(data[at+16+8:], uint64(page))
		}},
		{"last element of branch points to it", func(data []byte, page, at int) {
			count := int(binary.NativeEndian.Uint16(data[at+10:]))
			binary.NativeEndian.PutUint64(data[at+16*count+8:], uint64(page))
		}},
		{"branch points to itself, keys out of order", func(data []byte, page, at int) {
			binary.NativeEndian.PutUint64(data[at+16+8:], uint64(page))
			copy(data[at+16:at+16+8], data[at+32:at+32+8])
		}},
		{"leaf overflows into other pages", func(data []byte, _, at int) {
			leaf := int(binary.NativeEndian.Uint64(data[at+16+8:]))
			binary.NativeEndian.PutUint32(data[leaf*filePage+12:], 3)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := populatedStore(t, 1000)
			page, at := rootOfItems(t, dir)
			data, err := os.ReadFile(file(dir))
			if err != nil {
				t.Fatal(err)
			}
			c.damage(data, page, at)
			if err := os.WriteFile(file(dir), data, 0o600); err != nil {
				t.Fatal(err)
			}
			db := open(t, dir)
			if found := strings.Join(problems(t, db), "\n"); !strings.Contains(found, "values were not checked: the pages may form a cycle") {
				t.Errorf("got problems %q, want a cycle", found)
			}
			if err := embedded.Restore(t.Context(), t.TempDir(), newTestClock().now, "the backup", bytes.NewReader(data)); !errors.Is(err, embedded.ErrDamaged) {
				t.Errorf("Restore: got %v, want ErrDamaged", err)
			}
		})
	}
}
