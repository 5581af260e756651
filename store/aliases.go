// Package store contains the business: the kinds of records, their rules, and all
// queries and changes of the table. It does not depend on HTTP, pages, CSV files or the
// engine that stores the table.
package store

import (
	"context"
	"iter"

	"stockroom/store/table"
)

// Aliases for types of package table, so that callers of this package do not import
// package table.
type (
	DB            = table.DB
	Item          = table.Item
	Row           = table.Row
	Entity        = table.Entity
	Definition    = table.Definition
	Keys          = table.Keys
	Attribute     = table.Attribute
	AttributeKind = table.AttributeKind
	Pattern       = table.Pattern
	PatternRow    = table.PatternRow
	KeyCondition  = table.KeyCondition
	Page          = table.Page
	Position      = table.Position
	List[T any]   = table.List[T]
	Read          = table.Read
	Trace         = table.Trace
	Changes       = table.Changes
	WriteCost     = table.WriteCost
	Error         = table.Error
	Kind          = table.Kind
)

// WithLimit returns a context that allows n concurrent read requests; see
// table.WithLimit.
func WithLimit(ctx context.Context, n int) context.Context { return table.WithLimit(ctx, n) }

// The kinds of errors; see table.Kind.
const (
	Internal    = table.Internal
	NotFound    = table.NotFound
	Forbidden   = table.Forbidden
	Invalid     = table.Invalid
	Conflict    = table.Conflict
	Busy        = table.Busy
	Damaged     = table.Damaged
	Unconfirmed = table.Unconfirmed
	Unfinished  = table.Unfinished
	Unusable    = table.Unusable
)

// The kinds of attributes; see table.AttributeKind.
const (
	Text    = table.Text
	Whole   = table.Whole
	Money   = table.Money
	Instant = table.Instant
	Day     = table.Day
	Seconds = table.Seconds
	Flag    = table.Flag
	Texts   = table.Texts
	Group   = table.Group
	Groups  = table.Groups
)

// IndexCount is the number of global secondary indexes.
const IndexCount = table.IndexCount

// MaxCount is the limit of stored counts, such as totals; see table.MaxCount.
const MaxCount = table.MaxCount

// Limits of a page of a list: its rows, and the requests that it makes to the table.
const (
	DefaultLimit = table.DefaultLimit
	MaxLimit     = table.MaxLimit
	MaxRequests  = table.MaxRequests
	MaxRepeats   = table.MaxRepeats
)

// Aliases for functions of package table, so that callers of this package do not
// import package table.
var (
	IndexName    = table.IndexName
	TableInput   = table.Input
	KindOf       = table.KindOf
	InvalidField = table.InvalidField
	WithTrace    = table.WithTrace
	ParseTime    = table.ParseTime
	ParseDate    = table.ParseDate
	IsTransient  = table.IsTransient
	Recovering   = table.Recovering

	RecordChanges  = table.RecordChanges
	MayHaveChanged = table.MayHaveChanged
	ReadAfter      = table.ReadAfter
	DecodeChanges  = table.DecodeChanges
)

// Each yields the rows of a list. It reads the list page by page.
func Each[T any](read func(Page) (List[T], error)) iter.Seq2[T, error] { return table.Each(read) }

// Quoted is like table.Quoted, for any string type, such as OrderStatus.
func Quoted[S ~string](text S) string { return table.Quoted(string(text)) }

func fail(kind Kind, format string, args ...any) *Error { return table.Errorf(kind, format, args...) }
