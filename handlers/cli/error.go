package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"strings"

	"github.com/aws/smithy-go"

	"stockroom/store"
)

// message formats an error as one line for the terminal. If the cause has a technical text,
// message replaces this text and everything before it with the text of shorten, and keeps
// what the command has added after the cause. It formats joined errors one by one.
func message(err error) string {
	text := err.Error()
	if joined, ok := err.(interface{ Unwrap() []error }); ok && text == joinedText(joined.Unwrap()) {
		var all []string
		for _, err := range joined.Unwrap() {
			all = append(all, message(err))
		}
		return strings.Join(all, "; ")
	}
	if short, cause := shorten(err); cause != nil {
		_, added, _ := strings.Cut(text, cause.Error())
		if text = short; added != "" {
			text = strings.TrimSuffix(short, ".") + added
		}
	}
	return strings.ReplaceAll(text, "\n", "; ")
}

// joinedText returns the text of errors.Join.
func joinedText(errs []error) string { return errors.Join(errs...).Error() }

// shorten looks for a cause of err with a technical text. It returns this cause, and the text
// to show in its place. The cause is nil if there is none.
func shorten(err error) (text string, cause error) {
	var storeError *store.Error
	var api smithy.APIError
	var operation *smithy.OperationError
	var network *net.OpError
	switch {
	case errors.As(err, &storeError):
		return storeError.Message, storeError
	case errors.Is(err, context.Canceled):
		return "interrupted", context.Canceled
	case errors.As(err, &api):
		return operationOf(err) + " failed: " + api.ErrorCode() + ": " + api.ErrorMessage(), api
	case errors.As(err, &operation) && errors.As(err, &network):
		return "cannot reach DynamoDB: " + network.Error() + "; check the network, the region and AWS_ENDPOINT_URL_DYNAMODB", network
	}
	return "", nil
}

// operationOf returns the name of the DynamoDB operation that failed, or "request" if
// err does not contain it.
func operationOf(err error) string {
	var operation *smithy.OperationError
	if errors.As(err, &operation) {
		return operation.OperationName
	}
	return "request"
}

// fileError removes the operation and the path from an error of the file system, because
// the caller's message contains them.
func fileError(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// closeJoin closes c and joins its error to *err. It ignores the error of a listener that
// is already closed.
func closeJoin(c io.Closer, err *error) {
	if closeErr := c.Close(); !errors.Is(closeErr, net.ErrClosed) {
		*err = errors.Join(*err, closeErr)
	}
}
