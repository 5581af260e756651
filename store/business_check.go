package store

import (
	"context"
	"time"

	"stockroom/store/spill"
	"stockroom/store/table"
)

// BusinessCheck are the options of CheckBusiness.
type BusinessCheck struct {
	Resume         string             // file with the position of an interrupted check, from which to continue; "" keeps none
	ResumeWithin   time.Duration      // start again if the interrupted check began longer ago, or was of another table; 0 always continues
	Folder         string             // of temporary files, without Resume; "" is that of the system
	UnitsPerSecond int                // read capacity units; 0 means no limit
	PageSize       int                // items per read; 0 means 500
	Progress       func(items int)    // called after each page that was read; may be nil
	Found          func(CheckFinding) // called for each finding; may be nil

	// Wait waits before possible violations are read again. Nil sleeps.
	Wait func(context.Context, time.Duration) error
}

// CheckResult holds the counts of CheckBusiness.
type CheckResult struct {
	Items    int               // that were read
	Findings map[CheckRule]int // by rule
	Changing int               // records that kept changing and could not be checked
}

// CheckFinding is one violation of a rule.
type CheckFinding struct {
	Rule   CheckRule
	PK, SK string   // of the item
	Text   string   // the expected and the found value
	About  []string // partition keys of the records that it concerns
}

// CheckBusiness checks that the records of the table are consistent. Every
// reference leads to a record, sums are correct, states follow from the records
// that determine them, and index keys follow from the attributes. CheckRules lists
// the rules. It writes nothing to the table.
//
// It reads the table once. It checks rules about one partition at the end of that
// partition. For rules about several partitions, it writes facts to a temporary
// file and sorts them, so that facts about one record are next to each other.
// Memory holds the buffer of that sort, the largest partition (one entry per line,
// kayak or warehouse), and the days and quotas of the totals. The file takes about
// 200 bytes per fact, and an item has one or two facts.
//
// Servers can keep running. Items with a possible violation are read again,
// consistently and twice. They become a finding only if both reads show the
// violation. Totals that differ are compared again after a second read of the
// table; see CheckTotals. CheckBusiness returns Conflict while the number of shards
// changes.
func (s *Store) CheckBusiness(ctx context.Context, how BusinessCheck) (CheckResult, error) {
	settings, err := s.requireSettledShards(ctx)
	if err != nil {
		return CheckResult{}, err
	}
	if how.Wait == nil {
		how.Wait = pause
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

	partition partitionCheck // the partition that is being read
	current   groupState     // the group of facts that is being checked
	suspects  []suspect      // possible violations, which are read again
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

// finding returns a finding about an item. The item's own record is the first
// record that the finding names.
func finding(rule CheckRule, item Item, text string, about ...string) CheckFinding {
	pk := table.TextOf(item, table.AttrPK)
	return CheckFinding{Rule: rule, PK: pk, SK: table.TextOf(item, table.AttrSK), Text: text, About: append([]string{pk}, about...)}
}

// compareTotals compares the totals and quotas with the facts about the rows that
// they count.
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
