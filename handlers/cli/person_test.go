package cli

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/demo"
	"stockroom/store/storetest"
)

// TestPersonExport exports everything about a customer of the demo business. The zip
// file must contain all items of the table that name the customer, except derived items
// such as totals.
func TestPersonExport(t *testing.T) {
	folder := t.TempDir()
	run(t, "table", "create", "-data", folder).want(t, exitDone)
	db := storetest.EmbeddedAt(t, folder, clock)
	if err := demo.Load(t.Context(), store.New(db, "OnlineShop", clock.Now), demo.Small); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	const id = "20001"
	output := filepath.Join(t.TempDir(), "person.zip")
	run(t, "person", "export", id, "-data", folder).want(t, exitUsage, "needs -output FILE or -dry-run")
	run(t, "person", "export", "nobody", "-dry-run", "-data", folder).want(t, exitFailed, "No person found with the ID nobody.")
	run(t, "person", "export", id, "-dry-run", "-data", folder).want(t, exitDone, "records in orders.json", "nothing was written")
	before := readItems(t, folder)
	run(t, "person", "export", id, "-output", output, "-data", folder).want(t, exitDone, "Exported everything about "+id)
	run(t, "person", "export", id, "-output", output, "-data", folder).want(t, exitFailed, "already exists")

	wanted := map[string]int{} // number of items that name the customer, by entity type
	for _, item := range before {
		text := fmt.Sprint(flat(item))
		kind := fmt.Sprint(flat(item)["EntityType"])
		if strings.Contains(text+" ", "c#"+id+" ") || strings.Contains(text, "ACC#"+id+" ") || strings.Contains(text, "personULID#"+id) {
			wanted[kind]++
		}
	}
	for _, derived := range []string{"searchWord", "total", "jobResult"} {
		delete(wanted, derived)
	}
	exported := map[string]int{}
	archive, err := zip.OpenReader(output)
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	name := ""
	for _, entry := range archive.File {
		file, err := entry.Open()
		if err != nil {
			t.Fatal(err)
		}
		var records []struct {
			Type   string
			Record struct{ ID, Name, What string }
		}
		if err := json.NewDecoder(file).Decode(&records); err != nil {
			t.Fatalf("%s: got error %v", entry.Name, err)
		}
		for _, r := range records {
			exported[r.Type]++
			if r.Type == "customer" && r.Record.ID == id {
				name = r.Record.Name
			}
			if r.Type == "user" || r.Type == "session" {
				t.Errorf("%s: got a record of the type %s", entry.Name, r.Type)
			}
		}
	}
	for kind, n := range wanted {
		if exported[kind] < n {
			t.Errorf("got %d records of the type %s, want at least the %d that name the customer", exported[kind], kind, n)
		}
	}
	if name == "" || wanted["order"] == 0 || wanted["invoice"] == 0 {
		t.Errorf("got name %q and %v in the table, want a customer with orders and invoices", name, wanted)
	}
	history := run(t, "audit", "export", "-data", folder)
	history.want(t, exitDone, "Personal data exported")
	if n := strings.Count(history.stdout, "Personal data exported"); n != 1 {
		t.Errorf("got %d events of the export, want 1: the second export did not write its file", n)
	}
}

// TestPersonErase erases a customer without orders: first with -dry-run, and then twice
// without it. Afterwards, no item may contain the customer's name.
func TestPersonErase(t *testing.T) {
	folder := createSample(t)
	run(t, "person", "erase", "nobody", "-data", folder).want(t, exitFailed, "No person found with the ID nobody.")
	run(t, "import", "-data", folder, save(t, filepath.Join(t.TempDir(), "customers.csv"), "CustomerID,Name,Email\n777,Ottilie Zweig,ottilie@zweig.example\n")).want(t, exitDone)
	run(t, "person", "erase", "777", "-dry-run", "-data", folder).want(t, exitDone, "1 record in profile", "Dry run: nothing was changed.")
	run(t, "person", "erase", "777", "-data", folder).want(t, exitDone, "Erased the personal data of 777.")
	if text := fmt.Sprint(readItems(t, folder)); strings.Contains(strings.ToLower(text), "zweig") {
		t.Error("got an item with the name, want none")
	}
	run(t, "person", "erase", "777", "-data", folder).want(t, exitDone, "was already erased")
}

// flat returns the texts and numbers of an item as strings.
func flat(item map[string]any) map[string]string {
	texts := map[string]string{}
	for name, value := range item {
		text, err := json.Marshal(value)
		if err != nil {
			continue
		}
		var member struct{ Value any }
		if json.Unmarshal(text, &member) == nil {
			if s, ok := member.Value.(string); ok {
				texts[name] = s
			}
		}
	}
	return texts
}
