// Package wire serves an engine over HTTP with DynamoDB's JSON 1.0 protocol and
// error formats, so that the AWS SDKs, the AWS CLI and other tools can use it.
//
// It decodes requests and encodes responses. The engine implements and
// validates the operations; the caller listens.
package wire

import (
	"crypto/rand"
	"encoding/base32"
	"errors"
	"hash/crc32"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	jsonType = "application/x-amz-json-1.0"

	targetPrefix = "DynamoDB_20120810."

	// maxBody is the maximum size of a request, in bytes.
	maxBody = 16 << 20
)

// Handler serves all operations of engine to whoever can connect. Requests must
// have a loopback Host, so that a web page cannot reach the engine through a domain
// name that resolves to this machine. They must be signed, but the signature is
// not verified.
func Handler(engine Engine) http.Handler {
	return &handler{operations: operations(engine)}
}

// VerifyingHandler is a Handler that serves only requests signed with the key, and
// withholds secret items.
func VerifyingHandler(engine Engine, key AccessKey, secrets Secrets) http.Handler {
	return &handler{operations: operations(withholding{engine, secrets}), key: &key}
}

type handler struct {
	operations map[string]operation
	key        *AccessKey // nil: signatures are not verified
}

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Amzn-Requestid", requestID())
	if !IsLoopback(r.Host) {
		http.Error(w, "Only loopback hosts are served", http.StatusForbidden)
		return
	}
	if r.Method == http.MethodGet && r.URL.Path == "/" {
		respond(w, http.StatusOK, "text/plain", []byte("healthy: dynamodb"))
		return
	}
	contentType, ok := jsonContent(r)
	if r.Method != http.MethodPost || !ok {
		respond(w, http.StatusNotFound, "application/xml", []byte("<UnknownOperationException/>\n"))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		h.rejectBody(w, err)
		return
	}
	status := http.StatusOK
	output, err := h.serve(r, body)
	if err != nil {
		status, output = errorResponse(err)
	}
	respond(w, status, contentType, output)
}

func (h *handler) rejectBody(w http.ResponseWriter, err error) {
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		http.Error(w, "The request is larger than 16 MB", http.StatusRequestEntityTooLarge)
		return
	}
	http.Error(w, "The request body could not be read", http.StatusBadRequest)
}

// serve runs the requested operation.
func (h *handler) serve(r *http.Request, body []byte) ([]byte, error) {
	name, ok := strings.CutPrefix(r.Header.Get("X-Amz-Target"), targetPrefix)
	run, known := h.operations[name]
	if !ok || !known {
		return nil, &serviceError{code: "UnknownOperationException"}
	}
	if !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-") {
		return nil, errUnsigned
	}
	if h.key != nil {
		if err := h.key.verify(r, body, time.Now()); err != nil {
			return nil, err
		}
	}
	return run(r.Context(), body)
}

// jsonContent returns the request's media type, and whether it is JSON.
func jsonContent(r *http.Request) (string, bool) {
	media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	media = strings.TrimSpace(media)
	return media, media == jsonType || media == "application/json"
}

// IsLoopback reports whether a host, with or without a port, is this machine.
func IsLoopback(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.Trim(host, "[]")
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

func respond(w http.ResponseWriter, status int, contentType string, body []byte) {
	header := w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	header.Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE(body)), 10))
	w.WriteHeader(status)
	// An error means that the client has disconnected.
	_, _ = w.Write(body)
}

// requestID returns a random ID like DynamoDB's, of 52 letters and digits.
func requestID() string {
	var id [32]byte
	_, _ = rand.Read(id[:]) // it never fails
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(id[:])
}
