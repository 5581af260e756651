// Package static serves what pages are dressed with: the style sheet, the
// scripts, the icons and the font. Each file is served under a name with the
// hash of its content, so that browsers keep it for good and still see every
// change at once. Nothing here depends on who is asking or on any data.
//
// What others made came so: htmx.js is htmx 4.0.1, minified as published;
// the fonts are Inter, from Fontsource 5.3.0; icons.svg holds drawings of
// Tabler Icons 3.51.0. Their licences are in the folder licenses.
package static

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"path"
	"regexp"
	"strings"
)

// Prefix begins the path of everything that is served here.
const Prefix = "/static/"

//go:embed *.css *.js *.svg *.woff2
var embedded embed.FS

// file is one served file.
type file struct {
	name        string // with the hash
	contentType string
	content     []byte // of the style sheet: with the names that its url(…) are served under
}

// files are what was embedded, by the name without the hash. They are made
// once and never changed.
var files = hashed(embedded)

// Path is where a file is served, such as /static/app-0123456789.css for
// app.css. A name that is not embedded has no path: it is "".
func Path(name string) string {
	f, found := files[name]
	if !found {
		return ""
	}
	return Prefix + f.name
}

// inStyle is a reference to another file in a style sheet.
var inStyle = regexp.MustCompile(`url\(([^)]+)\)`)

// hashed names the files by their content. The style sheets come last: they
// name the others, so their content holds the others' hashes.
func hashed(from embed.FS) map[string]file {
	all := map[string]file{}
	entries, err := from.ReadDir(".")
	if err != nil { // an embedded folder can always be read
		return all
	}
	for _, styles := range []bool{false, true} {
		for _, entry := range entries {
			name := entry.Name()
			if path.Ext(name) == ".css" != styles {
				continue
			}
			content, err := from.ReadFile(name)
			if err != nil {
				continue
			}
			if styles {
				content = inStyle.ReplaceAllFunc(content, func(match []byte) []byte {
					if f, found := all[string(match[len("url("):len(match)-1])]; found {
						return []byte("url(" + f.name + ")")
					}
					return match
				})
			}
			all[name] = file{name: withHash(name, content), contentType: contentType(name), content: content}
		}
	}
	return all
}

func withHash(name string, content []byte) string {
	sum := sha256.Sum256(content)
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "-" + hex.EncodeToString(sum[:5]) + ext
}

// contentType is told by the extension, not by the system's table, which
// differs from one machine to the next.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
	}
	return "application/octet-stream"
}

// compressible says whether a file gets smaller: fonts are compressed already.
func (f file) compressible() bool { return !bytes.HasPrefix(f.content, []byte("wOF2")) }
