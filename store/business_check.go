package store

import (
	"context"

	"stockroom/store/spill"
	"stockroom/store/table"
)

// BusinessCheck are the options of CheckBusiness.
type BusinessCheck struct {
	Resume         string             // file with the position of an interrupted check, from which to continue; "" keeps none
	UnitsPerSecond int                // read capacity units; 0 means no limit
	PageSize       int                // items per read; 0 means 500
	Progress       func(items int)    // called after each page that was read; may be nil
	Found          func(CheckFinding) // called for each finding; may be nil
}

// CheckResult is what CheckBusiness has found.
type CheckResult struct {
	Items    int               // that were read
	Findings map[CheckRule]int // by rule
	Changing int               // kept changing, so they could not be judged
}

// CheckFinding is one place where the books are wrong.
type CheckFinding struct {
	Rule   CheckRule
	PK, SK string   // of the item
	Text   string   // what is expected and what was found
	About  []string // partition keys of the records that it concerns
}

// CheckBusiness proves the books of the table: every reference leads somewhere,
// sums equal what they are sums of, states follow from what they depend on, and
// the keys of indexes equal those of the attributes. CheckRules lists what is
// checked. Nothing is written to the table.
//
// The table is read once. What one partition can show is judged at its end. What
// several partitions have to agree on is written to a temporary file as facts, which
// are then sorted, so that those about one record are next to each other. Memory is
// bounded by the buffer of that sort, by the largest order, store and product (one
// entry per line, kayak and warehouse), and by the days and quotas of the totals. The
// file takes some 200 bytes per fact, and an item has one or two.
//
// Servers may keep running: what looks wrong is read again, consistently and twice,
// and is a finding only if both reads agree. Totals that differ are compared again
// after a second read of the table; see CheckTotals. CheckBusiness returns Conflict
// while the number of shards changes.
func (s *Store) CheckBusiness(ctx context.Context, how BusinessCheck) (CheckResult, error) {
	settings, err := s.requireSettledShards(ctx)
	if err != nil {
		return CheckResult{}, err
	}
	c := &businessChecker{
		store:    s,
		settings: settings,
		how:      how,
		limit:    newReadLimit(how.UnitsPerSecond),
		totals:   newTotalsPass(),
		result:   CheckResult{Findings: map[CheckRule]int{}},
	}
	if err := c.open(); err != nil {
		return c.result, err
	}
	err = c.run(ctx)
	return c.result, c.close(err)
}

// requireSettledShards returns the current settings, or Conflict while the number
// of shards changes.
func (s *Store) requireSettledShards(ctx context.Context) (Settings, error) {
	settings, err := s.currentSettings(ctx)
	if err == nil && settings.Moving {
		err = fail(Conflict, "The number of shards is changing. Finish 'stockroom table shards -apply %d' first.", settings.Shards)
	}
	return settings, err
}

// businessChecker is one run of CheckBusiness.
type businessChecker struct {
	store    *Store
	settings Settings
	how      BusinessCheck
	limit    *readLimit

	state   checkState
	resumed bool
	facts   *spill.Sorter
	folder  string // of the facts, if they are temporary

	partition partitionCheck // that is being read
	current   groupState     // of the facts that are judged
	suspects  []suspect      // to be read again
	totals    *totalsPass
	result    CheckResult
}

func (c *businessChecker) run(ctx context.Context) error {
	if err := c.scan(ctx); err != nil {
		return err
	}
	if err := c.judge(ctx); err != nil {
		return err
	}
	return c.compareTotals(ctx)
}

// report counts a finding and passes it on.
func (c *businessChecker) report(f CheckFinding) {
	c.result.Findings[f.Rule]++
	if c.how.Found != nil {
		c.how.Found(f)
	}
}

// finding returns a finding about an item. Its own record comes first among those
// that it concerns.
func finding(rule CheckRule, item Item, text string, about ...string) CheckFinding {
	pk := table.TextOf(item, table.AttrPK)
	return CheckFinding{Rule: rule, PK: pk, SK: table.TextOf(item, table.AttrSK), Text: text, About: append([]string{pk}, about...)}
}

// compareTotals compares the totals and quotas with the facts about their rows.
func (c *businessChecker) compareTotals(ctx context.Context) error {
	totals := totalsChecker{
		store: c.store, settings: c.settings, limit: c.limit, skipDamaged: true, found: map[totalKey]bool{},
		how: TotalsCheck{Found: func(d TotalDifference) { c.report(d.finding()) }},
	}
	passes := 1
	if c.resumed {
		passes++ // totals have changed since they were read
	}
	err := totals.run(ctx, c.totals, passes)
	c.result.Changing += totals.result.Changing
	return err
}

// finding returns the difference as a finding.
func (d TotalDifference) finding() CheckFinding {
	f := CheckFinding{Rule: CheckTotal, PK: "total#" + string(d.Kind) + "#" + d.Day[:min(7, len(d.Day))], SK: d.Day, Text: "The total of " + d.String() + "."}
	if d.Kind == "" {
		quota := &Quota{EmployeeID: d.RepID}
		pk := partitionOf(getEmployee, "employeeID", quota.EmployeeID)
		f = CheckFinding{Rule: CheckQuota, PK: pk, SK: "QUOTA#" + d.Period, Text: "The " + d.String() + ".", About: []string{pk}}
	}
	return f
}
