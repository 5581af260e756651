package wire

import (
	"errors"
	"net/http"
	"reflect"

	"github.com/aws/smithy-go"
)

// serviceError is what is wrong with a request before any operation is asked.
type serviceError struct{ code, message string }

func (e *serviceError) Error() string { return e.code + ": " + e.message }

// The names that come before the code of an error, by who finds it.
const (
	byService    = "com.amazon.coral.service#"
	byValidation = "com.amazon.coral.validate#"
	byDynamoDB   = "com.amazonaws.dynamodb.v20120810#"
)

// errorAnswer returns the status and the body that tell an error. What is no
// error of the API is told as an internal one, without its text: that is for
// logs.
func errorAnswer(err error) (int, []byte) {
	if service := new(serviceError); errors.As(err, &service) {
		return http.StatusBadRequest, serviceAnswer(service)
	}
	var api smithy.APIError
	if !errors.As(err, &api) {
		return http.StatusInternalServerError, appendError(byDynamoDB+"InternalServerError", "message", "The request processing has failed because of an unknown error, exception or failure.", nil)
	}
	status := http.StatusBadRequest
	if api.ErrorFault() == smithy.FaultServer {
		status = http.StatusInternalServerError
	}
	if api.ErrorCode() == "ValidationException" {
		return status, appendError(byValidation+api.ErrorCode(), "message", api.ErrorMessage(), nil)
	}
	return status, appendError(byDynamoDB+api.ErrorCode(), messageMember(api.ErrorCode()), api.ErrorMessage(), members(api))
}

func serviceAnswer(e *serviceError) []byte {
	member := "message"
	if e.code == "SerializationException" {
		member = "Message"
	}
	return appendError(byService+e.code, member, e.message, nil)
}

// messageMember is how the model spells the member that holds the message.
func messageMember(code string) string {
	switch code {
	case "TransactionCanceledException", "TransactionInProgressException", "IdempotentParameterMismatchException":
		return "Message"
	}
	return "message"
}

// members are what an error of the SDK has beside its message, such as the
// reasons of a cancelled transaction, each with a comma before it.
func members(err smithy.APIError) []byte {
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
