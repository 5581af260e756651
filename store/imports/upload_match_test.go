package imports

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"stockroom/store"
	"stockroom/store/exchange"
	"stockroom/store/storetest"
)

const (
	articles        = "Artikelnr;Bezeichnung;Preis\nA1;Lampe;1,50\n"
	articlesMapping = "files: {artikel.csv: {entity: products, columns: {Artikelnr: ProductID, Bezeichnung: Detail.Name, Preis: Price}}}\n"
)

var admin = &store.User{Name: "kim", Role: store.Admin}

// receiveArticles uploads a CSV file, and a mapping unless it is "".
func receiveArticles(t *testing.T, r *Runner, mapping string) *Upload {
	t.Helper()
	x, err := r.Receive(admin, r.Store.NewToken())
	if err != nil {
		t.Fatal(err)
	}
	defer x.Discard()
	for name, content := range map[string]string{"artikel.csv": articles, "m.yaml": mapping} {
		if content == "" {
			continue
		}
		if err := x.Add(name, strings.NewReader(content)); err != nil {
			t.Fatal(err)
		}
	}
	u, err := x.Finish(t.Context(), r.Store.As(admin))
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// TestChoose_RejectsAttributeOfTwoColumns chooses a second column, or a constant, for an
// attribute that already has a column. Choose must return an error.
func TestChoose_RejectsAttributeOfTwoColumns(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	u := receiveArticles(t, r, articlesMapping)
	for name, choice := range map[string]Choice{
		"a column":   {File: "artikel.csv", Columns: map[string]string{"Bezeichnung": "ProductID"}},
		"a constant": {File: "artikel.csv", Constants: map[string]string{"ProductID": "A1"}},
	} {
		var problem *exchange.FileError
		if text, _, err := r.Choose(t.Context(), u.ID, []Choice{choice}); !errors.As(err, &problem) {
			t.Errorf("%s: got %v, want a FileError for\n%s", name, err, text)
		}
	}
	swap := Choice{File: "artikel.csv", Columns: map[string]string{"Artikelnr": "Detail.Name", "Bezeichnung": "ProductID"}}
	if _, _, err := r.Choose(t.Context(), u.ID, []Choice{swap}); err != nil {
		t.Errorf("two columns swapped: got %v, want no error", err)
	}
}

// TestRemember_LeavesOutComments remembers a mapping with comments that contain
// values from the file. Remember must not store the comments.
func TestRemember_LeavesOutComments(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	u := receiveArticles(t, r, "files:\n  artikel.csv: # head secret\n    # line secret\n    entity: products\n    columns:\n"+
		"      Artikelnr: ProductID # unsure: secret\n      Bezeichnung: Detail.Name\n      Preis: Price\n    # foot secret\n")
	if err := r.Remember(t.Context(), r.Store.As(admin), u.ID); err != nil {
		t.Fatal(err)
	}
	header := sha256.Sum256([]byte("artikelnr\x00bezeichnung\x00preis\x00"))
	got, err := r.Store.As(admin).ImportMapping(t.Context(), hex.EncodeToString(header[:]))
	if err != nil || strings.Contains(got.Text, "secret") || !strings.Contains(got.Text, "Artikelnr: ProductID") {
		t.Errorf("got %+v, %v, want the mapping without comments", got, err)
	}
}

// TestRemembered_LeavesOutDecimalSign remembers a mapping with a decimal separator. The
// mapping of a later upload must lack it, because the later file can have the other one.
func TestRemembered_LeavesOutDecimalSign(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	u := receiveArticles(t, r, "decimal: \".\"\n"+articlesMapping)
	if err := r.Remember(t.Context(), r.Store.As(admin), u.ID); err != nil {
		t.Fatal(err)
	}
	u = receiveArticles(t, r, "")
	if len(u.RememberedFiles()) != 1 || !strings.Contains(u.Mapping, "Preis: Price") || strings.Contains(u.Mapping, "decimal") {
		t.Errorf("got the mapping %q, want the remembered one without a decimal separator", u.Mapping)
	}
}

// TestMatches_ShowsUnreadableMapping stores an invalid mapping. Matches must return
// the problem rather than an error.
func TestMatches_ShowsUnreadableMapping(t *testing.T) {
	r := open(t, storetest.Open(t, storetest.NewClock()), t.TempDir())
	u := receiveArticles(t, r, articlesMapping)
	if err := r.SetMapping(u.ID, "", "files: {artikel.csv: {entity: shoes}}", false); err != nil {
		t.Fatal(err)
	}
	matches, _, problems, err := r.Matches(t.Context(), u.ID)
	if err != nil || len(problems) != 1 || len(matches) != 0 {
		t.Errorf("got %v, %v, %v, want one problem", matches, problems, err)
	}
}
