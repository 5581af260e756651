package store

import (
	"context"
	"slices"
	"strconv"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// NewTotals adds tallies up into the totals that a load writes beside what is
// counted.
func NewTotals(settings Settings, tallies []Tally) []*Total {
	sums := totalSums{zone: settings.Zone(), shards: settings.Shards}
	for _, t := range tallies {
		sums.add(t)
	}
	return sums.totals
}

// totalSums adds tallies up: one total for each kind, day and shard, because a
// transaction may write an item only once.
type totalSums struct {
	zone   *time.Location
	shards int
	totals []*Total
}

func (s *totalSums) add(t Tally) {
	year, month, day := t.At.In(s.zone).Date()
	shard, _ := strconv.Atoi(key.Shard(t.ID, s.shards)) // a shard is a number
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

// addTotal counts something in the totals of its day. Totals are added to
// without being read, so they need no condition.
func (c *change) addTotal(t Tally) { c.totals.add(t) }

// updateTotals adds the sums to the transaction, one action per total.
func (c *change) updateTotals() {
	for _, t := range c.totals.totals {
		c.Update(t, "SET #type = :type, #day = :day ADD #count :count, #amount :amount, #version :one", table.Condition{
			Names: map[string]string{"#type": table.AttrType, "#day": "Day", "#count": "Count", "#amount": "Amount", "#version": table.AttrVersion},
			Values: Item{
				":type":   table.StringValue(t.EntityType()),
				":day":    table.StringValue(t.Day.Format(key.Day)),
				":count":  table.NumberValue(strconv.Itoa(t.Count)),
				":amount": table.NumberValue(t.Amount.String()),
				":one":    table.NumberValue("1"),
			},
		})
	}
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
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	days, err := a.store.days(ctx, r)
	if err != nil {
		return nil, err
	}
	// A day of the business is kept under its own date, so the months are
	// those of the dates.
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

// totalRows reads every shard of every month in parallel.
func (s *Store) totalRows(ctx context.Context, kind TotalKind, months []string) ([]Total, error) {
	settings, err := s.Settings(ctx)
	if err != nil {
		return nil, err
	}
	var partitions []key.Map
	for _, month := range months {
		for shard := range settings.ShardsRead {
			partitions = append(partitions, key.Map{"kind": string(kind), "month": month, "shard": strconv.Itoa(shard)})
		}
	}
	// A month has 31 items at most, which one request returns.
	items, err := s.table.QueryAll(ctx, getTotals, partitions, settings.ShardsRead)
	return decodeAll(items, err, decodeAs[Total])
}
