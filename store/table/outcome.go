package table

import (
	"context"
	"errors"
	"net"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
)

// attempts records whether the outcome of an earlier attempt at a write is unknown.
type attempts struct{ unknown bool }

// observe makes the SDK pass the error of every attempt to the receiver. The SDK's method
// returns only the error of the last attempt.
func (a *attempts) observe(o *dynamodb.Options) {
	inner, ok := o.Retryer.(aws.RetryerV2)
	if !ok {
		return // cannot happen: the SDK's own retryers are of the type RetryerV2
	}
	o.Retryer = observer{inner, a}
}

// observer is a retryer that records the error of every attempt.
type observer struct {
	aws.RetryerV2
	attempts *attempts
}

func (r observer) IsErrorRetryable(err error) bool {
	r.attempts.add(err)
	return r.RetryerV2.IsErrorRetryable(err)
}

func (a *attempts) add(err error) { a.unknown = a.unknown || err != nil && !isRejection(err) }

// engineError is implemented by errors of the embedded engine that stop all reads or writes.
type engineError interface {
	writeError
	Problem() string // a sentence for users
}

// writeError is implemented by errors of the embedded engine that know the outcome of a
// write.
type writeError interface {
	error
	Unwritten() bool // the engine has certainly not applied the write that returned the error
}

// isRejection reports whether an error proves that the write was not applied: the
// table rejected it, the engine could not write it, or the SDK did not send it.
func isRejection(err error) bool {
	var inProgress *types.TransactionInProgressException
	var api smithy.APIError
	var response *smithyhttp.ResponseError
	var network *net.OpError
	var engine writeError
	switch {
	case errors.As(err, &engine):
		return engine.Unwritten()
	case errors.As(err, &inProgress):
		return false
	case errors.As(err, &api) && api.ErrorFault() == smithy.FaultClient:
		return true
	case errors.As(err, &response):
		status := response.HTTPStatusCode()
		return status >= http.StatusBadRequest && status < http.StatusInternalServerError
	case errors.As(err, &network):
		return network.Op == "dial"
	}
	return false
}

// explain returns the error of a write with its final kind. A Conflict stays a Conflict
// even if the response to an earlier attempt was lost. In a transaction, that attempt was
// not applied: otherwise its repetition with the same request token would have succeeded.
// Updates have no request token; see Table.Update.
func (a *attempts) explain(ctx context.Context, err error) error {
	switch {
	case err == nil || KindOf(err) == Conflict:
		return err
	case a.unknown:
		recordUnknown(ctx)
		return &Error{Kind: Unconfirmed, Message: unconfirmedMessage, Err: err}
	case errors.Is(err, context.DeadlineExceeded): // the embedded engine had no time for the write
		err = &Error{Kind: Busy, Message: busyMessage, Err: err}
	}
	switch {
	case KindOf(err) == Busy && hasChanged(ctx):
		return &Error{Kind: Busy, Message: partlyMessage, Err: err}
	case KindOf(err) == Busy:
		return &Error{Kind: Busy, Message: unchangedMessage, Err: err}
	}
	return err
}
