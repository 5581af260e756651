package handlers

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"stockroom/store/exchange"
	"stockroom/store/imports"
)

const articles = "Anr;Bez;Eur;Lgr\nA1;Lampe;1.234,50;x\nA2;Tisch;9,00;y\n"

// TestImportColumns_MatchAndRemember matches the columns of a file and imports the file.
// It then uploads another file with the same header. The program must remember the
// mapping.
func TestImportColumns_MatchAndRemember(t *testing.T) {
	admin := open(t).as(t, "admin")
	path := admin.uploaded(file{"sachen.csv", articles})
	if got := admin.get(path); got.location != path+"/columns" {
		t.Fatalf("got status %d to %q, want the columns", got.status, got.location)
	}
	admin.get(path+"/columns").want(t, http.StatusOK, "sachen.csv", "Do not import this file")
	token := func() []string { return []string{admin.token("/data/import")} }

	entity := admin.post(path+"/columns", url.Values{"once": token(), "entity-0": {"products"}})
	if entity.location != path+"/columns" && entity.location != path {
		t.Fatalf("got status %d to %q\n%s", entity.status, entity.location, entity.body)
	}
	admin.get(path+"/columns").want(t, http.StatusOK, "Anr", "A1, A2", "Preview of sachen.csv", "Required, but not matched with a column.")
	form := url.Values{
		"once": token(), "entity-0": {"products"}, "remember": {"yes"},
		"column-0-0": {"ProductID"}, "column-0-1": {"Detail.Name"}, "column-0-2": {"Price"}, "column-0-3": {""},
	}
	preview := url.Values{"preview": {"yes"}}
	for name, values := range form {
		preview[name] = values
	}
	if got := admin.post(path+"/columns", preview); got.location != path+"/columns" {
		t.Errorf("preview: got status %d to %q, want the columns again", got.status, got.location)
	}
	admin.get(path+"/columns").want(t, http.StatusOK, "<td class=\"cell\" dir=\"auto\">Lampe</td>", "Left out")
	form["once"] = token()
	if got := admin.post(path+"/columns", form); got.location != path {
		t.Fatalf("got status %d to %q, want the dry run\n%s", got.status, got.location, got.body)
	}
	mapping := admin.get(path + "/mapping")
	mapping.want(t, http.StatusOK, "entity: products", "Anr: ProductID", "Lgr")
	if got := mapping.header.Get("Content-Disposition"); got != "attachment; filename=mapping.yaml" {
		t.Errorf("got Content-Disposition %q, want the file mapping.yaml", got)
	}
	admin.submit(path, "dry-run", nil).want(t, http.StatusOK, "Dry run results", `<td class="num p2">2</td><td class="num">2</td>`)
	admin.submit(path, "run", nil).want(t, http.StatusOK, "Import results")
	admin.get("/products/A1").want(t, http.StatusOK, "Lampe", "1,234.50")

	again := admin.uploaded(file{"neue.csv", strings.Replace(articles, "A1", "A9", 1)})
	const remembered = "are matched as in an earlier import."
	admin.get(again).want(t, http.StatusOK, "Start dry run", "Match columns", remembered)
	admin.get(again+"/mapping").want(t, http.StatusOK, "neue.csv", "Anr: ProductID")
	admin.get(again+"/columns").want(t, http.StatusOK, remembered)

	if got := admin.post(again+"/columns", url.Values{"once": token(), "suggest": {"yes"}}); got.location != again+"/columns" {
		t.Fatalf("match again: got status %d to %q, want the columns", got.status, got.location)
	}
	if page := admin.get(again + "/columns").body; strings.Contains(page, remembered) {
		t.Errorf("match again: got the message about a remembered mapping: %s", content(page))
	}
	if mapping := admin.get(again + "/mapping").body; strings.Contains(mapping, "Anr: ProductID") {
		t.Errorf("match again: got the remembered mapping, want a suggestion: %s", mapping)
	}
}

// TestImportColumns_MasksOnlyCards checks that the columns, the preview and the reasons for
// rejected rows mask card numbers but show product codes.
func TestImportColumns_MasksOnlyCards(t *testing.T) {
	admin := open(t).as(t, "admin")
	const ean, upc, card = "4006381333931", "036000291452", "4111 1111 1111 1111"
	path := admin.uploaded(file{"sachen.csv", "Product ID,Name,Price,EAN\nA1,Lamp " + upc + "," + ean + "x," + ean + "\nA2,Table " + card + ",5," + card + "\n"})
	page := admin.get(path + "/columns").body
	for _, code := range []string{ean, "Lamp " + upc, ean + "x"} {
		if !strings.Contains(page, code) {
			t.Errorf("got no %q, want it unmasked: %s", code, content(page))
		}
	}
	if strings.Contains(page, card) || !strings.Contains(page, "•••• 1111") {
		t.Errorf("got the card number, want only its last digits: %s", content(page))
	}
}

