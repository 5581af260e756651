package wire

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// AccessKey is the key with which a client signs requests. It consists of an access key ID
// and a secret access key.
type AccessKey struct{ ID, Secret string }

const (
	signatureAlgorithm = "AWS4-HMAC-SHA256"
	amzDateFormat      = "20060102T150405Z"

	// maxSkew is the maximum difference between the clocks of client and server, as on
	// AWS.
	maxSkew = 15 * time.Minute
)

// Errors about signatures, with DynamoDB's codes.
var (
	errUnsigned    = &serviceError{code: "MissingAuthenticationTokenException", message: "Request is missing Authentication Token"}
	errIncomplete  = &serviceError{code: "IncompleteSignatureException", message: "The Authorization header is incomplete."}
	errUnknownKey  = &serviceError{code: "UnrecognizedClientException", message: "The security token included in the request is invalid."}
	errSignature   = &serviceError{code: "InvalidSignatureException", message: "The request signature does not match. Check the secret access key."}
	errExpired     = &serviceError{code: "InvalidSignatureException", message: "Signature expired or not yet valid. Check the clock."}
	signedAtLeast  = []string{"host", "x-amz-date", "x-amz-target"}
	signatureScope = "aws4_request"
)

// verify verifies the signature of a request. See
// https://docs.aws.amazon.com/IAM/latest/UserGuide/create-signed-request.html.
func (k AccessKey) verify(r *http.Request, body []byte, now time.Time) error {
	fields, ok := strings.CutPrefix(r.Header.Get("Authorization"), signatureAlgorithm+" ")
	if !ok {
		return errUnsigned
	}
	parts := map[string]string{}
	for field := range strings.SplitSeq(fields, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		parts[name] = value
	}
	scope := strings.Split(parts["Credential"], "/") // the parts are ID, day, region, service and aws4_request
	headers := strings.Split(parts["SignedHeaders"], ";")
	if len(scope) != 5 || parts["Signature"] == "" {
		return errIncomplete
	}
	for _, name := range signedAtLeast {
		if !slices.Contains(headers, name) {
			return errIncomplete
		}
	}
	if !hmac.Equal([]byte(scope[0]), []byte(k.ID)) {
		return errUnknownKey
	}
	date := r.Header.Get("X-Amz-Date")
	signed, err := time.Parse(amzDateFormat, date)
	if err != nil || now.Sub(signed).Abs() > maxSkew {
		return errExpired
	}
	if scope[1] != date[:8] || scope[3] != "dynamodb" || scope[4] != signatureScope || r.URL.Path != "/" || r.URL.RawQuery != "" {
		return errSignature
	}
	text := strings.Join([]string{signatureAlgorithm, date, strings.Join(scope[1:], "/"), sum(canonical(r, headers, body))}, "\n")
	key := []byte("AWS4" + k.Secret)
	for _, part := range scope[1:] {
		key = sign(key, part)
	}
	if !hmac.Equal([]byte(hex.EncodeToString(sign(key, text))), []byte(parts["Signature"])) {
		return errSignature
	}
	return nil
}

// canonical returns the canonical form of the request, which the client signs.
func canonical(r *http.Request, headers []string, body []byte) string {
	lines := []string{r.Method, "/", ""}
	for _, name := range headers {
		value := r.Host
		switch name {
		case "host":
		case "content-length": // net/http moves this header from r.Header to r.ContentLength
			value = strconv.FormatInt(r.ContentLength, 10)
		default:
			value = strings.Join(r.Header.Values(name), ",")
		}
		lines = append(lines, name+":"+strings.Join(strings.Fields(value), " "))
	}
	return strings.Join(append(lines, "", strings.Join(headers, ";"), sum(string(body))), "\n")
}

func sum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:])
}

func sign(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}
