package static

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// Server is an HTTP handler for the static files. It keeps the files in memory. It also
// keeps each file in all encodings if compression makes the file smaller.
type Server struct {
	byName map[string]variants // files by name, such as app-0123456789.css
}

// variants contains one file in all encodings.
type variants struct {
	contentType string
	content     map[string][]byte // content by encoding; the key "" is for the uncompressed content
}

// NewServer returns the server of the static files. The first call compresses them.
func NewServer() (*Server, error) { return server() }

var server = sync.OnceValues(compressFiles)

func compressFiles() (*Server, error) {
	s := &Server{byName: make(map[string]variants, len(files))}
	for _, f := range files {
		v := variants{contentType: f.contentType, content: map[string][]byte{"": f.content}}
		if f.compressible() {
			for encoding, compressor := range compressors {
				content, err := compress(f.content, compressor)
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

// brotliLevel is the compression level of Brotli. Compressing all files takes about 30
// milliseconds at this level. At the highest level, the files would be a tenth smaller, but
// the server would start a third of a second later.
const brotliLevel = 6

// compressors contains, for each encoding, a function that returns a compressing writer.
var compressors = map[string]func(io.Writer) (io.WriteCloser, error){
	"br":   func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriterLevel(w, brotliLevel), nil },
	"gzip": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriterLevel(w, gzip.BestCompression) },
}

func compress(content []byte, compressor func(io.Writer) (io.WriteCloser, error)) ([]byte, error) {
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

// ServeHTTP serves files by their hashed names. Browsers may cache them forever. For a name
// with another hash, it returns 404. Such names are only in pages of other versions of the
// program.
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
	_, _ = w.Write(content) // fails only if the client has disconnected
}
