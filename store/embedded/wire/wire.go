// Package wire speaks the DynamoDB API over HTTP for an engine in this process:
// the JSON 1.0 protocol with its error shapes, so that any SDK, the AWS CLI and
// the tools around them can work on the same data.
//
// It reads requests and writes answers. What an operation does and which
// requests it refuses is the engine's, as its Go callers need the same;
// listening, and on which address, is the caller's.
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
)

const (
	jsonType = "application/x-amz-json-1.0"

	targetPrefix = "DynamoDB_20120810."

	// maxBody is the most that DynamoDB takes in one request, in bytes.
	maxBody = 16 << 20
)

// Handler serves the operations of engine. It answers only requests that name
// a loopback host, so that no page of the web can reach it by pointing a name
// of its own at this machine, and only those that are signed, though the
// signature may be by any key.
func Handler(engine Engine) http.Handler {
	return &handler{operations: operations(engine)}
}

type handler struct{ operations map[string]operation }

func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Amzn-Requestid", requestID())
	if !isLoopback(r.Host) {
		http.Error(w, "This host is not served", http.StatusForbidden)
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
		h.refuseBody(w, err)
		return
	}
	answer, err := h.serve(r, body)
	if err != nil {
		status, refusal := errorAnswer(err)
		respond(w, status, contentType, refusal)
		return
	}
	respond(w, http.StatusOK, contentType, answer)
}

func (h *handler) refuseBody(w http.ResponseWriter, err error) {
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		http.Error(w, "The request is larger than 16 MB", http.StatusRequestEntityTooLarge)
		return
	}
	http.Error(w, "The request broke off", http.StatusBadRequest)
}

// serve runs the operation that the request asks for.
func (h *handler) serve(r *http.Request, body []byte) ([]byte, error) {
	name, ok := strings.CutPrefix(r.Header.Get("X-Amz-Target"), targetPrefix)
	run, known := h.operations[name]
	if !ok || !known {
		return nil, &serviceError{code: "UnknownOperationException"}
	}
	if !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-") {
		return nil, &serviceError{code: "MissingAuthenticationTokenException", message: "Request is missing Authentication Token"}
	}
	return run(r.Context(), body)
}

// jsonContent returns the content type to answer in.
func jsonContent(r *http.Request) (string, bool) {
	media, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	media = strings.TrimSpace(media)
	return media, media == jsonType || media == "application/json"
}

func isLoopback(host string) bool {
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
	// An error here means that the caller is gone; there is nobody to tell.
	_, _ = w.Write(body)
}

// requestID has the form of DynamoDB's: 52 letters and digits.
func requestID() string {
	var id [32]byte
	_, _ = rand.Read(id[:]) // it never fails
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(id[:])
}
