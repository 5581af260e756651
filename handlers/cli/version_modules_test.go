package cli

import (
	"encoding/json"
	"testing"
)

// TestVersion_ListsModules reads the software bill of materials of the test binary. It
// must list the standard library and each module once, with a checksum.
func TestVersion_ListsModules(t *testing.T) {
	r := run(t, "version", "-modules")
	r.want(t, exitDone)
	var list bom
	if err := json.Unmarshal([]byte(r.stdout), &list); err != nil {
		t.Fatal(err)
	}
	if list.BOMFormat != "CycloneDX" || list.SpecVersion != "1.6" || list.Metadata.Component.Name != "stockroom" {
		t.Errorf("got format %s %s of %q, want CycloneDX 1.6 of stockroom", list.BOMFormat, list.SpecVersion, list.Metadata.Component.Name)
	}
	found := map[string]bomComponent{}
	for _, c := range list.Components {
		if found[c.Name].Name != "" {
			t.Errorf("got %s twice", c.Name)
		}
		found[c.Name] = c
	}
	echo := found["github.com/labstack/echo/v4"]
	if echo.PURL != "pkg:golang/github.com/labstack/echo/v4@"+echo.Version || len(echo.Properties) != 1 || found["std"].Version == "" {
		t.Errorf("got echo %+v and std %+v, want both with a version", echo, found["std"])
	}
}
