package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAudit checks that the history of an import can be sealed, verified and exported. It
// then cuts off the end of the exported file, as if the export had been killed. The next
// export must complete the file.
func TestAudit(t *testing.T) {
	folder := t.TempDir()
	run(t, "import", "-data", folder, save(t, filepath.Join(folder, "warehouses.csv"), "WarehouseID,Name\n12345,Malmö\n")).want(t, exitDone)
	run(t, "audit", "verify", "-data", folder).want(t, exitFailed, "cannot use the key that seals the history")
	// wantProblem runs 'audit verify', and fails the test unless the command prints the
	// problem.
	wantProblem := func(env environment, problem string, flags ...string) {
		t.Helper()
		r := runWith(t, env, "", append([]string{"audit", "verify", "-data", folder}, flags...)...)
		r.want(t, exitFailed, "the history does not match its seals")
		if !strings.Contains(r.stdout, problem) {
			t.Errorf("got no problem %q in:\n%s", problem, r.stdout)
		}
	}
	keyed := environment{auditKeyVariable: strings.Repeat("k", 40)}
	runWith(t, environment{auditKeyVariable: "short"}, "", "audit", "verify", "-data", folder).want(t, exitUsage, "at least 32 characters")
	wantProblem(keyed, "the table has no seal")
	runWith(t, keyed, "", "audit", "seal", "-from", "yesterday", "-data", folder).want(t, exitUsage, "enter a day such as")
	runWith(t, keyed, "", "audit", "seal", "-data", folder).want(t, exitDone, "Days sealed: 1", "Newest seal: ")
	runWith(t, keyed, "", "audit", "seal", "-data", folder).want(t, exitDone, "Days sealed: 0")
	runWith(t, keyed, "", "audit", "verify", "-data", folder).want(t, exitDone, "Sealed days: 1, from ", "Newest seal: ")
	wantProblem(environment{auditKeyVariable: strings.Repeat("x", 40)}, "sealed with another key")

	output := filepath.Join(t.TempDir(), "history.jsonl")
	run(t, "audit", "export", "-data", folder, "-output", output).want(t, exitDone)
	text, err := os.ReadFile(output)
	if err != nil {
		t.Fatal(err)
	}
	types, imported := map[string]int{}, false
	for line := range bytes.Lines(text) {
		var l struct {
			Type  string
			Event struct{ Sentence string }
		}
		if err := json.Unmarshal(line, &l); err != nil {
			t.Fatalf("line %s: got error %v", line, err)
		}
		types[l.Type]++
		imported = imported || strings.HasPrefix(l.Event.Sentence, "Imported warehouses.csv")
	}
	if types["seal"] != 1 || !imported || len(types) != 2 {
		t.Errorf("got lines %v, want 1 seal and the event of the import", types)
	}
	// A killed export leaves an incomplete last line.
	if err := os.WriteFile(output, text[:len(text)-20], 0o600); err != nil {
		t.Fatal(err)
	}
	run(t, "audit", "export", "-data", folder, "-output", output).want(t, exitDone)
	if again, err := os.ReadFile(output); err != nil || !bytes.Equal(again, text) {
		t.Errorf("after a killed export: got %d bytes, error %v, want the same %d bytes", len(again), err, len(text))
	}
	runWith(t, keyed, "", "audit", "verify", "-data", folder, "-copy", output).want(t, exitDone)
	falsified := strings.Replace(string(text), `"MAC":"`, `"MAC":"00`, 1)
	wantProblem(keyed, "the seal differs from the copy", "-copy", save(t, output, falsified))
	run(t, "audit", "export", "-data", folder, "-output", save(t, output, "{\"a\":1}\n")).want(t, exitFailed, "audit export' did not write")
	run(t, "audit", "export", "-data", folder, "-follow", "-to", "2026-11-20").want(t, exitUsage, "use either -follow or -to")
}
