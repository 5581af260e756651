package embedded

import (
	"context"
	"fmt"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"stockroom/store/embedded/codec"
	"stockroom/store/embedded/expr"
)

// readTx is a snapshot of the file with its table definitions.
type readTx struct {
	bolt    *bbolt.Tx
	file    *boltFile
	catalog *catalog
}

// view calls the function read with a snapshot of the last commit. Stored bytes are valid
// until read returns. Until then, bbolt cannot reuse the pages of the snapshot, and the
// engine cannot reopen the file. A snapshot does not block reads. It blocks only writes
// that must enlarge the mapping; see openBolt.
func (db *DB) view(ctx context.Context, read func(*readTx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if db.isClosing() {
		return ErrClosed
	}
	return recoverFault(db.path, func() error {
		r, err := db.begin()
		if err != nil {
			return err
		}
		defer r.file.snapshots.Add(-1)
		defer r.bolt.Rollback()
		return read(r)
	})
}

func (db *DB) begin() (*readTx, error) {
	db.publishing.RLock()
	defer db.publishing.RUnlock()
	file := db.bolt
	tx, err := file.Begin(false)
	if err != nil {
		if err == bolterrors.ErrDatabaseNotOpen {
			return nil, ErrClosed
		}
		return nil, fmt.Errorf("embedded: %w", err)
	}
	file.snapshots.Add(1)
	return &readTx{tx, file, db.catalog.Load()}, nil
}

// shape describes which items a read returns, and which of their attributes.
type shape struct {
	projection *expr.Projection
	filter     *expr.Condition
	// attributes contains the top-level attributes to decode; nil means all.
	attributes []string
	// exact means that the decoded attributes are the result. This is so without a
	// projection, and with a projection that has no nested paths if there is no filter.
	exact bool
	// legacy means that the projection and the filter are those of legacy parameters.
	legacy bool
}

func newShape(projection *expr.Projection, filter *expr.Condition) shape {
	s := shape{projection: projection, filter: filter, exact: true}
	if projection == nil {
		return s
	}
	s.attributes = make([]string, 0, 16)
	for reference := range projection.References() {
		s.attributes = append(s.attributes, reference.Attribute)
		s.exact = s.exact && !reference.Nested
	}
	if filter != nil {
		for reference := range filter.References() {
			s.attributes = append(s.attributes, reference.Attribute)
		}
		s.exact = false
	}
	return s
}

func (s *shape) decoder(names *codec.Names) *codec.Decoder {
	if s.attributes == nil {
		return codec.NewDecoder(names)
	}
	return names.Select(s.attributes).Decoder()
}

func (s *shape) apply(item Item) (Item, bool) {
	if s.filter != nil && !s.filter.Match(item) {
		return nil, false
	}
	if !s.exact {
		item = s.projection.Apply(item)
	}
	return item, true
}

// parseShape parses a projection and a filter, either of which may be nil.
func parseShape(scope *expr.Scope, projection, filter *string) (shape, error) {
	var parsedFilter *expr.Condition
	var parsedProjection *expr.Projection
	var err error
	if filter != nil {
		if parsedFilter, err = scope.Condition(expr.FilterExpression, *filter); err != nil {
			return shape{}, invalid(err)
		}
	}
	if projection != nil {
		if parsedProjection, err = scope.Projection(*projection); err != nil {
			return shape{}, invalid(err)
		}
	}
	return newShape(parsedProjection, parsedFilter), nil
}
