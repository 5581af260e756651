package embedded

import "context"

// Changes returns a number that each commit increases, except a commit whose writes all
// have a context from Uncounted. While the number stays the same, only writes with such a
// context change items.
func (db *DB) Changes() int64 { return db.changes.Load() }

// Uncounted returns a context whose writes do not increase Changes.
func (*DB) Uncounted(ctx context.Context) context.Context {
	return context.WithValue(ctx, uncountedKey{}, true)
}

type uncountedKey struct{}

// isCounted reports whether the writes of a context increase Changes.
func isCounted(ctx context.Context) bool { return ctx.Value(uncountedKey{}) == nil }
