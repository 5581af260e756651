package handlers

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

type pageForm struct {
	action   string
	controls []formControl
}

// formControl is a control of a form. A select or a group of radio buttons becomes
// several controls with the same name.
type formControl struct {
	name, value string
	kind        string // type of the input; or select, textarea or button
	isSet       bool   // submitted by default
}

// formOn returns the form on a page that submits to the route, or nil.
func formOn(page, route string) *pageForm {
	document, err := html.Parse(strings.NewReader(page))
	if err != nil {
		return nil
	}
	_, path, _ := strings.Cut(route, " ")
	for node := range document.Descendants() {
		if node.Data != "form" || attribute(node, "method") != "post" || !isAddressOf(path, attribute(node, "action")) {
			continue
		}
		f := &pageForm{action: attribute(node, "action")}
		for part := range node.Descendants() {
			f.add(part)
		}
		return f
	}
	return nil
}

func (f *pageForm) add(node *html.Node) {
	c := formControl{name: attribute(node, "name"), value: attribute(node, "value"), kind: node.Data}
	if c.name == "" {
		return
	}
	switch node.Data {
	case "button":
	case "textarea":
		c.value, c.isSet = strings.TrimPrefix(textOf(node), "\n"), true
	case "select":
		first := len(f.controls)
		for option := range node.Descendants() {
			if option.Data == "option" {
				f.controls = append(f.controls, formControl{c.name, attribute(option, "value"), "select", has(option, "selected")})
			}
		}
		options := f.controls[first:]
		if len(options) > 0 && !slices.ContainsFunc(options, func(c formControl) bool { return c.isSet }) {
			options[0].isSet = true
		}
		return
	case "input":
		c.kind = attribute(node, "type")
		c.isSet = has(node, "checked") || c.kind != "radio" && c.kind != "checkbox"
	default:
		return
	}
	f.controls = append(f.controls, c)
}

// values returns what a browser submits if the user changes nothing and presses no named
// button.
func (f *pageForm) values() url.Values {
	values := url.Values{}
	for _, c := range f.controls {
		if c.isSet {
			values.Add(c.name, c.value)
		}
	}
	return values
}

// fill returns the values of the form after the user has entered the values of an
// auditedForm. The test fails if the form has no control for one of these values.
func (f *pageForm) fill(t *testing.T, entered auditedForm) url.Values {
	t.Helper()
	values := f.values()
	for name, list := range entered.fill {
		for _, value := range list {
			if !slices.ContainsFunc(f.controls, func(c formControl) bool { return c.name == name && (c.value == value || !c.isChoice()) }) {
				t.Errorf("%s: got a form on which nobody can enter %s=%s", entered.route, name, value)
			}
		}
		values[name] = list
	}
	for _, button := range entered.press[:min(1, len(entered.press))] {
		if !slices.ContainsFunc(f.controls, func(c formControl) bool { return c.kind == "button" && c.value == button }) && button != "" {
			t.Errorf("%s: got a form without the button %s", entered.route, button)
		}
	}
	return values
}

func (c formControl) isChoice() bool {
	return c.kind == "select" || c.kind == "radio" || c.kind == "checkbox"
}

// outdated returns the values with a version that no record has, so that the server
// treats the form as outdated. It returns nil if the form has no version.
func (f *pageForm) outdated(values url.Values) url.Values {
	values = maps.Clone(values)
	found := false
	for name := range values {
		if name == "version" || strings.HasPrefix(name, "version-") {
			values.Set(name, "99")
			found = true
		}
	}
	if !found {
		return nil
	}
	return values
}

// hostile returns the values with invalid, hostile text in all fields except the token and
// the version. It returns nil if there are no other fields.
func (f *pageForm) hostile(values url.Values) url.Values {
	values = maps.Clone(values)
	found := false
	for _, c := range f.controls {
		if c.kind != "button" && c.name != "once" && c.name != "version" {
			values.Set(c.name, "\x00"+evil)
			found = true
		}
	}
	if !found {
		return nil
	}
	return values
}

// isAddressOf reports whether an address belongs to a route, such as /orders/:id.
func isAddressOf(route, address string) bool {
	address, _, _ = strings.Cut(address, "?")
	parts, own := strings.Split(route, "/"), strings.Split(address, "/")
	return slices.EqualFunc(parts, own, func(part, own string) bool { return part == own || strings.HasPrefix(part, ":") && own != "new" })
}

func attribute(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(node *html.Node, name string) bool {
	return slices.ContainsFunc(node.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func textOf(node *html.Node) string {
	var text strings.Builder
	for part := range node.Descendants() {
		if part.Type == html.TextNode {
			text.WriteString(part.Data)
		}
	}
	return text.String()
}
