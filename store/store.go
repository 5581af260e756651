package store

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
)

// Store is the business in its table, without regard to who is asking. What
// a user may see and change is asked through As.
type Store struct {
	db       DB
	table    string
	now      func() time.Time
	ids      *IDs
	settings atomic.Pointer[readSettings]
	views    keptViews
	hashing  chan struct{} // has room for those who check a password at once
}

// maxHashing bounds how many passwords are checked at once. Each takes 19 MB
// and a core: a flood of log-ins has to wait, not the rest of the program.
const maxHashing = 4

// New opens the business in a table. The clock tells the time of every write
// and of every session.
func New(db DB, table string, clock func() time.Time) *Store {
	return &Store{db: db, table: table, now: clock, ids: NewIDs(clock), views: keptViews{of: map[string]viewsAt{}}, hashing: make(chan struct{}, maxHashing)}
}

// Table is the name of the table.
func (s *Store) Table() string { return s.table }

// Now is the time by the store's clock.
func (s *Store) Now() time.Time { return s.now() }

// Access is the business as one user may see and change it: each of its
// methods holds to the user's role and to the places in their charge.
type Access struct {
	*Store
	user *User
}

// As asks on behalf of a user.
func (s *Store) As(user *User) Access { return Access{s, user} }

// may is what every method of Access asks first.
func (a Access) may(p Permission) error {
	if !a.user.May(p) {
		return fail(Forbidden, "Your role does not include this.")
	}
	return nil
}

// failure gives an error of the table a kind.
func (s *Store) failure(err error) error {
	var missing *types.ResourceNotFoundException
	var api smithy.APIError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &missing):
		return &Error{Kind: Internal, Message: fmt.Sprintf("The table %s does not exist: 'stockroom table create' makes it", s.table), Err: err}
	case errors.As(err, &api):
		switch api.ErrorCode() {
		case "ProvisionedThroughputExceededException", "ThrottlingException", "RequestLimitExceeded", "TransactionInProgressException":
			return &Error{Kind: Busy, Message: busyMessage, Err: err}
		}
	}
	return err
}

// Name is the name of the user.
func (a Access) Name() string { return a.user.Name }