// TestImportColumns_RejectsBadMapping saves invalid mappings. The page must say what is
// wrong.
func TestImportColumns_RejectsBadMapping(t *testing.T) {
	admin := open(t).as(t, "admin")
	path := "/data/import/" + unmatchedUpload
	for text, want := range map[string]string{
		"files: {artikel.csv: {entity: shoes}}":                         "unknown entity “shoes”",
		"files: {artikel.csv: {entity: products, columns: {Preis: X}}}": "unknown attribute “X”",
		"[": "did not find expected node content",
	} {
		got := admin.post(path+"/mapping", url.Values{"once": {admin.token("/data/import")}, "mapping": {text}})
		got.want(t, http.StatusUnprocessableEntity, "mapping.yaml", want)
	}
	admin.post(path+"/mapping", url.Values{"once": {admin.token("/data/import")}, "mapping": {" "}})
	admin.get(path+"/columns").want(t, http.StatusOK, "artikel.csv") // a mapping of only blanks counts as empty
	got := admin.post(path+"/mapping", url.Values{"once": {admin.token("/data/import")}, "mapping": {"files: {artikel.csv: {entity: products, columns: {Artikelnr: ProductID}}}"}})
	if got.location != path+"/columns" {
		t.Fatalf("got status %d to %q, want %q", got.status, got.location, path+"/columns")
	}
	// Two columns of the file are neither matched nor ignored.
	admin.get(path+"/columns").want(t, http.StatusOK, "unknown columns", "Bezeichnung", "Not matched")
	got = admin.post(path+"/columns", url.Values{"once": {admin.token("/data/import")}, "entity-0": {"products"}})
	got.want(t, http.StatusUnprocessableEntity, "unknown columns")
}

// TestImportColumns_RejectsAttributeOfTwoColumns matches two columns with the same
// attribute. The mapping must be rejected until one of them is changed.
func TestImportColumns_RejectsAttributeOfTwoColumns(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	path := admin.uploaded(file{"sachen.csv", articles})
	id := strings.TrimPrefix(path, "/data/import/")
	if err := b.imports.SetMapping(id, "", "files: {sachen.csv: {entity: products, columns: {Anr: ProductID, Eur: Price}, ignore: [Lgr, Bez]}}", false); err != nil {
		t.Fatal(err)
	}
	form := url.Values{"once": {admin.token("/data/import")}, "entity-0": {"products"}, "column-0-1": {"Price"}}
	admin.post(path+"/columns", form).want(t, http.StatusUnprocessableEntity, "Price already has a value", "Continue to dry run")
	admin.get(path+"/columns").want(t, http.StatusOK, "Continue to dry run")
	if err := b.imports.SetMapping(id, "", "files: {sachen.csv: {entity: products, columns: {Anr: ProductID}}}", false); err != nil {
		t.Fatal(err)
	}
	form = url.Values{"once": {admin.token("/data/import")}, "entity-0": {"products"}}
	admin.post(path+"/columns", form).want(t, http.StatusUnprocessableEntity, "unknown columns")
	if u, err := b.imports.Upload(id); err != nil || u.Matched {
		t.Errorf("got %+v, %v, want an upload that is not matched", u, err)
	}
	if err := b.imports.SetMapping(id, "", "files: {sachen.csv: {entity: shoes}}", false); err != nil {
		t.Fatal(err)
	}
	admin.get(path+"/columns").want(t, http.StatusOK, "unknown entity “shoes”", "Save mapping")
}

// TestImportColumns_UploadsMapping checks that a mapping can be uploaded together with the
// files.
func TestImportColumns_UploadsMapping(t *testing.T) {
	admin := open(t).as(t, "admin")
	path := admin.uploaded(
		file{"sachen.csv", articles},
		file{"my.yaml", "files: {sachen.csv: {entity: products, decimal: ',', columns: {Anr: ProductID, Bez: Detail.Name, Eur: {to: Price, scale: 0.01}}, ignore: Lgr}}"},
	)
	admin.get(path+"/columns").want(t, http.StatusOK, "Price, with scale", "Left out")
	admin.submit(path, "dry-run", nil).want(t, http.StatusOK, "Nothing was changed", "sachen.csv")
}

