package store

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
)

// Namespaces in SVG files.
const (
	svgSpace   = "http://www.w3.org/2000/svg"
	xlinkSpace = "http://www.w3.org/1999/xlink"
)

// maxSVGDepth is the maximum nesting depth of the elements in a logo.
const maxSVGDepth = 50

// svgElements lists the elements that a logo may contain. They draw shapes and text, and
// cannot run scripts, load files or repeat other elements.
var svgElements = words(`svg g defs title desc path rect circle ellipse line polyline polygon text tspan
	linearGradient radialGradient stop clipPath`)

// svgAttributes lists the attributes that a logo may contain. The properties in a style
// attribute may have the same names.
var svgAttributes = words(`id version width height viewBox preserveAspectRatio x y x1 y1 x2 y2 dx dy cx cy r rx ry fx fy fr d points
	transform pathLength offset gradientUnits gradientTransform spreadMethod clipPathUnits
	clip-path clip-rule color color-interpolation color-rendering display enable-background fill fill-opacity fill-rule
	font-family font-size font-stretch font-style font-variant font-weight image-rendering isolation letter-spacing line-height
	mix-blend-mode opacity overflow paint-order shape-rendering solid-color solid-opacity stop-color stop-opacity
	stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width
	text-align text-anchor text-decoration text-rendering textLength lengthAdjust vector-effect visibility word-spacing writing-mode`)

// svgIgnored lists attributes that cleanSVG removes. In a logo, they have no effect,
// because it contains neither style sheets nor scripts.
var svgIgnored = words("class role tabindex lang baseProfile x-height")

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(text) {
		set[word] = true
	}
	return set
}

// svgValue matches values without CSS escapes and comments. These could hide a function,
// such as url, from svgFunction.
var svgValue = regexp.MustCompile(`^[\pL\pN\s.,;:#%+_'"()/=-]*$`)

// svgFunction matches each function in a value. svgSafeFunction matches the functions that
// a logo may use. One of them is url, but only with an element of the same file.
var (
	svgFunction     = regexp.MustCompile(`[\pL\pN_-]*\s*\(`)
	svgSafeFunction = regexp.MustCompile(`^((rgb|rgba|hsl|hsla|matrix|translate|scale|rotate|skewX|skewY)\s*\(|url\(['"]?#[\pL\pN_.:-]+['"]?\))`)
)

func isSafeSVG(value string) bool {
	if !svgValue.MatchString(value) || strings.Contains(value, "/*") {
		return false
	}
	for _, at := range svgFunction.FindAllStringIndex(value, -1) {
		if !svgSafeFunction.MatchString(strings.TrimLeft(value[at[0]:], " \t\r\n")) {
			return false
		}
	}
	return true
}

// cleanSVG parses an SVG file and writes its elements and attributes again. It removes
// comments, metadata, the attributes in svgIgnored, data-* and aria-* attributes, and
// elements and attributes from other namespaces, such as those of drawing programs.
// It returns Invalid if the file is damaged, contains no SVG image, or contains a document
// type or any other element, attribute or value that is not allowed.
func cleanSVG(file []byte) ([]byte, error) {
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(file, []byte("\uFEFF"))))
	var out bytes.Buffer
	var open []string
	for elements := 0; ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			if elements == 0 {
				return nil, InvalidField(FieldLogo, "This file contains no SVG image.")
			}
			return out.Bytes(), nil
		}
		if err != nil {
			return nil, InvalidField(FieldLogo, "This SVG file is damaged.")
		}
		switch t := token.(type) {
		case xml.Directive:
			return nil, InvalidField(FieldLogo, "This SVG file contains a document type or entities, which are not allowed. Save it as a plain SVG.")
		case xml.StartElement:
			if t.Name.Space != svgSpace && t.Name.Space != "" || t.Name.Local == "metadata" {
				if len(open) == 0 {
					return nil, InvalidField(FieldLogo, "This file contains no SVG image.")
				}
				if err := d.Skip(); err != nil {
					return nil, InvalidField(FieldLogo, "This SVG file is damaged.")
				}
				continue
			}
			if !svgElements[t.Name.Local] || (t.Name.Local == "svg") != (len(open) == 0) {
				return nil, InvalidField(FieldLogo, "This SVG file contains the element “%s”, which is not allowed. A logo can contain shapes, gradients and text. If your program can, save the file with presentation attributes instead of styles.", shorten(t.Name.Local, 40))
			}
			if len(open) == 0 && elements > 0 || len(open) == maxSVGDepth {
				return nil, InvalidField(FieldLogo, "This SVG file is damaged.")
			}
			elements++
			if err := writeSVGElement(&out, t, len(open) == 0); err != nil {
				return nil, err
			}
			open = append(open, t.Name.Local)
		case xml.EndElement:
			out.WriteString("</" + open[len(open)-1] + ">")
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 {
				writeXML(&out, string(t))
			}
		}
	}
}

// writeSVGElement writes the start tag of an element with its attributes. It writes the
// properties in a style attribute as attributes, because the Content-Security-Policy makes
// the browser ignore style attributes.
func writeSVGElement(out *bytes.Buffer, element xml.StartElement, root bool) error {
	out.WriteString("<" + element.Name.Local)
	if root {
		out.WriteString(` xmlns="` + svgSpace + `"`)
	}
	var names []string
	values := map[string]string{}
	add := func(name, value string) error {
		if !svgAttributes[name] || !isSafeSVG(value) {
			return InvalidField(FieldLogo, "This SVG file contains the attribute “%s” with the value “%s”, which is not allowed.", shorten(name, 40), shorten(value, 60))
		}
		if _, found := values[name]; !found {
			names = append(names, name)
		}
		values[name] = value
		return nil
	}
	gradient := strings.HasSuffix(element.Name.Local, "Gradient")
	var style string
	for _, attribute := range element.Attr {
		name, value := attribute.Name.Local, attribute.Value
		switch {
		case name == "href" && (attribute.Name.Space == "" || attribute.Name.Space == xlinkSpace):
			if !gradient || !strings.HasPrefix(value, "#") || !isSafeSVG(value) {
				return InvalidField(FieldLogo, "This SVG file refers to “%s”, which is not allowed.", shorten(value, 60))
			}
			if _, found := values[name]; !found {
				names = append(names, name)
			}
			values[name] = value
		case attribute.Name.Space != "" || name == "xmlns" || svgIgnored[name] || strings.HasPrefix(name, "data-") || strings.HasPrefix(name, "aria-"):
		case name == "style":
			style = value
		default:
			if err := add(name, value); err != nil {
				return err
			}
		}
	}
	for property := range strings.SplitSeq(style, ";") {
		name, value, _ := strings.Cut(property, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if name == "" || strings.HasPrefix(name, "-") { // skip a property that only one program understands, such as -inkscape-stroke
			continue
		}
		if err := add(name, value); err != nil {
			return err
		}
	}
	for _, name := range names {
		out.WriteString(" " + name + `="`)
		writeXML(out, values[name])
		out.WriteByte('"')
	}
	out.WriteByte('>')
	return nil
}

func writeXML(out *bytes.Buffer, text string) {
	_ = xml.EscapeText(out, []byte(text)) // a buffer returns no error
}
