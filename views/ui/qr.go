package ui

import (
	"context"
	"fmt"
	"image/color"
	"io"
	"strings"

	"github.com/boombuler/barcode/qr"
)

// QR is a QR code.
type QR struct {
	About string // description of the code for screen readers
	Size  int    // length of a side in modules (squares of the code), including the quiet zone
	Path  string // SVG path of all dark modules
}

// quietZone is the width of the empty border that scanners need, in modules.
const quietZone = 4

// NewQR encodes text as a QR code with error correction level M: scanners can read the code
// even if about 15 % of it is damaged. It returns an error for more than about two thousand
// bytes of text.
func NewQR(text, about string) (QR, error) {
	code, err := qr.Encode(text, qr.M, qr.Unicode)
	if err != nil {
		return QR{}, fmt.Errorf("making a QR code: %w", err)
	}
	size := code.Bounds().Dx()
	var path strings.Builder
	for y := range size {
		// Draw adjacent dark modules in a row as one rectangle.
		for x, end := 0, 0; x < size; x = end + 1 {
			for end = x; end < size && code.At(end, y) == color.Black; {
				end++
			}
			if end > x {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", x+quietZone, y+quietZone, end-x, end-x)
			}
		}
	}
	return QR{About: about, Size: size + 2*quietZone, Path: path.String()}, nil
}

// Render writes the component to w.
func (q QR) Render(ctx context.Context, w io.Writer) error {
	return Written(func(m *Markup) {
		m.HTML(`<svg class="qr" role="img" shape-rendering="crispEdges" viewBox="0 0 `)
		m.Int(q.Size)
		m.HTML(` `)
		m.Int(q.Size)
		m.HTML(`" aria-label="`)
		m.Text(q.About)
		m.HTML(`"><path d="`)
		m.Text(q.Path)
		m.HTML(`"></path></svg>`)
	}).Render(ctx, w)
}
