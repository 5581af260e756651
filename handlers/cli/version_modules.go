package cli

import (
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"runtime/debug"
	"strings"
)

// bom is a software bill of materials in the format CycloneDX 1.6. See
// https://cyclonedx.org/docs/1.6/json/
type bom struct {
	BOMFormat   string         `json:"bomFormat"`
	SpecVersion string         `json:"specVersion"`
	Version     int            `json:"version"`
	Metadata    bomMetadata    `json:"metadata"`
	Components  []bomComponent `json:"components"`
}

type bomMetadata struct {
	Component bomComponent `json:"component"`
}

type bomComponent struct {
	Type       string        `json:"type"`
	Ref        string        `json:"bom-ref"`
	Name       string        `json:"name"`
	Version    string        `json:"version,omitempty"`
	PURL       string        `json:"purl"`
	Properties []bomProperty `json:"properties,omitempty"`
}

type bomProperty struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// printModules prints the modules of the binary as CycloneDX JSON.
func printModules(w io.Writer) error {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return errors.New("the binary contains no list of its modules")
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(modulesOf(info))
}

// modulesOf returns the modules of a binary, including the standard library.
func modulesOf(info *debug.BuildInfo) bom {
	list := bom{BOMFormat: "CycloneDX", SpecVersion: "1.6", Version: 1, Metadata: bomMetadata{component("application", &info.Main)}}
	list.Components = []bomComponent{component("library", &debug.Module{Path: "std", Version: strings.TrimPrefix(info.GoVersion, "go")})}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		list.Components = append(list.Components, component("library", m))
	}
	return list
}

// component returns the entry of a module in the bill of materials, with its checksum from
// go.sum. The format of its package URL is defined at
// https://github.com/package-url/purl-spec
func component(kind string, m *debug.Module) bomComponent {
	purl := "pkg:golang/" + m.Path
	if m.Version != "" {
		purl += "@" + strings.ReplaceAll(url.PathEscape(m.Version), "+", "%2B")
	}
	c := bomComponent{Type: kind, Ref: purl, Name: m.Path, Version: m.Version, PURL: purl}
	if m.Sum != "" {
		c.Properties = []bomProperty{{Name: "go.sum", Value: m.Sum}}
	}
	return c
}
