package views

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"

	"stockroom/store"
)

// Sizes of a page of a PDF, in millimeters.
const (
	pdfMargin = 20.0
	pdfWidth  = 210 - 2*pdfMargin
	pdfLine   = 5.0
	pdfColumn = 27.0 // width of a column of numbers

	pdfLogoWidth  = 60.0
	pdfLogoHeight = 20.0

	pdfWideColumn = 40.0 // width of the column with the prices without VAT
)

const pdfFont = "Go"

type pdf struct {
	*fpdf.Fpdf
	font *sfnt.Font
}

// pdf returns the document as a PDF; see papersPDF.
func (doc *paper) pdf(p *Page, c *store.Company, logo *store.Logo) ([]byte, error) {
	return papersPDF(p, c, logo, doc.title+" "+doc.facts[0].value, []*paper{doc})
}

// papersPDF returns documents as one PDF. Each document starts on a new page, and has the
// same text and amounts as paperSheet. It shows the logo only if the logo is a PNG.
func papersPDF(p *Page, c *store.Company, logo *store.Logo, title string, papers []*paper) ([]byte, error) {
	font, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	d := pdf{fpdf.New("P", "mm", "A4", ""), font}
	d.AddUTF8FontFromBytes(pdfFont, "", goregular.TTF)
	d.AddUTF8FontFromBytes(pdfFont, "B", gobold.TTF)
	d.SetMargins(pdfMargin, pdfMargin, pdfMargin)
	d.SetAutoPageBreak(true, pdfMargin)
	d.SetCatalogSort(true) // makes the PDFs of equal documents identical
	d.SetCreationDate(p.Now)
	d.SetModificationDate(p.Now)
	d.SetTitle(title, true)
	for _, doc := range papers {
		d.AddPage()
		d.logo(logo)
		d.sender(c)
		d.title(doc.title, doc.facts)
		d.lines(doc.addressee, true)
		d.Ln(pdfLine * 2)
		d.table(p, doc)
		d.Ln(pdfLine)
		d.lines(doc.bank, false)
		d.Ln(pdfLine)
		d.lines(c.Footer, false)
	}
	var b bytes.Buffer
	if err := d.Output(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// text replaces each character that the PDF cannot show with a question mark.
func (d *pdf) text(text string) string {
	var b sfnt.Buffer
	return strings.Map(func(r rune) rune {
		if !hasGlyph(d.font, &b, r) {
			return '?'
		}
		return r
	}, text)
}

// hasGlyph reports whether the PDF can show a character: the font must have it, and fpdf
// supports only characters up to U+FFFF.
func hasGlyph(font *sfnt.Font, b *sfnt.Buffer, r rune) bool {
	glyph, err := font.GlyphIndex(b, r)
	return err == nil && glyph != 0 && r <= 0xffff
}

// pdfGaps returns the first two words with letters that the PDF cannot show, or "" if there
// are none.
func pdfGaps(texts ...string) string {
	font, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		return ""
	}
	var b sfnt.Buffer
	var found []string
	for _, word := range strings.Fields(strings.Join(texts, " ")) {
		lacks := strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) && !hasGlyph(font, &b, r) })
		if lacks && !slices.Contains(found, word) && len(found) < 2 {
			found = append(found, word)
		}
	}
	return strings.Join(found, " ")
}

// customerGaps returns up to two words of a customer's name and address that a PDF
// cannot show, or "".
func customerGaps(c *store.Customer) string {
	if c == nil {
		return ""
	}
	return pdfGaps(append([]string{c.Name}, c.Address.Lines()...)...)
}

// pdfItem returns the text of the menu item for the PDF of a customer's document. It warns
// about words that the PDF cannot show.
func pdfItem(c *store.Customer) string {
	if words := customerGaps(c); words != "" {
		return "PDF (can't show " + words + ")"
	}
	return "PDF"
}

