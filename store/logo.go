package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"image"
	"image/draw"
	"image/png"

	"stockroom/store/table"
)

// Media types of a logo.
const (
	LogoPNG = "image/png"
	LogoSVG = "image/svg+xml"
)

// Limits of a logo. MaxLogoSide is checked before the file is decoded, because the pixels
// of a small PNG file may not fit into memory.
const (
	MaxLogo       = 32 << 10  // bytes of the uploaded file
	MaxLogoSide   = 2000      // pixels of a PNG in each direction
	maxStoredLogo = 128 << 10 // bytes of the stored file
)

// FieldLogo is the name of the form field for the file of a logo. Errors refer to it.
const FieldLogo = "logo"

// Logo is the logo of the business, for printed documents. Its content is not the uploaded
// file: the program reads the pixels or shapes of that file and writes a new file.
type Logo struct {
	Type    string // LogoPNG or LogoSVG
	Digest  string // digest of Content; also in Company.Logo
	Content []byte
	Version int
}

func (*Logo) EntityType() string { return "logo" }

func (*Logo) KeyValue(string) string { return "" }

func (l *Logo) attributes(a *table.Attributes) {
	a.Text("Type", &l.Type)
	a.Text("Digest", &l.Digest)
	text := base64.StdEncoding.EncodeToString(l.Content)
	a.Text("Content", &text)
	if a.Decoding() {
		content, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			a.Damaged("Content", "base64")
		}
		l.Content = content
	}
	a.Version(&l.Version)
}

func (l *Logo) describe() string {
	if l == nil {
		return ""
	}
	name := "PNG"
	if l.Type == LogoSVG {
		name = "SVG"
	}
	return fmt.Sprintf("%s, %d KB, checksum %.8s", name, (len(l.Content)+1023)>>10, l.Digest)
}

// ParseLogo checks an uploaded file and returns a logo that contains only the pixels or
// shapes of the file. It returns Invalid with FieldLogo if the file cannot be a logo.
func ParseLogo(file []byte) (*Logo, error) {
	if len(file) > MaxLogo {
		return nil, InvalidField(FieldLogo, "Choose a file of at most %d KB.", MaxLogo>>10)
	}
	l := &Logo{}
	var err error
	switch {
	case bytes.HasPrefix(file, []byte("\x89PNG\r\n\x1a\n")):
		l.Type = LogoPNG
		l.Content, err = cleanPNG(file)
	case bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(file, []byte("\uFEFF"))), []byte("<")):
		l.Type = LogoSVG
		l.Content, err = cleanSVG(file)
	default:
		return nil, InvalidField(FieldLogo, "Choose a PNG or SVG file.")
	}
	if err != nil {
		return nil, err
	}
	if len(l.Content) > maxStoredLogo {
		return nil, InvalidField(FieldLogo, "This image is too detailed. Choose a simpler one.")
	}
	sum := sha256.Sum256(l.Content)
	l.Digest = hex.EncodeToString(sum[:16])
	return l, nil
}

// cleanPNG decodes a PNG file and encodes it again, with at most 8 bits per channel and
// without interlacing. The PDF library does not support interlacing.
func cleanPNG(file []byte) ([]byte, error) {
	size, err := png.DecodeConfig(bytes.NewReader(file))
	if err != nil {
		return nil, InvalidField(FieldLogo, "This PNG file is damaged.")
	}
	if size.Width > MaxLogoSide || size.Height > MaxLogoSide {
		return nil, InvalidField(FieldLogo, "Choose an image of at most %d × %d pixels. This one has %d × %d.", MaxLogoSide, MaxLogoSide, size.Width, size.Height)
	}
	picture, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		return nil, InvalidField(FieldLogo, "This PNG file is damaged.")
	}
	switch p := picture.(type) {
	case *image.Gray, *image.NRGBA, *image.RGBA:
	default:
		if paletted, ok := p.(*image.Paletted); ok && paletted.Opaque() { // the PDF library keeps only one transparent color of a palette
			break
		}
		plain := image.NewNRGBA(picture.Bounds())
		draw.Draw(plain, plain.Bounds(), picture, picture.Bounds().Min, draw.Src)
		picture = plain
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&b, picture); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// Logo returns the logo of the business. It returns NotFound if there is none.
func (s *Store) Logo(ctx context.Context) (*Logo, error) {
	return readConsistently[*Logo](ctx, s, getLogo, nil)
}

// Logo returns the logo of the business. It returns NotFound if there is none.
func (a Access) Logo(ctx context.Context) (*Logo, error) {
	if err := a.require(SignedIn); err != nil {
		return nil, err
	}
	return a.store.Logo(ctx)
}

// PDFLogo returns the logo for the PDFs of a company. It returns nil if there is no logo,
// or if the logo is an SVG, because the PDFs show only PNG logos.
func (s *Store) PDFLogo(ctx context.Context, c Company) (*Logo, error) {
	if c.Logo == "" || c.LogoType == LogoSVG {
		return nil, nil
	}
	logo, err := s.Logo(ctx)
	if KindOf(err) == NotFound {
		return nil, nil
	}
	return logo, err
}

// PDFLogo returns the logo for the PDFs of a company; see Store.PDFLogo.
func (a Access) PDFLogo(ctx context.Context, c Company) (*Logo, error) {
	if err := a.require(SignedIn); err != nil {
		return nil, err
	}
	return a.store.PDFLogo(ctx, c)
}

// ChangeLogo replaces the logo, or removes it if logo is nil. version is the version of the
// settings that the form showed. ChangeLogo returns Conflict if the settings have changed
// since.
func (a Access) ChangeLogo(ctx context.Context, logo *Logo, version int, token string) error {
	before, err := a.CurrentSettings(ctx)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	if version != before.Version {
		return c.rejectOutdated(ctx, getSettings.PK.String())
	}
	stored, err := a.store.Logo(ctx)
	if err != nil && KindOf(err) != NotFound {
		return err
	}
	after := before
	after.Company.Logo, after.Company.LogoType = "", ""
	if logo != nil {
		after.Company.Logo, after.Company.LogoType = logo.Digest, logo.Type
	}
	if after.Company.Logo == before.Company.Logo {
		return nil
	}
	switch {
	case logo == nil && stored != nil:
		c.DeleteVersion(stored, stored.Version)
	case logo != nil && stored == nil:
		added := *logo
		added.Version = 1
		c.Create(&added)
	case logo != nil:
		next := *logo
		next.Version = stored.Version + 1
		c.Replace(&next, stored.Version)
	}
	var e edits
	e.field("logo", stored.describe(), logo.describe())
	entry, _ := e.event("", "")
	return a.store.saveSettings(ctx, c, before, after, entry)
}
