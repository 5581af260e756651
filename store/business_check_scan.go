package store

import (
	"cmp"
	"context"
	"errors"

	"stockroom/store/table"
)

// scan reads the table, one segment after the other. It checks each item and each
// partition, and adds facts for the other rules.
func (c *businessChecker) scan(ctx context.Context) error {
	limit := cmp.Or(c.how.PageSize, checkPageSize)
	saved := c.state.Items
	for c.state.Segment < table.ScanSegments {
		err := c.store.table.ScanFrom(ctx, c.state.Segment, limit, c.state.from(), func(page table.ScanPage) error {
			for _, item := range page.Items {
				if err := c.addItem(item); err != nil {
					return err
				}
			}
			if page.Next == nil {
				if err := c.endPartition(); err != nil {
					return err
				}
			}
			if c.result.Items += len(page.Items); c.how.Progress != nil {
				c.how.Progress(c.result.Items)
			}
			if c.state.Items-saved >= itemsPerSave {
				saved = c.state.Items
				if err := c.save(); err != nil {
					return err
				}
			}
			return c.limit.Wait(ctx, page.Units)
		})
		if err != nil {
			return errors.Join(err, c.save())
		}
		c.state.Segment++
		c.state.PK, c.state.SK = "", ""
	}
	return c.save()
}

// partitionCheck is the state of the partition that is being read. A scan returns all
// items of a partition one after the other.
type partitionCheck struct {
	pk, last string // partition key, and sort key of the last item
	items    int
	damaged  bool // an item cannot be decoded, so books is incomplete and must not be checked
	books    books
}

func (c *businessChecker) addItem(item Item) error {
	pk, sk := table.TextOf(item, table.AttrPK), table.TextOf(item, table.AttrSK)
	if pk != c.partition.pk {
		if err := c.endPartition(); err != nil {
			return err
		}
		c.partition = partitionCheck{pk: pk, books: newBooks(pk)}
	}
	c.partition.last = sk
	c.partition.items++
	entity, err := Decode(item)
	if err != nil || len(itemFindings(entity, item, c.settings.Shards)) > 0 {
		if err := c.addFact(fact{group: factGroup{factSuspects, pk, sk}}); err != nil {
			return err
		}
	}
	if err != nil {
		c.partition.damaged = true
		return nil
	}
	if c.partition.books != nil {
		c.partition.books.add(entity, item)
	}
	return c.addFacts(entity, pk, sk)
}

// endPartition checks the collected items of a partition. An interrupted check continues
// after this partition.
func (c *businessChecker) endPartition() error {
	p := c.partition
	c.partition = partitionCheck{}
	if p.items == 0 {
		return nil
	}
	if p.books != nil && !p.damaged && len(p.books.findings()) > 0 {
		if err := c.addFact(fact{group: factGroup{factSuspects, p.pk, ""}}); err != nil {
			return err
		}
	}
	if products, ok := p.books.(*productBooks); ok && !p.damaged {
		if err := c.addLedgers(products, p.pk); err != nil {
			return err
		}
	}
	if orders, ok := p.books.(*orderBooks); ok && len(orders.orders) > 0 {
		if err := c.addTally(orders.details().Tally(), orders.orders[0].AccountRepID, p.pk, ""); err != nil {
			return err
		}
	}
	c.state.PK, c.state.SK = p.pk, p.last
	c.state.Items += p.items
	return nil
}
