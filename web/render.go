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

// Render answers with a page and status 200.
func (t *Tools) Render(c echo.Context, page templ.Component) error {
	return t.RenderStatus(c, http.StatusOK, page)
}

// buffers reuses memory, because a page has about 20 KB, and a server can render a thousand
// pages per second.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// titleTag begins the title of a page, and errorTitle begins it if the user must correct
// something.
var titleTag, errorTitle = []byte("<title>"), []byte("<title>Error: ")

// mustCorrect reports whether the status says that the request was wrong, and that the user
// can correct it. This is not the case for a page that is missing or not allowed.
func mustCorrect(status int) bool {
	switch status {
	case http.StatusBadRequest, http.StatusConflict, http.StatusUnprocessableEntity, http.StatusTooManyRequests:
		return true
	}
	return false
}

// RenderStatus answers with a page. It renders the page into a buffer first. If this fails,
// it sends no part of the page. If the user must correct something, the title of the page
// begins with "Error: ", so that screen readers say it first; see
// https://design-system.service.gov.uk/components/error-message/.
func (t *Tools) RenderStatus(c echo.Context, status int, page templ.Component) error {
	b, _ := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	if err := page.Render(c.Request().Context(), b); err != nil {
		return err
	}
	html := b.Bytes()
	if mustCorrect(status) {
		html = bytes.Replace(html, titleTag, errorTitle, 1)
	}
	return send(c, status, echo.MIMETextHTMLCharsetUTF8, html)
}

// Values of headers that all pages share.
var (
	htmlType  = []string{echo.MIMETextHTMLCharsetUTF8}
	encodings = []string{echo.HeaderAcceptEncoding}
)

// minCompressed is the minimum size of the responses to compress, in bytes.
const minCompressed = 1400

// Compressors are reused, because a new one is expensive. They use fast levels,
// because a compressed page is sent only once.
var (
	brotlis = sync.Pool{New: func() any { return brotli.NewWriterLevel(io.Discard, 2) }}
	gzips   = sync.Pool{New: func() any {
		w, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed) // fails only if the level is invalid
		return w
	}}
)

// compressor is a brotli.Writer or gzip.Writer.
type compressor interface {
	io.WriteCloser
	Reset(io.Writer)
}

// send sends a body, compressed if the browser accepts it. Compression can reveal
// secrets such as CSRF tokens (https://www.breachattack.com), but pages contain no
// lasting secrets: form tokens are different on each page.
func send(c echo.Context, status int, contentType string, body []byte) error {
	w := c.Response()
	header := w.Header()
	if contentType == echo.MIMETextHTMLCharsetUTF8 {
		header[echo.HeaderContentType] = htmlType
	} else {
		header.Set(echo.HeaderContentType, contentType)
	}
	if header[echo.HeaderVary] == nil {
		header[echo.HeaderVary] = encodings
	} else {
		header.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
	}
	pool, encoding := (*sync.Pool)(nil), ""
	if len(body) >= minCompressed {
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
