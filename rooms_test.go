package main_test

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport says which rooms of the program each room may use, so that what
// docs/architecture.md says of them stays true. Tests may import more.
var mayImport = map[string][]string{
	"":                          {"handlers/cli"},
	"handlers/cli":              {"handlers", "web", "store", "store/jobs", "store/embedded", "store/embedded/wire", "store/exchange", "store/demo"},
	"handlers":                  {"web", "views", "views/ui", "static", "store", "store/exchange", "store/key", "store/jobs"},
	"web":                       {"static", "store", "store/csvfile", "store/key"},
	"views":                     {"views/ui", "static", "store", "store/key"},
	"views/ui":                  {"static"},
	"static":                    {},
	"store":                     {"store/key"},
	"store/key":                 {},
	"store/csvfile":             {},
	"store/exchange":            {"store", "store/csvfile", "store/key"},
	"store/demo":                {"store", "store/key"},
	"store/jobs":                {"store"},
	"store/storetest":           {"store", "store/key", "store/embedded"},
	"store/embedded":            {"store/embedded/expr", "store/embedded/number", "store/embedded/codec"},
	"store/embedded/codec":      {"store/embedded/number"},
	"store/embedded/expr":       {"store/embedded/number"},
	"store/embedded/number":     {},
	"store/embedded/wire":       {"store/embedded/number", "store/embedded/expr"},
	"handlers/browsertest":      {},
	"store/embedded/enginetest": {"store/embedded"},
}

// onlyIn names libraries that belong to one room.
var onlyIn = map[string][]string{
	"go.etcd.io/bbolt":            {"store/embedded"},
	"github.com/labstack/echo/v4": {"web", "handlers", "handlers/cli"},
	"github.com/a-h/templ":        {"views", "views/ui", "web", "handlers", "store/jobs"}, // letters are pages too
	"github.com/stripe/stripe-go": {"store/jobs"},
	"github.com/wneessen/go-mail": {"store/jobs"},
	"github.com/gorilla/sessions": {"web"},
}

func TestRoomsImportOneWay(t *testing.T) {
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
		room := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, "stockroom"), "/")
		allowed, known := mayImport[room]
		if !known {
			t.Errorf("the room %s is not in the list of rooms", room)
			continue
		}
		for _, imported := range p.Imports {
			if other, ours := strings.CutPrefix(imported, "stockroom/"); ours && !slices.Contains(allowed, other) {
				t.Errorf("%s imports %s", room, other)
			}
			for library, rooms := range onlyIn {
				if (imported == library || strings.HasPrefix(imported, library+"/")) && !slices.Contains(rooms, room) {
					t.Errorf("%s imports %s, which belongs to %s", room, imported, strings.Join(rooms, " and "))
				}
			}
		}
	}
}
