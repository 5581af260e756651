package exchange

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"stockroom/store"
)

type memoryFile struct{ *bytes.Buffer }

func (memoryFile) Close() error { return nil }

// TestDynamoOutput_Parts checks the size of the parts, their gzip headers and the
// parameters of the table.
func TestDynamoOutput_Parts(t *testing.T) {
	files := map[string]*bytes.Buffer{}
	out, err := openDynamoOutput(ExportOptions{Format: FormatDynamoDB, Table: "Shop", Create: func(name string) (io.WriteCloser, error) {
		files[name] = &bytes.Buffer{}
		return memoryFile{files[name]}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	out.(*dynamoOutput).maxPart = 100
	var want strings.Builder
	for i := range 10 {
		line := fmt.Sprintf(`{"Item":{"PK":{"S":"c#%d"}}}`+"\n", i)
		want.WriteString(line)
		if err := out.write(0, []byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	if err := out.close(); err != nil {
		t.Fatal(err)
	}
	var parameters tableParameters
	if err := json.Unmarshal(files["table.json"].Bytes(), &parameters); err != nil || parameters.TableName != "Shop" || len(parameters.GlobalSecondaryIndexes) != store.IndexCount {
		t.Errorf("table.json: got %+v, %v, want the table Shop with all indexes", parameters, err)
	}
	delete(files, "table.json")
	var got strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		zip, err := gzip.NewReader(files[name])
		if err != nil {
			t.Fatal(err)
		}
		part, err := io.ReadAll(zip)
		if err != nil || len(part) > 100 || !zip.ModTime.IsZero() {
			t.Errorf("%s: got %d bytes, time %v, %v; want at most 100 bytes and no time", name, len(part), zip.ModTime, err)
		}
		got.Write(part)
	}
	if got.String() != want.String() || len(files) != 4 {
		t.Errorf("got %d files, content %s, want the four files with all items", len(files), got.String())
	}
}