// TestImport_NamesAbsentFiles uploads a mapping that names files which are not uploaded.
// The page must list these files.
func TestImport_NamesAbsentFiles(t *testing.T) {
	admin := open(t).as(t, "admin")
	const mapping = "files: {sachen.csv: {entity: products, decimal: ',', columns: {Anr: ProductID, Bez: Detail.Name, Eur: Price}, ignore: Lgr}, Desks.csv: {entity: products}, 'a<b>.csv': {entity: products}, notes.csv: {entity: none}}"
	path := admin.uploaded(file{"sachen.csv", articles}, file{"my.yaml", mapping})
	const want = "The mapping also names files that were not uploaded: <bdi>Desks.csv, a&lt;b&gt;.csv</bdi>."
	admin.get(path+"/columns").want(t, http.StatusOK, want)
	admin.submit(path, "dry-run", nil).want(t, http.StatusOK, want, "Nothing was changed")
	if page := admin.submit(path, "run", nil); strings.Contains(page.body, "Desks.csv") {
		t.Error("the page of the finished import names a file that was not uploaded")
	}
	other := admin.uploaded(file{"customers.csv", "CustomerID,Name\nc1,Kim\n"})
	if page := admin.get(other).body; strings.Contains(page, "not uploaded") {
		t.Error("the page of an upload without mapping names absent files")
	}
}

// TestImport_EscapesHostileText checks that pages escape hostile names and cells of
// files: markup, paths, control characters and formulas.
func TestImport_EscapesHostileText(t *testing.T) {
	admin := open(t).as(t, "admin")
	const markup = `<script>alert(1)`
	path := admin.uploaded(
		file{"../../../etc/\u202egnp." + markup + ".csv", `"` + markup + `";=1+1` + "\n" + `"<img src=x onerror=alert(1)>";"4111 1111 1111 1111"` + "\n"},
		file{`C:\temp\customers.csv`, "CustomerID,Name\n\"" + markup + "\",\"=cmd()\"\nok1,\"<b>bold</b>\"\n"},
	)
	for _, page := range []answer{admin.get(path + "/columns"), admin.get("/data/import")} {
		for _, bad := range []string{markup, "<img src=x", "4111 1111", "../", "\u202e", `C:\temp`} {
			if strings.Contains(page.body, bad) {
				t.Errorf("got %q in the page", bad)
			}
		}
	}
	if got := admin.post(path+"/mapping", url.Values{"once": {admin.token("/data/import")}, "mapping": {"files: {'" + "_gnp." + markup + ".csv': {entity: none}}"}}); got.status != http.StatusSeeOther {
		t.Fatalf("got status %d, want 303\n%s", got.status, got.body)
	}
	if got := admin.post(path+"/columns", url.Values{"once": {admin.token("/data/import")}}); got.location != path {
		t.Fatalf("got status %d to %q, want %q\n%s", got.status, got.location, path, got.body)
	}
	page := admin.submit(path, "dry-run", nil)
	page.want(t, http.StatusOK, "Dry run results", "customers.csv")
	if strings.Contains(page.body, markup) || strings.Contains(page.body, "<b>bold") {
		t.Error("got markup of a cell in the page")
	}
}

// TestImportColumns_NeedsRequiredChoices checks that missingChoices reports a file
// without an entity, and a required attribute without a column.
func TestImportColumns_NeedsRequiredChoices(t *testing.T) {
	matches := []exchange.FileMatch{{File: "a.csv", Entity: exchange.NoEntity}}
	if got := missingChoices(1, matches); len(got) != 1 {
		t.Errorf("no file imported: got %q, want one choice", got)
	}
	if got := missingChoices(2, matches); got != nil {
		t.Errorf("another file imported: got %q, want none", got)
	}
	matches[0] = exchange.FileMatch{File: "a.csv", Entity: "customers", Attributes: []exchange.Attribute{
		{Name: "CustomerID", Required: true}, {Name: "Name", Required: true, Constant: "Ada"}, {Name: "Email"},
	}}
	if got := missingChoices(1, matches); len(got) != 1 || !strings.Contains(got[0], "CustomerID") {
		t.Errorf("required attribute: got %q, want CustomerID", got)
	}
}