// texts returns the strings of a document that users entered.
func (doc *paper) texts(c *store.Company) []string {
	all := slices.Concat(doc.addressee, doc.bank, c.Footer, c.Address, []string{c.Name})
	for _, row := range doc.rows {
		all = append(all, row[0])
	}
	return all
}

func (d *pdf) setFont(style string, points float64) { d.SetFont(pdfFont, style, points) }

// lines writes each element on a line of its own. If bold is true, the first line is
// bold.
func (d *pdf) lines(lines []string, bold bool) {
	for i, line := range lines {
		style := ""
		if i == 0 && bold {
			style = "B"
		}
		d.setFont(style, 10)
		d.MultiCell(pdfWidth, pdfLine, d.text(line), "", "L", false)
	}
}

// logo draws a PNG logo at the top of the page, as large as the area for the logo
// allows.
func (d *pdf) logo(logo *store.Logo) {
	if logo == nil || logo.Type != store.LogoPNG {
		return
	}
	options := fpdf.ImageOptions{ImageType: "PNG"}
	info := d.RegisterImageOptionsReader("logo", options, bytes.NewReader(logo.Content))
	if info == nil { // the image is invalid, and Output returns the error
		return
	}
	scale := min(pdfLogoWidth/info.Width(), pdfLogoHeight/info.Height())
	d.ImageOptions("logo", pdfMargin+d.GetCellMargin(), d.GetY(), scale*info.Width(), scale*info.Height(), true, options, 0, "")
	d.Ln(pdfLine)
}

func (d *pdf) sender(c *store.Company) {
	if c.Name != "" {
		d.lines([]string{c.Name}, true)
	}
	d.lines(c.Address, false)
	if c.VATNumber != "" {
		d.lines([]string{"VAT number " + c.VATNumber}, false)
	}
	d.Ln(pdfLine * 2)
}

// title writes the title of the document, and facts such as its number.
func (d *pdf) title(title string, facts []paperFact) {
	d.setFont("B", 18)
	d.CellFormat(pdfWidth, 10, title, "", 1, "L", false, 0, "")
	for _, f := range facts {
		d.setFont("", 10)
		d.CellFormat(pdfColumn, pdfLine, f.name, "", 0, "L", false, 0, "")
		d.CellFormat(pdfWidth-pdfColumn, pdfLine, d.text(f.value), "", 1, "L", false, 0, "")
	}
	d.Ln(pdfLine * 2)
}

// table writes the lines and sums of a document. It repeats the column headings on each
// page.
func (d *pdf) table(p *Page, doc *paper) {
	widths := []float64{pdfWidth - 3*pdfColumn, pdfColumn, pdfColumn, pdfColumn}
	if len(doc.columns) > len(widths) {
		widths = slices.Insert(widths, 1, pdfWideColumn)
		widths[0] -= pdfWideColumn
	}
	row := func(style string, cells []string) {
		d.setFont(style, 9)
		for n, name := range d.SplitText(cmp.Or(d.text(cells[0]), " "), widths[0]-2) {
			d.CellFormat(widths[0], pdfLine, name, "", 0, "L", false, 0, "")
			for i, cell := range cells[1:] {
				if n > 0 {
					cell = ""
				}
				d.CellFormat(widths[i+1], pdfLine, d.text(cell), "", 0, "R", false, 0, "")
			}
			d.Ln(pdfLine)
		}
	}
	d.SetHeaderFunc(func() {
		d.SetY(pdfMargin)
		row("B", doc.columns)
	})
	row("B", doc.columns)
	for _, cells := range doc.rows {
		row("", cells)
	}
	d.SetHeaderFunc(nil)
	for i, s := range doc.sums {
		style, border := "", ""
		if s.due {
			style = "B"
		}
		if i == 0 {
			border = "T"
		}
		d.setFont(style, 9)
		d.CellFormat(pdfWidth-pdfColumn, pdfLine+1, d.text(s.name), border, 0, "L", false, 0, "")
		d.CellFormat(pdfColumn, pdfLine+1, d.text(p.money(s.amount)), border, 1, "R", false, 0, "")
	}
}
