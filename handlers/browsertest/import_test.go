package browsertest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
)

const northwind = "../../store/exchange/testdata/northwind/"

// choose selects files in the form's file field.
func (b *tab) choose(paths ...string) {
	b.Helper()
	for i, path := range paths {
		absolute, err := filepath.Abs(path)
		if err != nil {
			b.Fatal(err)
		}
		paths[i] = absolute
	}
	b.do(chromedp.SetUploadFiles(field("files"), paths))
}

// press clicks a button that does not change the URL, and waits until the page contains
// text.
func (b *tab) press(button, text string) {
	b.Helper()
	b.button(button)
	b.waitText(text)
}

// TestImport_WholeTask checks that files from another program can be imported:
// uploading, matching the columns, the dry run, the import, and opening an imported
// customer from the history.
func TestImport_WholeTask(t *testing.T) {
	for _, sc := range []screen{{width: 1280}, {width: 390, dark: true, noScript: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			b := open(t, serve(t), sc)
			b.signIn("admin")
			b.visit("/data/import")
			b.check("upload", sc)
			regions := filepath.Join(t.TempDir(), "regions.csv")
			if err := os.WriteFile(regions, []byte("RegionID,Name\nr1,North\n,Nowhere\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			b.choose(northwind+"customers.csv", northwind+"products.csv", regions)
			b.button("Upload files")
			b.wantText("Match columns", "companyName", "Ahlgren Livs", "categoryID")
			b.check("columns", sc)
			if hidden := retry(b, chromedp.Evaluate[int](`Math.max(...[...document.querySelectorAll(".scroll:has(select)")].map((table) => table.scrollWidth - table.clientWidth))`)); hidden > 0 {
				b.Errorf("columns: %d px of a table are cut off", hidden)
			}
			b.do(
				chromedp.SetValue(field("column-0-1"), "Name"),               // the column companyName
				chromedp.SetValue(field("column-0-2"), ""),                   // the column contactName
				chromedp.SetValue(field("column-1-4"), "Detail.Description"), // the column quantityPerUnit
			)
			b.button("Continue to dry run")
			b.wantText("Columns matched.", "Start dry run")
			b.check("options", sc)
			b.press("Start dry run", "Dry run results")
			b.wantText("Nothing was changed.", "customers.csv", "RegionID is missing")
			b.check("dry run", sc)
			b.press("Import", "Import results")
			b.wantText("regions.csv.rejected.csv")
			b.check("result", sc)
			b.visit("/customers/AHLGR")
			b.wantText("Ahlgren Livs")
			b.visit("/data/import")
			b.wantText("customers.csv, products.csv, regions.csv", "Done")
			b.visit("/admin/events?by=admin")
			b.wantText("Imported customers.csv, products.csv, regions.csv")
			b.visit("/data/import")
			b.choose(northwind + "customers.csv")
			b.button("Upload files")
			b.wantText("Start dry run") // without matching the columns again, because the mapping is remembered
		})
	}
}

// TestImport_DropsFiles checks that files can be dropped onto the file field.
func TestImport_DropsFiles(t *testing.T) {
	b := open(t, serve(t), screen{width: 1280})
	b.signIn("admin")
	b.visit("/data/import")
	if chosen := run(b, chromedp.Evaluate[int](`(() => {
		const files = new DataTransfer();
		files.items.add(new File(["RegionID,Name\nr9,North\n"], "regions.csv"));
		files.items.add(new File(["CustomerID,Name\nn1,Kim\n"], "customers.csv"));
		for (const type of ["dragover", "drop"])
			document.querySelector("[data-drop] .hint").dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: files}));
		return document.querySelector("[name=files]").files.length;
	})()`)); chosen != 2 {
		t.Errorf("got %d chosen files, want 2", chosen)
	}
	b.button("Upload files")
	b.wantText("Import regions.csv, customers.csv", "Start dry run")
}

// TestImportColumns_SuggestsForChosenEntity chooses the entity of a file that Stockroom
// does not recognize. The page must then suggest columns: immediately, or without
// JavaScript after a click on a button.
func TestImportColumns_SuggestsForChosenEntity(t *testing.T) {
	for _, sc := range []screen{{width: 1280}, {width: 390, noScript: true}} {
		t.Run(sc.String(), func(t *testing.T) {
			b := open(t, serve(t), sc)
			b.signIn("admin")
			b.visit("/data/import")
			things := filepath.Join(t.TempDir(), "sachen.csv")
			if err := os.WriteFile(things, []byte("Anr;Bez;Preis\nA1;Lampe;12,50\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			b.choose(things)
			b.button("Upload files")
			b.wantText("Do not import this file")
			b.do(chromedp.SetValue(field("entity-0"), "products"))
			if sc.noScript {
				b.button("Update preview")
			} else {
				run(b, chromedp.Evaluate[bool](`document.querySelector("[name=entity-0]").dispatchEvent(new Event("change", {bubbles: true}))`))
			}
			b.waitFor(chromedp.Evaluate[bool](`document.querySelector("[name=column-0-2]")?.value === "Price"`), "the suggested column Price")
			b.wantText("Preview of sachen.csv", "1 of 3 columns matched")
			b.do(
				chromedp.SetValue(field("column-0-0"), "ProductID"),
				chromedp.SetValue(field("column-0-1"), "Detail.Name"),
			)
			b.button("Continue to dry run")
			b.wantText("Columns matched.", "Start dry run")
		})
	}
}
