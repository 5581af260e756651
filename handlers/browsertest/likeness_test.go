package browsertest

import (
	"image"
	"image/color"
	"image/draw"
	"slices"
	"testing"
)

// Two pictures are compared by the mean colours of cells, so that letters which
// another version of a browser draws a little thicker are no difference, and a
// card which stands elsewhere is one.
const (
	cell       = 20    // pixels, both ways
	tolerance  = 20    // of 255, by which the mean of a cell may differ in a colour
	mostUnlike = 0.002 // of all cells that may differ by more
)

// unlikeness is the part of a picture, from 0 to 1, that looks otherwise in
// another one: all of it where they differ in size.
func unlikeness(a, b image.Image) float64 {
	size := a.Bounds().Size()
	if size != b.Bounds().Size() {
		return 1
	}
	differ, cells := 0, 0
	for y := 0; y < size.Y; y += cell {
		for x := 0; x < size.X; x += cell {
			part := image.Rect(x, y, min(x+cell, size.X), min(y+cell, size.Y))
			meanA, meanB := mean(a, part), mean(b, part)
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

// mean is the mean of each colour in a part of a picture, from 0 to 255.
func mean(picture image.Image, part image.Rectangle) (sum [3]float64) {
	part = part.Add(picture.Bounds().Min)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			r, g, b, _ := picture.At(x, y).RGBA()
			sum[0], sum[1], sum[2] = sum[0]+float64(r>>8), sum[1]+float64(g>>8), sum[2]+float64(b>>8)
		}
	}
	for i := range sum {
		sum[i] /= float64(part.Dx() * part.Dy())
	}
	return sum
}

// fewColours is a picture in its 256 most frequent colours, which makes its
// file a third as long: a page has few, and letters have shades between them.
func fewColours(picture image.Image) image.Image {
	bounds := picture.Bounds()
	counts := map[color.RGBA]int{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			counts[color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA)]++
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
	few := image.NewPaletted(bounds, palette)
	draw.Draw(few, bounds, picture, bounds.Min, draw.Src)
	return few
}

// TestLikenessSeesWhatChanged draws a page of three cards, as letters of
// another browser would be, and as somebody would have changed it.
func TestLikenessSeesWhatChanged(t *testing.T) {
	page := func(shade uint8, cards ...image.Rectangle) image.Image {
		p := image.NewRGBA(image.Rect(0, 0, 390, 840))
		draw.Draw(p, p.Bounds(), image.White, image.Point{}, draw.Src)
		for _, card := range cards {
			draw.Draw(p, card, image.NewUniform(color.RGBA{230, 235, 255, 255}), image.Point{}, draw.Src)
			for y := card.Min.Y + 10; y < card.Max.Y-10; y += 20 { // lines of text
				for x := card.Min.X + 10; x < card.Max.X-10; x += 3 {
					draw.Draw(p, image.Rect(x, y, x+1, y+9), image.NewUniform(color.Gray{shade}), image.Point{}, draw.Src)
				}
			}
		}
		return p
	}
	first, second, third := image.Rect(20, 20, 370, 200), image.Rect(20, 220, 370, 400), image.Rect(20, 420, 370, 800)
	was := page(40, first, second, third)
	for name, tt := range map[string]struct {
		is   image.Image
		like bool
	}{
		"the same":               {page(40, first, second, third), true},
		"in few colours":         {fewColours(was), true},
		"thinner letters":        {page(110, first, second, third), true},
		"a card less":            {page(40, first, third), false},
		"a card stands lower":    {page(40, first, second.Add(image.Pt(0, 12)), third), false},
		"a card without letters": {page(235, first, second, third), false},
		"another size":           {image.NewRGBA(image.Rect(0, 0, 390, 841)), false},
	} {
		if unlike := unlikeness(tt.is, was); unlike <= mostUnlike != tt.like {
			t.Errorf("%s: %.3f of the page differ", name, unlike)
		}
	}
}
