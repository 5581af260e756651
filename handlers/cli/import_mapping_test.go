package cli

import (
	"path/filepath"
	"testing"
)

func TestImport_Mapping(t *testing.T) {
	folder := t.TempDir()
	data := filepath.Join(folder, "data")
	lamps := save(t, filepath.Join(folder, "lamps.csv"), "nr;title;cost\n1;Lamp;1.234,50\n2;Desk lamp;9\n")
	notes := save(t, filepath.Join(folder, "notes.csv"), "text\n")
	mapping := save(t, filepath.Join(folder, "mapping.yaml"), `
files:
  lamps.csv: {entity: products, decimal: ",", columns: {nr: ProductID, title: Detail.Name, cost: Price}}
  notes.csv: {entity: none}
`)
	run(t, "import", "-map", mapping, "-dry-run", lamps, "-data", data).want(t, exitDone, "2 would be added")
	run(t, "import", "-map", mapping, lamps, notes, "-data", data).want(t, exitDone, "lamps.csv: 2 added", "notes.csv: not imported; ")
	run(t, "import", lamps, "-data", data).want(t, exitFailed, "lamps.csv: unknown CSV file name", "or use a mapping")
	run(t, "import", "-map", save(t, filepath.Join(folder, "bad.yaml"), "files:\n  x: 1\n"), lamps, "-data", data).want(t, exitFailed, "bad.yaml, line 2: keys with values are expected here")
	run(t, "import", "-map", filepath.Join(folder, "none.yaml"), lamps, "-data", data).want(t, exitFailed, "cannot read ", "none.yaml")
}
