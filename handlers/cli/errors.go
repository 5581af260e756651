package cli

import (
	"context"
	"errors"
	"net"
	"strings"

	"github.com/aws/smithy-go"

	"stockroom/store"
)

// sentence is an error as a person at a terminal should read it: one line
// that names the thing and what to do about it.
func sentence(err error) string {
	var ours *store.Error
	var api smithy.APIError
	var operation *smithy.OperationError
	var network *net.OpError
	switch {
	case errors.As(err, &ours):
		return ours.Message
	case errors.Is(err, context.Canceled):
		return "interrupted; what was done so far is kept"
	case errors.As(err, &api):
		return "the table's engine refused " + operationOf(err) + ": " + api.ErrorCode() + ": " + api.ErrorMessage()
	case errors.As(err, &operation) && errors.As(err, &network):
		return "DynamoDB cannot be reached: " + network.Error() + "; check the network, the region and AWS_ENDPOINT_URL_DYNAMODB"
	}
	return strings.ReplaceAll(err.Error(), "\n", "; ")
}

func operationOf(err error) string {
	var operation *smithy.OperationError
	if errors.As(err, &operation) {
		return operation.OperationName
	}
	return "the request"
}