// TestImportColumns_OrdersWithLines checks the import of a file whose rows contain both an
// order and one of its lines.
func TestImportColumns_OrdersWithLines(t *testing.T) {
	admin := open(t).as(t, "admin")
	path := admin.uploaded(
		file{"shop.csv", "order_id,customer_id,order_date,product_id,quantity,unit_price,memo\no1,c1,2026-11-01,p1,2,5.50,a\no1,c1,2026-11-01,p2,1,3,b\n"},
		file{"customers.csv", "CustomerID,Name\nc1,Kim\n"}, file{"products.csv", "ProductID,Detail.Name,Price\np1,Lamp,6\np2,Desk,4\n"},
	)
	both := []string{"shop.csv: orders<", "shop.csv: order-items<", `<option value="orders order-items" selected>orders and order-items</option>`}
	admin.get(path+"/columns").want(t, http.StatusOK, both...)
	token := func() []string { return []string{admin.token("/data/import")} }
	admin.post(path+"/columns", url.Values{"once": token(), "entity-0": {"order-items"}})
	admin.get(path+"/columns").want(t, http.StatusOK, `<option value="order-items" selected>`, ">shop.csv<")
	admin.post(path+"/columns", url.Values{"once": token(), "entity-0": {"orders order-items"}})
	admin.get(path+"/columns").want(t, http.StatusOK, both...)
	form := url.Values{"once": token(), "entity-0": {"orders order-items"}, "column-1-6": {"Name"}}
	if got := admin.post(path+"/columns", form); got.location != path {
		t.Fatalf("got status %d to %q, want the dry run\n%s", got.status, got.location, got.body)
	}
	admin.submit(path, "dry-run", nil).want(t, http.StatusOK, "Dry run results")
	admin.submit(path, "run", nil).want(t, http.StatusOK, "Import results")
	admin.get("/orders/o1").want(t, http.StatusOK, "14.00", "Kim", `dir="auto">a<`)
}

// TestImportColumns_ConflictOfTwoAdmins submits two forms that were opened with the same
// mapping. The second form must be rejected, unless it makes the same changes as the
// first.
func TestImportColumns_ConflictOfTwoAdmins(t *testing.T) {
	b := open(t)
	first, second := b.as(t, "admin"), b.as(t, "admin")
	path := first.uploaded(file{"sachen.csv", articles})
	first.submit(path, "columns", url.Values{"entity-0": {"products"}})
	shown := regexp.MustCompile(`name="shown" value="([0-9a-f]{64})"`).FindStringSubmatch(first.get(path + "/columns").body)
	if shown == nil {
		t.Fatal("the form does not say which mapping it shows")
	}
	form := func(b *browser, name string) url.Values {
		return url.Values{
			"once": {b.token("/data/import")}, "shown": {shown[1]}, "entity-0": {"products"}, "preview": {"yes"},
			"column-0-0": {"ProductID"}, "column-0-1": {name}, "column-0-2": {"Price"}, "column-0-3": {""},
		}
	}
	for range 2 {
		if got := first.post(path+"/columns", form(first, "Detail.Name")); got.location != path+"/columns" {
			t.Fatalf("first: got status %d to %q, want %q\n%s", got.status, got.location, path+"/columns", got.body)
		}
	}
	second.post(path+"/columns", form(second, "Detail.Description")).want(t, http.StatusConflict, "The columns have been changed in the meantime.")
	text := "files: {sachen.csv: {entity: none}}"
	second.post(path+"/mapping", url.Values{"once": {second.token("/data/import")}, "shown": {shown[1]}, "mapping": {text}}).want(t, http.StatusConflict, "The columns have been changed in the meantime.", "entity: none")
	second.get(path+"/mapping").want(t, http.StatusOK, "Bez: Detail.Name")
}

// TestImportColumns_ConflictWhileMatching saves another mapping between the two steps of a
// submitted form, which saves its mapping and then marks it as complete. The form must be
// rejected, and the other mapping must be kept.
func TestImportColumns_ConflictWhileMatching(t *testing.T) {
	b := open(t)
	admin := b.as(t, "admin")
	path := admin.uploaded(file{"sachen.csv", articles})
	id := strings.TrimPrefix(path, "/data/import/")
	admin.submit(path, "columns", url.Values{"entity-0": {"products"}})
	before, err := b.imports.Upload(id)
	if err != nil {
		t.Fatal(err)
	}
	form := url.Values{
		"once": {admin.token("/data/import")}, "shown": {imports.MappingDigest(before.Mapping)}, "entity-0": {"products"},
		"column-0-0": {"ProductID"}, "column-0-1": {"Detail.Name"}, "column-0-2": {"Price"}, "column-0-3": {""},
	}
	const other = "files: {sachen.csv: {entity: products, decimal: ',', columns: {Anr: ProductID, Bez: Detail.Description, Eur: Price}, ignore: Lgr}}"
	var saved atomic.Bool
	b.clock.BeforeReads(func() {
		if u, err := b.imports.Upload(id); err == nil && u.Mapping != before.Mapping && saved.CompareAndSwap(false, true) {
			if err := b.imports.SetMapping(id, "", other, false); err != nil {
				t.Error(err)
			}
		}
	})
	got := admin.post(path+"/columns", form)
	b.clock.BeforeReads(func() {})
	if !saved.Load() {
		t.Fatal("the other mapping was not saved during the request")
	}
	got.want(t, http.StatusConflict, "The columns have been changed in the meantime.")
	if u, err := b.imports.Upload(id); err != nil || u.Mapping != other || u.Matched {
		t.Errorf("got %+v, %v, want the other mapping, not yet matched", u, err)
	}
}
