// Package table reads and writes one DynamoDB table in which several entity types
// share keys and indexes. It encodes items, runs access patterns and commits
// changes. It knows nothing about orders, customers or users, which are defined in
// package store.
package table

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// DB contains the methods of *dynamodb.Client that the program and its tests use. Both the
// SDK's client and the embedded engine implement it.
type DB interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)
	CreateTable(context.Context, *dynamodb.CreateTableInput, ...func(*dynamodb.Options)) (*dynamodb.CreateTableOutput, error)
	DescribeTable(context.Context, *dynamodb.DescribeTableInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTableOutput, error)
	UpdateTimeToLive(context.Context, *dynamodb.UpdateTimeToLiveInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateTimeToLiveOutput, error)
	DescribeTimeToLive(context.Context, *dynamodb.DescribeTimeToLiveInput, ...func(*dynamodb.Options)) (*dynamodb.DescribeTimeToLiveOutput, error)
}

// BulkLoader is an optional interface of a DB that can insert many items in few
// transactions.
type BulkLoader interface {
	// StartLoad returns an empty load.
	StartLoad(table string) EngineLoad
	// ExistingKeys returns those of the given primary keys whose items exist. It is
	// fast if few of them exist.
	ExistingKeys(ctx context.Context, table string, keys []Item) ([]Item, error)
}

// EngineLoad is a load of a BulkLoader. Its methods are those of Load.
type EngineLoad = interface {
	Add(group ...Item) error
	Bytes() int
	Full() bool
	Sort()
	Commit(context.Context) (taken []int, done int, err error)
}

// LargeTransactor is an optional interface of a DB that also has transactions of more
// than MaxActions actions.
type LargeTransactor interface {
	// TransactLarge is like TransactWriteItems, with any number of actions, but without a
	// request token. The transaction must contain a condition that fails if it is
	// repeated.
	TransactLarge(context.Context, []types.TransactWriteItem) error
}

// ChangeCounter is an optional interface of a DB that knows about all changes of its
// items.
type ChangeCounter interface {
	// Changes returns a number that each commit increases, except commits that contain
	// only uncounted writes.
	Changes() int64
	// Uncounted returns a context whose writes do not increase Changes.
	Uncounted(context.Context) context.Context
}

// Item is an item as the SDK represents it: values by attribute name.
type Item = map[string]types.AttributeValue

// Table is one DynamoDB table whose items follow a schema. It is safe for
// concurrent use.
type Table struct {
	db     DB
	name   string
	schema *Schema

	meter      func(context.Context, Consumption) // see Meter; may be nil
	conflicted func()                             // see OnConflict; may be nil
	kept       Kept[Row]                          // see LookUpKept
}

// New returns the table with the given name. The table need not exist yet.
func New(db DB, name string, schema *Schema) *Table {
	return &Table{db: db, name: name, schema: schema}
}

// Name returns the name of the table.
func (t *Table) Name() string { return t.name }

// CanBulkLoad reports whether the table's DB is a BulkLoader.
func (t *Table) CanBulkLoad() bool {
	_, ok := t.db.(BulkLoader)
	return ok
}

// CanTransactLarge reports whether the table's DB is a LargeTransactor.
func (t *Table) CanTransactLarge() bool {
	_, ok := t.db.(LargeTransactor)
	return ok
}

// Changes returns the number of changes that the ChangeCounter of the table has counted, or
// false if the table's DB is not a ChangeCounter.
func (t *Table) Changes() (n int64, known bool) {
	if counter, ok := t.db.(ChangeCounter); ok {
		return counter.Changes(), true
	}
	return 0, false
}

// Uncounted returns a context whose writes do not increase Changes. Use it for frequent
// writes of items that LookUpKept does not read.
func (t *Table) Uncounted(ctx context.Context) context.Context {
	if counter, ok := t.db.(ChangeCounter); ok {
		return counter.Uncounted(ctx)
	}
	return ctx
}

// Load inserts groups of items in one or several transactions, with the BulkLoader of the
// table's DB.
type Load struct {
	engine EngineLoad
	table  *Table
}

// StartLoad returns an empty Load. CanBulkLoad must be true.
func (t *Table) StartLoad() *Load { return &Load{t.db.(BulkLoader).StartLoad(t.name), t} }

// Add adds a group of items, which it encodes immediately and does not keep.
func (l *Load) Add(group ...Item) error { return l.table.wrap(l.engine.Add(group...)) }

// Bytes returns the size of the encoded items, including their index entries.
func (l *Load) Bytes() int { return l.engine.Bytes() }

// Full reports whether the load should be committed; see embedded.Load.
func (l *Load) Full() bool { return l.engine.Full() }

// Sort sorts the items before Commit, so that Commit takes less time.
func (l *Load) Sort() { l.engine.Sort() }

// Commit inserts the groups. It skips a whole group if the key of its first item
// already exists, and returns the positions of these groups. It skips any other item
// whose key exists. After an error, only the first done groups are inserted or skipped.
func (l *Load) Commit(ctx context.Context) (taken []int, done int, err error) {
	taken, done, err = l.engine.Commit(ctx)
	return taken, done, l.table.wrap(err)
}
