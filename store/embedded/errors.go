package embedded

import (
	"errors"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// What can be wrong with the file of a store. Open and Check wrap them in a
// FileError, which names the file and says what to do.
var (
	ErrHeld       = errors.New("is in use by another process")
	ErrForeign    = errors.New("is not a Stockroom store")
	ErrNewer      = errors.New("was written by a newer version of Stockroom")
	ErrUnwritable = errors.New("cannot be written")
	ErrDamaged    = errors.New("is damaged")
)

// FileError says what is wrong with a file and what to do about it. It wraps
// one of the errors above.
type FileError struct {
	Path    string
	Problem error
	Advice  string
}

func (e *FileError) Error() string { return fmt.Sprintf("%s %v: %s", e.Path, e.Problem, e.Advice) }

func (e *FileError) Unwrap() error { return e.Problem }

func unwritable(path string, cause error) error {
	return &FileError{path, ErrUnwritable, fmt.Sprintf("%v; give this user access to it, or choose another folder", cause)}
}

// ErrClosed is the error of every call on a DB that is closed or closing.
var ErrClosed = errors.New("the embedded store is closed")

// DamageError says that something stored is not what was written. Nothing of
// it is returned; what else is stored can still be read. It wraps ErrDamaged.
type DamageError struct {
	Where string // the table or index
	Key   string // of what is damaged, made readable; empty if not known
	Cause string
}

func (e *DamageError) Error() string {
	if e.Key == "" {
		return fmt.Sprintf("%s is damaged (%s): run check, and restore a backup", e.Where, e.Cause)
	}
	return fmt.Sprintf("what %s holds under the key %s is damaged (%s): run check, and restore a backup", e.Where, e.Key, e.Cause)
}

func (e *DamageError) Unwrap() error { return ErrDamaged }

// invalidf is DynamoDB's ValidationException.
func invalidf(format string, args ...any) error {
	return &smithy.GenericAPIError{Code: "ValidationException", Message: fmt.Sprintf(format, args...), Fault: smithy.FaultClient}
}

// invalid makes a ValidationException of an error that package expr gives a
// reason for.
func invalid(reason error) error { return invalidf("%s", reason.Error()) }

// invalidParameter is a ValidationException about an item or a parameter.
func invalidParameter(format string, args ...any) error {
	return invalidf("One or more parameter values were invalid: "+format, args...)
}

// isInvalid tells a ValidationException from other errors.
func isInvalid(err error) (*smithy.GenericAPIError, bool) {
	var api *smithy.GenericAPIError
	return api, errors.As(err, &api) && api.Code == "ValidationException"
}

// noSuchTable is what operations on items say; operations on tables name it.
func noSuchTable() error {
	return &types.ResourceNotFoundException{Message: aws.String("Requested resource not found")}
}

func noSuchTableNamed(name string) error {
	return &types.ResourceNotFoundException{Message: aws.String(fmt.Sprintf("Requested resource not found: Table: %s not found", name))}
}

func conditionFailed(item Item) error {
	return &types.ConditionalCheckFailedException{Message: aws.String("The conditional request failed"), Item: item}
}
