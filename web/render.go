package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"sync"

	"github.com/a-h/templ"
	"github.com/andybalholm/brotli"
	"github.com/labstack/echo/v4"

	"stockroom/static"
)

// Render answers with a page.
func (t *Tools) Render(c echo.Context, page templ.Component) error {
	return t.RenderStatus(c, http.StatusOK, page)
}

// buffers are reused, because a page is some 20 KB and made a thousand times a
// second.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// RenderStatus writes the page into a buffer first, and only then status and
// page: half a page never leaves.
func (t *Tools) RenderStatus(c echo.Context, status int, page templ.Component) error {
	b, _ := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	if err := page.Render(c.Request().Context(), b); err != nil {
		return err
	}
	return send(c, status, echo.MIMETextHTMLCharsetUTF8, b.Bytes())
}

// compressFrom is the size from which compressing pays.
const compressFrom = 1400

// Compressors are expensive to make and cheap to reuse. Their levels are the
// fast ones: a page is compressed for one reader, not once for all.
var (
	brotlis = sync.Pool{New: func() any { return brotli.NewWriterLevel(io.Discard, 2) }}
	gzips   = sync.Pool{New: func() any {
		w, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed) // the level is a valid one
		return w
	}}
)

// compressor is what both kinds have in common.
type compressor interface {
	io.WriteCloser
	Reset(io.Writer)
}

// send writes an answer, compressed where the browser takes that. Pages carry
// no secret that compression could give away: forms are protected by where
// they come from, not by a token.
func send(c echo.Context, status int, contentType string, body []byte) error {
	w := c.Response()
	header := w.Header()
	header.Set(echo.HeaderContentType, contentType)
	header.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
	pool, encoding := (*sync.Pool)(nil), ""
	if len(body) >= compressFrom {
		switch encoding = static.Encoding(c.Request().Header.Get(echo.HeaderAcceptEncoding)); encoding {
		case "br":
			pool = &brotlis
		case "gzip":
			pool = &gzips
		}
	}
	if pool == nil {
		w.WriteHeader(status)
		_, err := w.Write(body)
		return err
	}
	header.Set(echo.HeaderContentEncoding, encoding)
	w.WriteHeader(status)
	z, _ := pool.Get().(compressor)
	defer pool.Put(z)
	z.Reset(w)
	if _, err := z.Write(body); err != nil {
		return err
	}
	return z.Close()
}
