package embedded

import (
	"context"
	"fmt"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"stockroom/store/embedded/codec"
	"stockroom/store/embedded/expr"
)

// readTx is the file at one moment, with the definitions of that moment.
type readTx struct {
	bolt    *bbolt.Tx
	catalog *catalog
}

// view runs read against the file as the last commit left it. Bytes that read
// wants to keep it must copy: a reader holds up nobody, but the pages it sees
// cannot be used again until it is done.
func (db *DB) view(ctx context.Context, read func(*readTx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	select {
	case <-db.closing:
		return ErrClosed
	default:
	}
	return guarded(db.path, func() error {
		r, err := db.begin()
		if err != nil {
			return err
		}
		defer r.bolt.Rollback()
		return read(r)
	})
}

func (db *DB) begin() (*readTx, error) {
	db.publishing.RLock()
	defer db.publishing.RUnlock()
	tx, err := db.bolt.Begin(false)
	if err != nil {
		if err == bolterrors.ErrDatabaseNotOpen {
			return nil, ErrClosed
		}
		return nil, fmt.Errorf("embedded: %w", err)
	}
	return &readTx{tx, db.catalog.Load()}, nil
}

// shape is what a read returns of each item: what a projection leaves of it,
// or everything.
type shape struct {
	projection *expr.Projection
	filter     *expr.Condition
	// attributes are the top-level ones that need decoding, nil for all.
	attributes []string
	// exact tells that decoding those attributes is the projection: none is
	// there for the filter only, and no path goes into one.
	exact bool
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
	return names.Want(s.attributes).Decoder()
}

// apply tells whether a decoded item passes the filter, and what the
// projection leaves of it.
func (s *shape) apply(item Item) (Item, bool) {
	if s.filter != nil && !s.filter.Match(item) {
		return nil, false
	}
	if !s.exact {
		item = s.projection.Apply(item)
	}
	return item, true
}

// shapeOf parses projection and filter, either of which may be missing.
func shapeOf(scope *expr.Scope, projection, filter *string) (shape, error) {
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
