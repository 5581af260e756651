package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestImport_RefusesItsRejectedFile imports a file together with the corrected file of its
// rejected rows. The program must refuse this, because the import would overwrite the
// corrected file.
func TestImport_RefusesItsRejectedFile(t *testing.T) {
	folder := t.TempDir()
	file := save(t, filepath.Join(folder, "customers.csv"), "CustomerID,Name\n,Kim\n")
	corrected := save(t, file+".rejected.csv", "CustomerID,Name,Reason\n1,Kim,x\n")
	run(t, "import", file, filepath.Join(folder, ".", "customers.csv.rejected.csv"), "-data", filepath.Join(folder, "data")).want(t, exitUsage, "import them separately")
	if content, err := os.ReadFile(corrected); err != nil || !strings.Contains(string(content), "1,Kim") {
		t.Errorf("got %q, %v, want the corrected rows", content, err)
	}
}

// TestImport_DryRunKeepsRejectedFile makes dry runs with and without rejected rows. They
// must not change the file with the rejected rows of an earlier import.
func TestImport_DryRunKeepsRejectedFile(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", t.TempDir())
	data, file := filepath.Join(folder, "data"), filepath.Join(folder, "customers.csv")
	corrected := save(t, file+".rejected.csv", "corrected")
	for _, rows := range []string{"1,Kim\n", ",Kim\n"} {
		save(t, file, "CustomerID,Name\n"+rows)
		got := run(t, "import", "-dry-run", file, "-data", data)
		if content, err := os.ReadFile(corrected); err != nil || string(content) != "corrected" {
			t.Errorf("got %q, %v, want the file as it was", content, err)
		}
		if strings.HasPrefix(rows, ",") {
			got.want(t, exitFailed, "see the reasons in "+os.TempDir())
		}
	}
	run(t, "import", file, "-data", data).want(t, exitFailed, "see the reasons in "+corrected)
	if content, err := os.ReadFile(corrected); err != nil || !strings.Contains(string(content), "CustomerID is missing") {
		t.Errorf("got %q, %v, want the rows of the import", content, err)
	}
	if left, err := filepath.Glob(file + "*"); err != nil || len(left) != 2 {
		t.Errorf("got files %q, %v, want 2", left, err)
	}
}
