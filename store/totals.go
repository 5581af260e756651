package store

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
)

// NewTotals adds tallies up into the totals that a load writes beside what is
// counted.
func NewTotals(settings Settings, tallies []Tally) []*Total {
	sums := tallied{zone: settings.Zone(), shards: settings.Shards}
	for _, t := range tallies {
		sums.add(t)
	}
	return sums.totals
}

// tallied are totals in the making: one item for each kind, day and shard,
// because a transaction may touch an item once.
type tallied struct {
	zone   *time.Location
	shards int
	totals []*Total
}

func (s *tallied) add(t Tally) {
	year, month, day := t.At.In(s.zone).Date()
	shard, _ := strconv.Atoi(key.Shard(t.Of, s.shards)) // a shard is a number
	to := Total{Kind: t.Kind, Day: time.Date(year, month, day, 0, 0, 0, 0, time.UTC), Shard: shard, Version: 1}
	i := slices.IndexFunc(s.totals, func(o *Total) bool {
		return o.Kind == to.Kind && o.Day.Equal(to.Day) && o.Shard == to.Shard
	})
	if i < 0 {
		i = len(s.totals)
		s.totals = append(s.totals, &to)
	}
	s.totals[i].Count += t.Count
	s.totals[i].Amount = s.totals[i].Amount.Plus(t.Amount)
}

// add counts something in the totals of its day. A total is added to without
// having been read: it needs no condition of its own, because it moves only
// where the rest of the change does.
func (c *change) add(t Tally) { c.totals.add(t) }

// totalActions are the additions to the totals, one a total.
func (c *change) totalActions() []types.TransactWriteItem {
	var actions []types.TransactWriteItem
	for _, t := range c.totals.totals {
		added := attributes{item: Item{}}
		added.text(":type", t.EntityType())
		added.text(":day", t.Day.Format(key.Day))
		added.number(":count", t.Count)
		added.amount(":amount", t.Amount)
		added.number(":one", 1)
		actions = append(actions, types.TransactWriteItem{Update: &types.Update{
			TableName: &c.store.table, Key: c.key(t),
			UpdateExpression: aws.String("SET #type = :type, #day = :day ADD #count :count, #amount :amount, #version :one"),
			ExpressionAttributeNames: map[string]string{
				"#type": attrType, "#day": "Day", "#count": "Count", "#amount": "Amount", "#version": attrVersion,
			},
			ExpressionAttributeValues: added.item,
		}})
	}
	return actions
}

// DayTotal is what a day adds up to over all shards.
type DayTotal struct {
	Day    time.Time // midnight UTC of the calendar day
	Count  int
	Amount Amount
}

// Totals adds up, day by day, what was counted in a range of days, both ends
// of which have to be named. Days without anything are not listed.
func (a Access) Totals(ctx context.Context, kind TotalKind, r DateRange) ([]DayTotal, error) {
	if err := a.may(Browse); err != nil {
		return nil, err
	}
	days, err := a.days(ctx, r)
	if err != nil {
		return nil, err
	}
	// A day of the business is kept under its own date, so the months are
	// those of the dates.
	days.Zone = time.UTC
	rows, err := a.totalRows(ctx, kind, days.Months())
	if err != nil {
		return nil, err
	}
	first, last := r.From.Format(key.Day), r.To.Format(key.Day)
	var sums []DayTotal
	for _, row := range rows {
		if day := row.Day.Format(key.Day); day < first || day > last {
			continue
		}
		i, found := slices.BinarySearchFunc(sums, row.Day, func(s DayTotal, day time.Time) int { return s.Day.Compare(day) })
		if !found {
			sums = slices.Insert(sums, i, DayTotal{Day: row.Day})
		}
		sums[i].Count += row.Count
		sums[i].Amount = sums[i].Amount.Plus(row.Amount)
	}
	return sums, nil
}

// totalRows asks every shard of every month at once. It is one question of
// many small partitions, and the footer of the page shows it as one.
func (s *Store) totalRows(ctx context.Context, kind TotalKind, months []string) ([]Total, error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	var mu sync.Mutex
	var found []Item
	read := Read{Pattern: getTotals, Shards: settings.ShardsRead}
	began := time.Now()
	all, asking := errgroup.WithContext(ctx)
	for _, month := range months {
		for shard := range settings.ShardsRead {
			pk, sk, err := getTotals.keys(key.Map{"kind": string(kind), "month": month, "shard": strconv.Itoa(shard)})
			if err != nil {
				return nil, err
			}
			if read.Condition.PK == "" {
				read.Condition = sk.condition(pk)
			}
			all.Go(func() error {
				out, err := s.db.Query(asking, s.queryInput(getTotals, pk, sk, false)) // 31 items at most: one answer
				if err != nil {
					return s.failure(err)
				}
				mu.Lock()
				defer mu.Unlock()
				found = append(found, out.Items...)
				read.Requests++
				read.Items += len(out.Items)
				read.Units += units(out.ConsumedCapacity)
				return nil
			})
		}
	}
	if err := all.Wait(); err != nil {
		return nil, err
	}
	read.Took = time.Since(began)
	traceOf(ctx).add(read, found)
	return decodeAll(found, nil, decoded[Total])
}
