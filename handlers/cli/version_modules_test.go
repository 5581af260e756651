package cli

import (
	"encoding/json"
	"runtime/debug"
	"slices"
	"testing"
)

// TestVersion_ListsModules checks the software bill of materials of a binary with modules,
// and of the test binary, which has no modules.
func TestVersion_ListsModules(t *testing.T) {
	r := run(t, "version", "-modules")
	r.want(t, exitDone)
	var own bom
	if err := json.Unmarshal([]byte(r.stdout), &own); err != nil || own.BOMFormat != "CycloneDX" || own.SpecVersion != "1.6" || len(own.Components) == 0 {
		t.Errorf("got %+v, error %v, want CycloneDX 1.6 with the standard library", own, err)
	}
	list := modulesOf(&debug.BuildInfo{GoVersion: "go1.26.1", Main: debug.Module{Path: "stockroom", Version: "(devel)"}, Deps: []*debug.Module{
		{Path: "example.com/a/v2", Version: "v2.1.0", Sum: "h1:abc="},
		{Path: "example.com/old", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/new", Version: "v3.0.0+incompatible"}},
	}})
	var got []string
	for _, c := range append(list.Components, list.Metadata.Component) {
		got = append(got, c.PURL)
	}
	want := []string{"pkg:golang/std@1.26.1", "pkg:golang/example.com/a/v2@v2.1.0", "pkg:golang/example.com/new@v3.0.0%2Bincompatible", "pkg:golang/stockroom@%28devel%29"}
	if !slices.Equal(got, want) || list.Components[1].Properties[0].Value != "h1:abc=" {
		t.Errorf("got %q with the properties %v, want %q with the checksum", got, list.Components[1].Properties, want)
	}
}
