package wire

import (
	"errors"
	"net/http"
	"reflect"

	"github.com/aws/smithy-go"
)

// serviceError is an error that occurs before an operation is called.
type serviceError struct{ code, message string }

func (e *serviceError) Error() string { return e.code + ": " + e.message }

// Namespaces of error codes in responses.
const (
	serviceNamespace    = "com.amazon.coral.service#"
	validationNamespace = "com.amazon.coral.validate#"
	dynamoDBNamespace   = "com.amazonaws.dynamodb.v20120810#"
)

// internalError is an error that is not part of the API. Its text may be private, so it is
// only logged. The response contains a sentence about the problem, if the error has a
// method Problem, and the reference of the log entry.
type internalError struct {
	error
	reference string
}

func (e *internalError) Unwrap() error { return e.error }

func (e *internalError) message() string {
	const unknown = "The request processing has failed because of an unknown error, exception or failure."
	var stated interface{ Problem() string }
	if errors.As(e.error, &stated) {
		return "The request processing has failed: " + stated.Problem() + " Reference: " + e.reference
	}
	return unknown + " Reference: " + e.reference
}

func errorResponse(err error) (int, []byte) {
	if service := new(serviceError); errors.As(err, &service) {
		return http.StatusBadRequest, appendError(serviceNamespace+service.code, messageMember(service.code), service.message, nil)
	}
	if internal := new(internalError); errors.As(err, &internal) {
		return http.StatusInternalServerError, appendError(dynamoDBNamespace+"InternalServerError", "message", internal.message(), nil)
	}
	var api smithy.APIError
	errors.As(err, &api)
	status := http.StatusBadRequest
	if api.ErrorFault() == smithy.FaultServer {
		status = http.StatusInternalServerError
	}
	if api.ErrorCode() == "ValidationException" {
		return status, appendError(validationNamespace+api.ErrorCode(), "message", api.ErrorMessage(), nil)
	}
	return status, appendError(dynamoDBNamespace+api.ErrorCode(), messageMember(api.ErrorCode()), api.ErrorMessage(), otherMembers(api))
}

func messageMember(code string) string {
	switch code {
	case "TransactionCanceledException", "TransactionInProgressException", "IdempotentParameterMismatchException", "SerializationException":
		return "Message"
	}
	return "message"
}

// otherMembers encodes the members of an SDK error except its message, such as
// cancellation reasons. Each member starts with a comma.
func otherMembers(err smithy.APIError) []byte {
	v := reflect.ValueOf(err)
	if v.Kind() != reflect.Pointer || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	v = v.Elem()
	var out []byte
	for i := range v.NumField() {
		field := v.Type().Field(i)
		switch field.Name {
		case "Message", "ErrorCodeOverride", "Code", "Fault":
			continue
		}
		if !field.IsExported() || !isSet(v.Field(i)) {
			continue
		}
		out = append(appendString(append(out, ','), field.Name), ':')
		out = appendValue(out, v.Field(i))
	}
	return out
}

func appendError(name, member, message string, members []byte) []byte {
	out := appendString([]byte(`{"__type":`), name)
	if message != "" {
		out = append(appendString(append(out, ','), member), ':')
		out = appendString(out, message)
	}
	return append(append(out, members...), '}')
}
