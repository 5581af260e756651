package views_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
)

// node is a part of a rendered page.
type node struct{ *html.Node }

// rendered parses what a component writes, as a browser would.
func rendered(t *testing.T, component templ.Component) node {
	t.Helper()
	var b bytes.Buffer
	if err := component.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	document, err := html.Parse(&b)
	if err != nil {
		t.Fatal(err)
	}
	return node{document}
}

// all lists the elements of this name in and below the node; "" is every one.
func (n node) all(name string) []node {
	var found []node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && (name == "" || d.Data == name) {
			found = append(found, node{d})
		}
	}
	return found
}

// with lists the elements that have an attribute of this value.
func (n node) with(attribute, value string) []node {
	return slices.DeleteFunc(n.all(""), func(e node) bool { return e.attr(attribute) != value })
}

// the is the only element that has an attribute of this value.
func (n node) the(t *testing.T, attribute, value string) node {
	t.Helper()
	found := n.with(attribute, value)
	if len(found) != 1 {
		t.Fatalf("there are %d elements with %s=%q", len(found), attribute, value)
	}
	return found[0]
}

// link is the only link with this text.
func (n node) link(t *testing.T, text string) node {
	t.Helper()
	var found []node
	for _, a := range n.all("a") {
		if a.text() == text {
			found = append(found, a)
		}
	}
	if len(found) != 1 {
		t.Fatalf("there are %d links %q", len(found), text)
	}
	return found[0]
}

func (n node) attr(name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func (n node) has(name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

// text is what can be read, with every run of spaces as one.
func (n node) text() string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// cells are the texts of a table's rows.
func (n node) cells() [][]string {
	var rows [][]string
	for _, tr := range n.all("tr") {
		var row []string
		for c := range tr.ChildNodes() {
			if c.Type == html.ElementNode {
				row = append(row, node{c}.text())
			}
		}
		rows = append(rows, row)
	}
	return rows
}
