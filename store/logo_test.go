package store_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"stockroom/store"
)

func pngOf(t *testing.T, picture image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withSize returns a copy of a PNG file with another size in its header.
func withSize(file []byte, width, height uint32) []byte {
	changed := bytes.Clone(file)
	binary.BigEndian.PutUint32(changed[16:], width)
	binary.BigEndian.PutUint32(changed[20:], height)
	binary.BigEndian.PutUint32(changed[29:], crc32.ChecksumIEEE(changed[12:29]))
	return changed
}

func svgOf(content string) string {
	return `<?xml version="1.0" encoding="UTF-8"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10">` + content + `</svg>`
}

func TestParseLogo_RejectsUnsafeFiles(t *testing.T) {
	small := pngOf(t, image.NewNRGBA(image.Rect(0, 0, 4, 4)))
	nested := strings.Repeat("<g>", 60) + strings.Repeat("</g>", 60)
	for name, file := range map[string]string{
		"empty":                "",
		"text":                 "logo",
		"GIF":                  "GIF89a\x01\x00\x01\x00",
		"too large":            string(small) + strings.Repeat("x", store.MaxLogo),
		"PNG without pixels":   string(small[:40]),
		"PNG bomb":             string(withSize(small, 1_000_000, 1_000_000)),
		"wide PNG":             string(withSize(small, store.MaxLogoSide+1, 1)),
		"PNG that ends early":  string(withSize(small, store.MaxLogoSide, store.MaxLogoSide)),
		"HTML":                 "<html><body>x</body></html>",
		"other namespace":      `<svg xmlns="http://www.w3.org/1999/xhtml"/>`,
		"no element":           "<!-- nothing -->",
		"not closed":           svgOf("<g>"),
		"two roots":            svgOf("") + svgOf(""),
		"nested svg":           svgOf("<svg/>"),
		"too deep":             svgOf(nested),
		"other encoding":       strings.Replace(svgOf(""), "UTF-8", "UTF-7", 1),
		"doctype":              `<!DOCTYPE svg [<!ENTITY a "b">]>` + svgOf(""),
		"entity":               svgOf("<text>&lol;</text>"),
		"script":               svgOf("<script>alert(1)</script>"),
		"capital script":       svgOf("<SCRIPT>alert(1)</SCRIPT>"),
		"style":                svgOf("<style>*{fill:url(http://evil.example)}</style>"),
		"foreignObject":        svgOf("<foreignObject><p>x</p></foreignObject>"),
		"image":                svgOf(`<image href="https://evil.example/x.png"/>`),
		"data image":           svgOf(`<image xlink:href="data:image/svg+xml;base64,AAAA"/>`),
		"use":                  svgOf(`<use href="#a"/>`),
		"a":                    svgOf(`<a href="javascript:alert(1)"><rect/></a>`),
		"animation":            svgOf(`<animate attributeName="href" values="javascript:alert(1)"/>`),
		"set":                  svgOf(`<set attributeName="onload" to="alert(1)"/>`),
		"filter":               svgOf(`<filter/>`),
		"handler":              svgOf(`<rect onclick="alert(1)"/>`),
		"handler of root":      `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`,
		"href":                 svgOf(`<path href="#a"/>`),
		"gradient elsewhere":   svgOf(`<linearGradient xlink:href="https://evil.example/#a"/>`),
		"fill elsewhere":       svgOf(`<rect fill="url(https://evil.example/#a)"/>`),
		"quoted fill":          svgOf(`<rect fill="url( 'https://evil.example/#a')"/>`),
		"escaped fill":         svgOf(`<rect fill="u\72l(https://evil.example)"/>`),
		"comment in fill":      svgOf(`<rect fill="url(/**/https://evil.example)"/>`),
		"style elsewhere":      svgOf(`<rect style="fill: URL(//evil.example)"/>`),
		"image-set":            svgOf(`<rect style="mask-image: image-set('https://evil.example')"/>`),
		"import in style":      svgOf(`<rect style="@import 'https://evil.example'"/>`),
		"several values":       svgOf(`<rect fill="rgb(1,2,3) url(//evil.example)"/>`),
		"processing of styles": svgOf(`<rect style="behavior: expression(alert(1))"/>`),
	} {
		logo, err := store.ParseLogo([]byte(file))
		var rejected *store.Error
		if !errors.As(err, &rejected) || rejected.Kind != store.Invalid || rejected.Field != store.FieldLogo {
			t.Errorf("%s: got %+v, %v; want an Invalid error", name, logo, err)
		}
	}
}

func TestParseLogo_KeepsShapesOnly(t *testing.T) {
	file := "\uFEFF" + svgOf(`<!-- made by hand --><?xml-stylesheet href="https://evil.example"?>
		<metadata><script>alert(1)</script></metadata>
		<x:view xmlns:x="https://editor.example"><script>alert(1)</script></x:view>
		<defs><linearGradient id="a" gradientTransform="rotate(45)"><stop offset="0" style="stop-color:#f00;-inkscape-x:url(//evil.example)"/></linearGradient><linearGradient id="b" xlink:href="#a"/></defs>
		<path class="c" style="fill:url(#a); stroke : rgb(1,2,3)" d="M0 0L1,1 z" xlink:title="x" xml:space="preserve" data-name="n"/>
		<text x="1" font-family="'Gill Sans', sans-serif">A &amp; B &lt;script&gt;</text>`)
	logo, err := store.ParseLogo([]byte(file))
	if err != nil {
		t.Fatal(err)
	}
	got := string(logo.Content)
	for _, want := range []string{`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">`, `<linearGradient id="b" href="#a">`, `<stop offset="0" stop-color="#f00">`, `<path d="M0 0L1,1 z" fill="url(#a)" stroke="rgb(1,2,3)"></path>`, `A &amp; B &lt;script&gt;</text>`} {
		if !strings.Contains(got, want) {
			t.Errorf("got no %s, want it in\n%s", want, got)
		}
	}
	for _, unwanted := range []string{"evil", "alert", "<?", "<!", "class", "data-", "xlink", "xml:"} {
		if strings.Contains(got, unwanted) {
			t.Errorf("got %q, want it removed from\n%s", unwanted, got)
		}
	}
	if again, err := store.ParseLogo(logo.Content); err != nil || again.Digest != logo.Digest || logo.Type != store.LogoSVG {
		t.Errorf("got %+v, %v after parsing the logo again; want the same logo", again, err)
	}
}

func TestParseLogo_EncodesPixelsAgain(t *testing.T) {
	clear, half := color.NRGBA{}, color.NRGBA{200, 0, 0, 128}
	pictures := map[string]image.Image{
		"gray":              image.NewGray(image.Rect(0, 0, 3, 3)),
		"16 bits":           image.NewNRGBA64(image.Rect(0, 0, 3, 3)),
		"colors":            image.NewNRGBA(image.Rect(0, 0, 3, 3)),
		"palette":           image.NewPaletted(image.Rect(0, 0, 3, 3), color.Palette{color.White, color.Black}),
		"clear palette":     image.NewPaletted(image.Rect(0, 0, 3, 3), color.Palette{half, clear, color.Black}),
		"largest dimension": image.NewGray(image.Rect(0, 0, store.MaxLogoSide, store.MaxLogoSide)),
	}
	for name, picture := range pictures {
		secret := "<script>alert(1)</script>"
		logo, err := store.ParseLogo(append(pngOf(t, picture), secret...))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := png.Decode(bytes.NewReader(logo.Content))
		if err != nil || got.Bounds() != picture.Bounds() || logo.Type != store.LogoPNG || bytes.Contains(logo.Content, []byte(secret)) {
			t.Errorf("%s: got %v, %v, type %s; want the same picture without other content", name, got.Bounds(), err, logo.Type)
			continue
		}
		wantR, wantG, wantB, wantA := picture.At(1, 1).RGBA()
		if r, g, b, a := got.At(1, 1).RGBA(); r != wantR || g != wantG || b != wantB || a != wantA {
			t.Errorf("%s: got color %v, want %v", name, got.At(1, 1), picture.At(1, 1))
		}
	}
}
