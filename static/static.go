// Package static serves the style sheet, scripts, icons and font of the pages. The name
// of each file contains a hash of its content. Browsers can therefore cache it forever
// and still get every change.
//
// Third-party files: htmx.js is htmx 4.0.1, minified as published. icons.svg contains icons
// of Tabler Icons 3.51.0. The fonts are Inter, from Fontsource 5.3.0, with only the weights
// and features that the style sheet uses. They were made with fontTools from Fontsource's
// files inter-latin-wght-normal.woff2 and inter-latin-ext-wght-normal.woff2:
//
//	fonttools varLib.instancer FONTSOURCE-FILE wght=400:700 -o inter.ttf
//	fonttools subset inter.ttf --unicodes='*' --layout-features=kern,tnum \
//	    --name-IDs+=14 --flavor=woff2 --output-file=inter-latin.woff2
//
// The licenses are in the folder licenses. Inter's license reserves no font name, so a
// changed font may keep the name.
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

// Prefix is the path prefix of all static files.
const Prefix = "/static/"

//go:embed *.css *.js *.svg *.woff2
var embedded embed.FS

type file struct {
	name        string // name that contains the hash
	contentType string
	content     []byte // in style sheets, url(…) contains hashed names
}

// files maps the original name of each embedded file to the file. It is read-only.
var files = hashFiles(embedded)

// Path returns the URL path of a file, such as /static/app-0123456789.css for
// app.css, or "" if there is no such file.
func Path(name string) string {
	f, found := files[name]
	if !found {
		return ""
	}
	return Prefix + f.name
}

// cssURL matches a reference to another file in a style sheet.
var cssURL = regexp.MustCompile(`url\(([^)]+)\)`)

// hashFiles returns the files by their original names, and puts a hash of the content into
// each new name. It handles style sheets last, because they contain the new names of other
// files.
func hashFiles(from embed.FS) map[string]file {
	all := map[string]file{}
	entries, err := from.ReadDir(".")
	if err != nil { // cannot happen: an embedded folder is always readable
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
			content = withoutUnused(name, content)
			if styles {
				content = cssURL.ReplaceAllFunc(content, func(match []byte) []byte {
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

// unused maps a file extension to a pattern for comments and indentation. In scripts, the
// pattern matches only comments that have a line of their own.
var unused = map[string]*regexp.Regexp{
	".css": regexp.MustCompile(`(?ms)/\*.*?\*/|^\s+`),
	".js":  regexp.MustCompile(`(?m)^\s*//.*|^\s+`),
}

// withoutUnused removes the comments and the indentation of style sheets and scripts. This
// makes the compressed files a sixth smaller.
func withoutUnused(name string, content []byte) []byte {
	if pattern, found := unused[path.Ext(name)]; found {
		return pattern.ReplaceAll(content, nil)
	}
	return content
}

func withHash(name string, content []byte) string {
	sum := sha256.Sum256(content)
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "-" + hex.EncodeToString(sum[:5]) + ext
}

// contentType returns the content type of a file extension. Package mime is not
// used because its table depends on the machine.
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

// compressible reports whether compression makes the file smaller. WOFF2 fonts are
// already compressed.
func (f file) compressible() bool { return !bytes.HasPrefix(f.content, []byte("wOF2")) }
