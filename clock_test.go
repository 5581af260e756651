package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTestsUseTheTestClock checks that tests read the time from the clock of their store.
// The embedded engine removes expired items by that clock. A test with dates from the
// machine's clock would therefore fail on some days.
func TestTestsUseTheTestClock(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		test := strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "store/storetest/")
		if err != nil || !test || filepath.Ext(path) != ".go" {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for at, problem := range clockMisuses(file, path) {
			t.Errorf("%s: %s", files.Position(at), problem)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestClockMisusesAreFound(t *testing.T) {
	for _, tt := range []struct {
		path, body string
		want       int
	}{
		{"web/x_test.go", `db, err := embedded.Open(dir, clock.Now, embedded.Options{})`, 1},
		{"store/embedded/x_test.go", `db, err := embedded.Open(dir, clock.now, embedded.Options{})`, 0},
		{"store/embedded/x_test.go", `db, err := embedded.Open(dir, time.Now, embedded.Options{})`, 1},
		{"web/x_test.go", `s := store.New(db, "OnlineShop", time.Now)`, 1},
		{"web/x_test.go", `clock := time.Now`, 1},
		{"web/x_test.go", `clock := func() time.Time { return time.Now() }`, 1},
		{"web/x_test.go", `today := time.Now().AddDate(0, 0, 1)`, 1},
		{"web/x_test.go", `order := store.Order{Date: time.Now()}`, 1},
		{"web/x_test.go", `began := time.Now(); _ = time.Since(began)`, 0},
		{"web/x_test.go", `for deadline := time.Now().Add(time.Second); time.Now().Before(deadline); {}`, 0},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), tt.path, "package p\nfunc f() {\n"+tt.body+"\n}", parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if got := clockMisuses(file, tt.path); len(got) != tt.want {
			t.Errorf("%s: %s: got %d misuses, want %d", tt.path, tt.body, len(got), tt.want)
		}
	}
}

// clockMisuses returns a message for each place in a test file that uses the wrong clock. A
// test outside store/embedded may open an embedded engine only through storetest, which
// passes the test's clock. A test may call time.Now only to measure a duration.
func clockMisuses(file *ast.File, path string) map[token.Pos]string {
	found := map[token.Pos]string{}
	var parents []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			parents = parents[:len(parents)-1]
			return true
		}
		switch e, _ := n.(*ast.SelectorExpr); {
		case isSelector(e, "embedded", "Open"):
			if path != "store/storetest/open.go" && !strings.HasPrefix(path, "store/embedded/") {
				found[n.Pos()] = "embedded.Open: use storetest.Embedded, which takes the test's clock"
			}
		case isSelector(e, "time", "Now") && !measures(e, parents):
			found[n.Pos()] = "time.Now: use the test's clock (storetest.NewClock)"
		}
		parents = append(parents, n)
		return true
	})
	return found
}

// measures reports whether a use of time.Now measures a duration: the result of the call is
// assigned to a variable, or its method Add, After, Before or Sub is called.
func measures(now *ast.SelectorExpr, parents []ast.Node) bool {
	above := func(n int) ast.Node { return parents[max(0, len(parents)-n)] }
	if call, _ := above(1).(*ast.CallExpr); call == nil || call.Fun != now {
		return false
	}
	switch e := above(2).(type) {
	case *ast.AssignStmt:
		return true
	case *ast.SelectorExpr:
		return slices.Contains([]string{"Add", "After", "Before", "Sub"}, e.Sel.Name)
	}
	return false
}

func isSelector(e *ast.SelectorExpr, pkg, name string) bool {
	if e == nil || e.Sel.Name != name {
		return false
	}
	x, _ := e.X.(*ast.Ident)
	return x != nil && x.Name == pkg
}
