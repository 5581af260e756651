// Package wire serves an engine over HTTP, with the JSON 1.0 protocol and the error
// formats of DynamoDB. The AWS SDKs, the AWS CLI and other tools can therefore use
// the engine.
//
// Package wire decodes requests and encodes responses. The engine validates and
// executes the operations. The caller opens the listener.
package wire

import (
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/aws/smithy-go"
)

const (
	jsonType = "application/x-amz-json-1.0"

	targetPrefix       = "DynamoDB_20120810."
	streamTargetPrefix = "DynamoDBStreams_20120810."

	// maxBody is the maximum size of a request in bytes.
	maxBody = 16 << 20
)

// Handler returns a handler that serves all operations of the engine. All clients that can
// connect may use it. The Host of a request must be a loopback address. Otherwise a web
// page could reach the engine through a domain name that resolves to this machine. Requests
// must have a signature, but Handler does not verify it.
func Handler(engine Engine) http.Handler {
	return newHandler(engine, engine)
}

// VerifyingHandler is like Handler, but serves only requests that are signed with the
// key. It rejects reads and writes of secret items, and changes of the table that
// contains them. The engine must hide secret items from queries, scans and streams; see
// embedded.Hiding.
func VerifyingHandler(engine Engine, key AccessKey, secrets Secrets) http.Handler {
	h := newHandler(withholding{engine, secrets}, engine)
	h.key = &key
	return h
}

// newHandler returns a handler that passes requests to the first argument. If the second
// argument has a log, the handler logs internal errors there.
func newHandler(served, engine Engine) *handler {
	h := &handler{operations: operations(served), log: slog.New(slog.DiscardHandler)}
	if logged, ok := engine.(interface{ Log() *slog.Logger }); ok {
		h.log = logged.Log()
	}
	return h
}

type handler struct {
	log        *slog.Logger
	operations map[string]operation
	key        *AccessKey // nil if signatures are not verified
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

func (h *handler) serve(r *http.Request, body []byte) ([]byte, error) {
	target := r.Header.Get("X-Amz-Target")
	run, known := h.operations[target]
	if !known {
		return nil, unknownOperation(target)
	}
	if !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-") {
		return nil, errUnsigned
	}
	if h.key != nil {
		if err := h.key.verify(r, body, time.Now()); err != nil {
			return nil, err
		}
	}
	output, err := run(r.Context(), body)
	return output, h.logInternal(r, target, err)
}

// unknownOperation returns the error for an operation that the engine does not have. Unlike
// DynamoDB's error, it has a message, because the operation may exist in DynamoDB.
func unknownOperation(target string) error {
	version, name, _ := strings.Cut(target, ".")
	message := "The embedded engine has the operations of DynamoDB_20120810 and DynamoDBStreams_20120810 only"
	if version+"." == targetPrefix || version+"." == streamTargetPrefix {
		message = fmt.Sprintf("The embedded engine does not have the operation %.100s", name)
	}
	return &serviceError{code: "UnknownOperationException", message: message}
}

// logInternal logs an error that is not part of the API, and returns it with the
// reference of the log entry.
func (h *handler) logInternal(r *http.Request, operation string, err error) error {
	var api smithy.APIError
	if err == nil || errors.As(err, new(*serviceError)) || errors.As(err, &api) {
		return err
	}
	internal := &internalError{err, requestID()[:10]}
	if r.Context().Err() == nil { // otherwise the client has disconnected
		h.log.Error("table request failed", "reference", internal.reference, "operation", operation, "error", err)
	}
	return internal
}

func jsonContent(r *http.Request) (string, bool) {
	media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	media = strings.TrimSpace(media)
	return media, media == jsonType || media == "application/json"
}

// IsLoopback reports whether a host is this machine. The host may include a port.
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

// requestID returns a random request ID with 52 letters and digits, like DynamoDB's.
func requestID() string {
	var id [32]byte
	_, _ = rand.Read(id[:]) // cannot fail
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(id[:])
}
