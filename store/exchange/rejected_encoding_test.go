package exchange_test

import (
	"strings"
	"testing"

	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

// TestImport_OfRepairedRowsWithEncoding corrects a rejected row of a file in an encoding
// other than UTF-8, and imports the file of rejected rows with the same options. The
// import must read it as UTF-8, because it begins with a byte order mark. Rejected rows
// of a UTF-8 file must have no such mark.
func TestImport_OfRepairedRowsWithEncoding(t *testing.T) {
	const latin, name = "CustomerID,Name\n,M\xfcller\n", "customers.csv"
	m, err := exchange.ReadMapping("m.yaml", strings.NewReader("encoding: windows-1252\nfiles:\n  customers.csv:\n    entity: customers\n    columns: {CustomerID: CustomerID, Name: Name}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []exchange.File{newFile(name, latin), {Encoding: "windows-1252"}, {Encoding: "latin-1"}, {Mapping: m}} {
		file.Name = name
		s := storetest.Open(t, storetest.NewClock())
		var out strings.Builder
		read := func(content string) int {
			file.Content = strings.NewReader(content)
			sources, err := exchange.Open([]exchange.File{file}, "")
			if err != nil {
				t.Fatal(err)
			}
			result, err := exchange.Import(t.Context(), s, sources[0], exchange.ImportOptions{Rejected: func(rows []exchange.RejectedRow) error {
				return writeRejected(&out, file.Name, rows)
			}})
			if err != nil {
				t.Fatal(err)
			}
			return result.Sum().Added
		}
		if file.Encoding == "" && file.Mapping == nil {
			if read(strings.ReplaceAll(latin, "\xfc", "\u00fc")); strings.HasPrefix(out.String(), "\ufeff") {
				t.Errorf("UTF-8: got %q, want no byte order mark", out.String())
			}
			continue
		}
		read(latin)
		if !strings.HasPrefix(out.String(), "\ufeff") {
			t.Errorf("%s: got %q, want a byte order mark", file.Encoding, out.String())
		}
		file.Name += ".rejected.csv"
		added := read(strings.Replace(out.String(), "\n,M", "\n1,M", 1))
		customer, err := s.As(importAdmin).Customer(t.Context(), "1")
		if err != nil || added != 1 || customer.Name != "M\u00fcller" {
			t.Errorf("%s: got %d added, %+v, %v, want M\u00fcller", file.Encoding, added, customer, err)
		}
	}
}
