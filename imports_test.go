package main_test

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// allowedImports lists which packages of the program each package may import, as
// described in docs/architecture.md. Tests may import more.
var allowedImports = map[string][]string{
	"":                      {"handlers/cli"},
	"handlers/cli":          {"handlers", "handlers/metrics", "web", "store", "store/jobs", "store/embedded", "store/embedded/wire", "store/exchange", "store/imports", "store/demo"},
	"handlers/metrics":      {"store", "store/row", "store/table"},
	"handlers":              {"handlers/metrics", "web", "views", "views/ui", "static", "store", "store/exchange", "store/imports", "store/key", "store/jobs"},
	"web":                   {"static", "store", "store/csvfile", "store/key"},
	"views":                 {"views/ui", "static", "store", "store/key"},
	"views/ui":              {"static"},
	"static":                {},
	"store":                 {"store/table", "store/key", "store/spill"},
	"store/table":           {"store/key", "store/row"},
	"store/key":             {},
	"store/row":             {},
	"store/spill":           {},
	"store/csvfile":         {},
	"store/exchange":        {"store", "store/csvfile", "store/key", "store/spill"},
	"store/imports":         {"store", "store/exchange"},
	"store/demo":            {"store", "store/key"},
	"store/jobs":            {"store", "store/key", "store/table"},
	"store/loadsim":         {"store", "store/table", "store/key", "store/jobs", "store/embedded/codec"},
	"store/storetest":       {"store", "store/key", "store/embedded"},
	"store/embedded":        {"store/embedded/expr", "store/embedded/number", "store/embedded/codec", "store/embedded/stream", "store/row"},
	"store/embedded/codec":  {"store/embedded/number", "store/row"},
	"store/embedded/expr":   {"store/embedded/number"},
	"store/embedded/number": {},
	"store/embedded/stream": {},
	"store/embedded/wire":   {"store/embedded/number", "store/embedded/expr", "store/embedded/stream"},
	"handlers/browsertest":  {},
	"handlers/ssotest":      {},
}

// onlyIn maps a library to the packages of this program that may import it.
var onlyIn = map[string][]string{
	"go.etcd.io/bbolt":                   {"store/embedded"},
	"github.com/labstack/echo/v4":        {"web", "handlers", "handlers/cli"},
	"github.com/a-h/templ":               {"views", "views/ui", "web", "handlers", "store/jobs"}, // store/jobs renders emails with templ
	"github.com/wneessen/go-mail":        {"store/jobs"},
	"github.com/coreos/go-oidc/v3":       {"web"},
	"github.com/gorilla/sessions":        {"web"},
	"codeberg.org/go-pdf/fpdf":           {"views"},
	"golang.org/x/image":                 {"views"},
	"github.com/VictoriaMetrics/metrics": {"handlers/metrics"},
	"os/exec":                            {"handlers/ssotest", "store/storetest"}, // only tests use these packages
	"unsafe":                             {"store/embedded"},
}

func TestImports_RunOneWay(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "stockroom"), "/")
		allowed, ok := allowedImports[name]
		if !ok {
			t.Errorf("package %q has no row in allowedImports", name)
			continue
		}
		for _, imported := range p.Imports {
			if other, ok := strings.CutPrefix(imported, "stockroom/"); ok && !slices.Contains(allowed, other) {
				t.Errorf("%s imports %s, want only the packages in its row of allowedImports", name, other)
			}
			for library, packages := range onlyIn {
				if (imported == library || strings.HasPrefix(imported, library+"/")) && !slices.Contains(packages, name) {
					t.Errorf("%s imports %s, which is only for %s", name, imported, strings.Join(packages, " and "))
				}
			}
		}
	}
}
