package embedded

import (
	"errors"
	"fmt"
	"syscall"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// Problems with the file of a store. Open and Restore wrap them in a FileError.
var (
	ErrInUse      = errors.New("is in use by another process")
	ErrForeign    = errors.New("is not a Stockroom store")
	ErrNewer      = errors.New("was written by a newer version of Stockroom")
	ErrUnwritable = errors.New("cannot be written")
	ErrNotFolder  = errors.New("is not a folder")
	ErrDamaged    = errors.New("is damaged")
	ErrEmpty      = errors.New("is empty")
)

// FileError describes a problem with a file, with advice for the user. It wraps
// ErrInUse, ErrForeign, ErrNewer, ErrUnwritable, ErrNotFolder, ErrDamaged, ErrEmpty or
// ErrExists.
type FileError struct {
	Path    string
	Problem error
	Advice  string
}

func (e *FileError) Error() string { return fmt.Sprintf("%s %v: %s", e.Path, e.Problem, e.Advice) }

func (e *FileError) Unwrap() error { return e.Problem }

func notWritable(path string, cause error) error {
	if errors.Is(cause, syscall.ENOSPC) {
		return &FileError{path, ErrUnwritable, fmt.Sprintf("%v; free some space, or choose another folder", cause)}
	}
	return &FileError{path, ErrUnwritable, fmt.Sprintf("%v; give this user access, or choose another folder", cause)}
}

// Errors that concern the whole store, not one item or request. Their method Problem returns
// a sentence for users, without private details.
var (
	// ErrClosed is returned by every method of a DB after Close was called.
	ErrClosed error = &problemError{text: "the embedded store is closed", problem: "The server is shutting down."}
	// ErrDiskFull is returned by writes that need more space. Nothing was written.
	ErrDiskFull error = &problemError{text: "the disk is full", problem: "The disk of the server is full, so nothing was changed."}
	// ErrCommitUncertain means that a sync failed after a commit had written the header of
	// the file, or after Compact had replaced the file. Whether this change is on disk is
	// known only after reopening the store. Until then all writes fail with this error,
	// and reads continue.
	ErrCommitUncertain error = &problemError{
		text:    "the disk failed to confirm a write; reopen the store to write again",
		problem: "The disk of the server failed to confirm a change. Nothing can be changed until the server is restarted.",
		unknown: true,
	}
	// ErrNotReopened means that the engine could not reopen its file, and may have lost the
	// lock on it. All writes then fail with this error, and reads continue.
	ErrNotReopened error = &problemError{
		text:    "the file could not be reopened; restart the program to write again",
		problem: "The server can no longer write to its data file. Nothing can be changed until the server is restarted.",
	}
)

type problemError struct {
	text, problem string
	unknown       bool // the write that returned the error may be on disk
}

func (e *problemError) Error() string   { return e.text }
func (e *problemError) Problem() string { return e.problem }

// Unwritten reports whether the write that returned the error was certainly not applied.
func (e *problemError) Unwritten() bool { return !e.unknown }

// canceledError is the error of a context that ended before the engine accepted a write.
type canceledError struct{ cause error }

func (e *canceledError) Error() string { return e.cause.Error() }
func (e *canceledError) Unwrap() error { return e.cause }

// Unwritten returns true: a write that was not accepted is not applied.
func (*canceledError) Unwritten() bool { return true }

// DamageError means that stored data differs from what was written. Other data can
// still be read. It wraps ErrDamaged.
type DamageError struct {
	Where string // table, index or file
	Key   string // key in a readable form, or ""
	Cause string
}

func (e *DamageError) Error() string {
	return e.finding() + ": run 'stockroom check', then restore a backup"
}

// finding describes the damage without advice, for the problems that a check reports.
func (e *DamageError) finding() string {
	if e.Key == "" {
		return fmt.Sprintf("%s is damaged (%s)", e.Where, e.Cause)
	}
	return fmt.Sprintf("%s is damaged at key %s (%s)", e.Where, e.Key, e.Cause)
}

func (e *DamageError) Unwrap() error { return ErrDamaged }

// Problem returns a sentence for users. It leaves out the key, which can be private.
func (e *DamageError) Problem() string {
	return "The file of the embedded store is damaged. Run 'stockroom check', then restore a backup."
}

// Unwritten returns true: a write that finds damage is not applied.
func (e *DamageError) Unwritten() bool { return true }

func invalidf(format string, args ...any) error {
	return &smithy.GenericAPIError{Code: "ValidationException", Message: fmt.Sprintf(format, args...), Fault: smithy.FaultClient}
}

// invalid returns a ValidationException with the message of an error of package
// expr.
func invalid(reason error) error { return invalidf("%s", reason.Error()) }

// invalidParameter returns a ValidationException about an item or a parameter.
func invalidParameter(format string, args ...any) error {
	return invalidf("One or more parameter values were invalid: "+format, args...)
}

func isInvalid(err error) (*smithy.GenericAPIError, bool) {
	var api *smithy.GenericAPIError
	return api, errors.As(err, &api) && api.Code == "ValidationException"
}

// errTableNotFound returns the error of operations on items. It does not contain the name
// of the table, unlike the error of operations on tables.
func errTableNotFound() error {
	return &types.ResourceNotFoundException{Message: aws.String("Requested resource not found")}
}

func errTableNotFoundByName(name string) error {
	return &types.ResourceNotFoundException{Message: aws.String(fmt.Sprintf("Requested resource not found: Table: %s not found", name))}
}

func conditionFailed(item Item) error {
	return &types.ConditionalCheckFailedException{Message: aws.String("The conditional request failed"), Item: item}
}
