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

// attempts records whether an attempt of a write may have been applied although its
// response was an error.
type attempts struct{ unknown bool }

// observe records every attempt that the SDK makes within one call. The call itself
// returns only the last error.
func (a *attempts) observe(o *dynamodb.Options) {
	inner, ok := o.Retryer.(aws.RetryerV2)
	if !ok {
		return // the SDK's own retryers all are
	}
	o.Retryer = observer{inner, a}
}

// observer is a retryer that sees the error of every attempt.
type observer struct {
	aws.RetryerV2
	attempts *attempts
}

func (r observer) IsErrorRetryable(err error) bool {
	r.attempts.add(err)
	return r.RetryerV2.IsErrorRetryable(err)
}

func (a *attempts) add(err error) { a.unknown = a.unknown || err != nil && !isRejection(err) }

// isRejection reports whether an error means that the write was not applied: the
// table rejected it, or it was never sent.
func isRejection(err error) bool {
	var inProgress *types.TransactionInProgressException
	var api smithy.APIError
	var response *smithyhttp.ResponseError
	var network *net.OpError
	switch {
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

// explain gives the error of a write its final kind. A Conflict is certain even
// after a lost response: if an earlier attempt had been applied, its repetition
// with the same token would have succeeded.
func (a *attempts) explain(ctx context.Context, err error) error {
	switch {
	case err == nil || KindOf(err) == Conflict:
		return err
	case a.unknown:
		return &Error{Kind: Unconfirmed, Message: unconfirmedMessage, Err: err}
	case KindOf(err) == Busy && hasChanged(ctx):
		return &Error{Kind: Busy, Message: partlyMessage, Err: err}
	case KindOf(err) == Busy:
		return &Error{Kind: Busy, Message: unchangedMessage, Err: err}
	}
	return err
}
