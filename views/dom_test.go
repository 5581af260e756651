package views_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
)

// node is an element or document of a rendered page.
type node struct{ *html.Node }

// rendered renders a component and parses the HTML as browsers do.
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

// all returns the elements with this name in the node and below it, or all elements
// if name is "".
func (n node) all(name string) []node {
	var found []node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && (name == "" || d.Data == name) {
			found = append(found, node{d})
		}
	}
	return found
}

func (n node) with(attribute, value string) []node {
	return slices.DeleteFunc(n.all(""), func(e node) bool { return e.attr(attribute) != value })
}

// one returns the only element whose attribute has this value.
func (n node) one(t *testing.T, attribute, value string) node {
	t.Helper()
	found := n.with(attribute, value)
	if len(found) != 1 {
		t.Fatalf("got %d elements with %s=%q, want 1", len(found), attribute, value)
	}
	return found[0]
}

// link returns the only link with this text.
func (n node) link(t *testing.T, text string) node {
	t.Helper()
	var found []node
	for _, a := range n.all("a") {
		if a.text() == text {
			found = append(found, a)
		}
	}
	if len(found) != 1 {
		t.Fatalf("got %d links %q, want 1", len(found), text)
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

// text returns the text of the node, with single spaces.
func (n node) text() string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// cells returns the text of each cell, by row.
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
