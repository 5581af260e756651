package store

import (
	"context"
	"slices"
	"strconv"
	"time"

	"stockroom/store/key"
)

// DayTotal is the total of a day over all shards.
type DayTotal struct {
	Day    time.Time // at midnight UTC
	Count  int
	Amount Sum
}

// Totals returns the totals of a range of days, sorted by day. The range must have
// both ends. Days without a total are missing.
func (a Access) Totals(ctx context.Context, kind TotalKind, r DateRange) ([]DayTotal, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	days, err := a.store.days(ctx, r)
	if err != nil {
		return nil, err
	}
	// Totals are stored by calendar day, so their months do not depend on a time zone.
	days.Zone = time.UTC
	rows, err := a.store.totalRows(ctx, kind, days.Months())
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

// totalRows reads all shards of the given months in parallel. Some kinds of totals have
// only one shard.
func (s *Store) totalRows(ctx context.Context, kind TotalKind, months []string) ([]Total, error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	var partitions []key.Map
	shards := settings.ShardsRead
	if kind.isInOneShard() {
		shards = 1
	}
	for _, month := range months {
		for shard := range shards {
			partitions = append(partitions, key.Map{"kind": string(kind), "month": month, "shard": strconv.Itoa(shard)})
		}
	}
	// A request can return a whole month, which has at most paymentSlots items per day and
	// shard.
	items, err := s.table.QueryAll(ctx, getTotals, partitions, settings.ShardsRead)
	return decodeAll(items, err, decodeAs[Total])
}
