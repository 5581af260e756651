package browsertest

import (
	"image"
	"image/color"
	"image/draw"
	"slices"
	"testing"
)

// Settings for comparing two images, cell by cell. Two cells are equal if their mean colors
// are about the same. So the comparison ignores letters that another browser version draws
// slightly thicker, but notices a card that has moved.
const (
	cell          = 20    // width and height of a cell in pixels
	tolerance     = 20    // maximum difference between the mean red, green or blue values of equal cells, which are 0 to 255
	maxDifference = 0.002 // maximum share of cells that may differ
)

// differingShare returns the share of cells that differ between two images, from 0 to 1.
// It returns 1 for images of different sizes.
func differingShare(a, b image.Image) float64 {
	size := a.Bounds().Size()
	if size != b.Bounds().Size() {
		return 1
	}
	differ, cells := 0, 0
	for y := 0; y < size.Y; y += cell {
		for x := 0; x < size.X; x += cell {
			part := image.Rect(x, y, min(x+cell, size.X), min(y+cell, size.Y))
			meanA, meanB := meanColor(a, part), meanColor(b, part)
			for i := range meanA {
				if max(meanA[i]-meanB[i], meanB[i]-meanA[i]) > tolerance {
					differ++
					break
				}
			}
			cells++
		}
	}
	return float64(differ) / float64(cells)
}

// meanColor returns the mean red, green and blue values of a part of an image, each from
// 0 to 255.
func meanColor(img image.Image, part image.Rectangle) (sum [3]float64) {
	part = part.Add(img.Bounds().Min)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			sum[0], sum[1], sum[2] = sum[0]+float64(r>>8), sum[1]+float64(g>>8), sum[2]+float64(b>>8)
		}
	}
	for i := range sum {
		sum[i] /= float64(part.Dx() * part.Dy())
	}
	return sum
}

// quantize reduces an image to its 256 most frequent colors, which makes its file about a
// third as large.
func quantize(img image.Image) image.Image {
	bounds := img.Bounds()
	counts := map[color.RGBA]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			counts[color.RGBAModel.Convert(img.At(x, y)).(color.RGBA)]++
		}
	}
	var all []color.RGBA
	for c := range counts {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return int(a.R)<<16 + int(a.G)<<8 + int(a.B) - int(b.R)<<16 - int(b.G)<<8 - int(b.B)
	})
	var palette color.Palette
	for _, c := range all[:min(256, len(all))] {
		palette = append(palette, c)
	}
	reduced := image.NewPaletted(bounds, palette)
	draw.Draw(reduced, bounds, img, bounds.Min, draw.Src)
	return reduced
}

// TestDifferingShare_FindsChangedLayout compares variants of a page with three cards.
// The comparison must ignore small differences of rendering and find changes of the
// layout.
func TestDifferingShare_FindsChangedLayout(t *testing.T) {
	page := func(shade uint8, cards ...image.Rectangle) image.Image {
		p := image.NewRGBA(image.Rect(0, 0, 390, 840))
		draw.Draw(p, p.Bounds(), image.White, image.Point{}, draw.Src)
		for _, card := range cards {
			draw.Draw(p, card, image.NewUniform(color.RGBA{230, 235, 255, 255}), image.Point{}, draw.Src)
			for y := card.Min.Y + 10; y < card.Max.Y-10; y += 20 { // draw lines of text
				for x := card.Min.X + 10; x < card.Max.X-10; x += 3 {
					draw.Draw(p, image.Rect(x, y, x+1, y+9), image.NewUniform(color.Gray{shade}), image.Point{}, draw.Src)
				}
			}
		}
		return p
	}
	first, second, third := image.Rect(20, 20, 370, 200), image.Rect(20, 220, 370, 400), image.Rect(20, 420, 370, 800)
	before := page(40, first, second, third)
	for name, tt := range map[string]struct {
		after image.Image
		pass  bool
	}{
		"unchanged":         {page(40, first, second, third), true},
		"256 colors":        {quantize(before), true},
		"thinner letters":   {page(110, first, second, third), true},
		"card removed":      {page(40, first, third), false},
		"card moved down":   {page(40, first, second.Add(image.Pt(0, 12)), third), false},
		"card without text": {page(235, first, second, third), false},
		"other size":        {image.NewRGBA(image.Rect(0, 0, 390, 841)), false},
	} {
		if share := differingShare(tt.after, before); (share <= maxDifference) != tt.pass {
			t.Errorf("%s: differing share %.3f, want pass %t", name, share, tt.pass)
		}
	}
}
