package store

import (
	"context"
	"strconv"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Series is a series of document numbers. New documents get consecutive numbers, which
// start at 1 or after the highest imported number.
type Series string

// The series of numbers. Their values are the first part of each number.
const (
	SeriesInvoices    Series = "INV"
	SeriesCreditNotes Series = "CN"
)

var allSeries = []Series{SeriesInvoices, SeriesCreditNotes}

// Numbering says which numbers new invoices and credit notes get.
type Numbering string

// The ways to number documents. Consecutive numbers limit the rate of orders, because only
// one transaction at a time can take a number; see docs/decisions.md.
const (
	NumberConsecutive Numbering = ""   // the next number of the document's Series
	NumberByID        Numbering = "ID" // no number: a document shows its ID
)

// MaxDocumentNumber is the highest number that an imported document can have. Because of
// this limit, an import with a mistyped number cannot use up the numbers.
const MaxDocumentNumber = 1_000_000_000

// format returns a number as documents show it, such as INV-12, or "" for 0.
func (s Series) format(number int) string {
	if number == 0 {
		return ""
	}
	return string(s) + "-" + strconv.Itoa(number)
}

// parse returns the number in a string such as INV-12, inv12 or "inv 12". ok is false for
// other strings.
func (s Series) parse(text string) (number int, ok bool) {
	digits, ok := strings.CutPrefix(strings.ToUpper(text), string(s))
	digits = strings.TrimLeft(digits, "-# ")
	number, err := strconv.Atoi(digits)
	return number, ok && err == nil && s.format(number) == string(s)+"-"+digits
}

// NumberSeries counts the numbers of one series. A transaction that creates a document
// also increments Last, on the condition that Last has not changed.
type NumberSeries struct {
	Series  Series
	Last    int // the last number that was given or imported
	Version int // equal to Last, so the Version does not depend on the number of changes
}

const attrLast = "Last"

func (*NumberSeries) EntityType() string { return "numberSeries" }

func (n *NumberSeries) KeyValue(name string) string {
	if name == "series" {
		return string(n.Series)
	}
	return ""
}

func (n *NumberSeries) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "series#", (*string)(&n.Series))
	a.Number(attrLast, &n.Last)
	a.Version(&n.Version)
}

// takeInvoiceNumber takes the number of a new invoice. It returns 0 if the settings say
// that new invoices have no number. Call it last before Commit; see takeNumbers.
func (c *change) takeInvoiceNumber(ctx context.Context) (int, error) {
	settings, err := c.store.Settings(ctx)
	if err != nil || settings.Numbering == NumberByID {
		return 0, err
	}
	return c.takeNumbers(ctx, SeriesInvoices, 1)
}

// takeNumbers adds an action that takes the next numbers of a series, and returns the first
// of them. The argument count says how many. The numbers are taken only if the change is
// committed. Call takeNumbers last before Commit, because other changes of this server that
// take numbers wait until Commit returns. Two servers can read the same number. The change
// of one server then fails with Conflict.
func (c *change) takeNumbers(ctx context.Context, s Series, count int) (first int, err error) {
	select {
	case c.store.numbering <- struct{}{}:
		c.numbering = true
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	n, err := readConsistently[*NumberSeries](ctx, c.store, getNumberSeries, key.Map{"series": string(s)})
	switch {
	case KindOf(err) == NotFound:
		c.Create(&NumberSeries{Series: s, Last: count, Version: count})
		return 1, nil
	case err != nil:
		c.endNumbering()
		return 0, err
	}
	first = n.Last + 1
	read := n.Version
	n.Last += count
	n.Version = n.Last
	c.Replace(n, read)
	return first, nil
}

// endNumbering lets other changes of this server take numbers.
func (c *change) endNumbering() {
	if c.numbering {
		c.numbering = false
		<-c.store.numbering
	}
}

// numbered returns the series and the number of a document. For an entity without a
// number, number is 0.
func numbered(e Entity) (s Series, number int) {
	switch e := e.(type) {
	case *Invoice:
		return SeriesInvoices, e.Number
	case *CreditNote:
		return SeriesCreditNotes, e.Number
	}
	return "", 0
}

func (s Series) pattern() *Pattern {
	if s == SeriesCreditNotes {
		return getCreditNoteByNumber
	}
	return getInvoiceByNumber
}

func (s Series) entityType() string {
	if s == SeriesCreditNotes {
		return (*CreditNote)(nil).EntityType()
	}
	return (*Invoice)(nil).EntityType()
}

// raiseNumbers increases the last number of each series to the highest number of the
// entities. It does not change a higher last number. Call it before the entities are
// inserted, so that later documents get higher numbers.
func (s *Store) raiseNumbers(ctx context.Context, entities []Entity) error {
	highest := map[Series]int{}
	for _, e := range entities {
		series, number := numbered(e)
		highest[series] = max(highest[series], number)
	}
	for _, series := range allSeries {
		if highest[series] == 0 {
			continue
		}
		c, err := s.change(ctx)
		if err != nil {
			return err
		}
		c.raiseNumber(series, highest[series])
		if err := retryBusy(ctx, func() error { return c.Commit(ctx) }); err != nil && !table.ConditionFailed(err) {
			return err
		}
	}
	return nil
}

// raiseNumber sets the last number of a series if the stored number is lower. Otherwise the
// condition of the write fails.
func (c *change) raiseNumber(s Series, number int) {
	c.Update(&NumberSeries{Series: s}, "SET #last = :last, #version = :last, #type = :type", table.Condition{
		Expression: "attribute_not_exists(#last) OR #last < :last",
		Names:      map[string]string{"#last": attrLast, "#type": table.AttrType, "#version": table.AttrVersion},
		Values:     Item{":last": table.NumberValue(strconv.Itoa(number)), ":type": table.StringValue((*NumberSeries)(nil).EntityType())},
	})
}
