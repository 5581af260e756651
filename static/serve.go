package static

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/andybalholm/brotli"
)

// Server serves the files. It holds each of them in every encoding, made when
// the program starts, so that a request costs no more than a copy.
type Server struct {
	byName map[string]variants // by the name with the hash
}

// variants are a file in each encoding; "" is the file as it is.
type variants struct {
	contentType string
	content     map[string][]byte
}

// NewServer compresses the files.
func NewServer() (*Server, error) {
	s := &Server{byName: make(map[string]variants, len(files))}
	for _, f := range files {
		v := variants{contentType: f.contentType, content: map[string][]byte{"": f.content}}
		if f.compressible() {
			for encoding, compressor := range compressors {
				content, err := compressed(f.content, compressor)
				if err != nil {
					return nil, fmt.Errorf("compressing %s: %w", f.name, err)
				}
				v.content[encoding] = content
			}
		}
		s.byName[f.name] = v
	}
	return s, nil
}

// brotliLevel takes a few milliseconds for all files together. The best level
// would make them a tenth smaller and the program start a third of a second
// later.
const brotliLevel = 5

// compressors make the encodings that are offered.
var compressors = map[string]func(io.Writer) (io.WriteCloser, error){
	"br":   func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriterLevel(w, brotliLevel), nil },
	"gzip": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestCompression) },
}

func compressed(content []byte, compressor func(io.Writer) (io.WriteCloser, error)) ([]byte, error) {
	var out bytes.Buffer
	w, err := compressor(&out)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// ServeHTTP answers GET and HEAD of a file's own path. A name with another
// hash is not found: a page that asks for it was made by another version of
// the program, and would not fit to what is here.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v, found := s.byName[strings.TrimPrefix(r.URL.Path, Prefix)]
	if !found {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", v.contentType)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	encoding := ""
	if len(v.content) > 1 {
		h.Add("Vary", "Accept-Encoding")
		encoding = Encoding(r.Header.Get("Accept-Encoding"))
	}
	if encoding != "" {
		h.Set("Content-Encoding", encoding)
	}
	content := v.content[encoding]
	h.Set("Content-Length", strconv.Itoa(len(content)))
	if r.Method == http.MethodHead {
		return
	}
	_, _ = w.Write(content) // it fails only where the browser went away: nobody is left to tell
}
