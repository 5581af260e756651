package store

import (
	"context"
	"time"

	"stockroom/store/spill"
	"stockroom/store/table"
)

// BusinessCheck contains the options of CheckBusiness.
type BusinessCheck struct {
	// Resume is the path of a file with the progress of the check. A later check with
	// the same path continues an interrupted check. If Resume is "", nothing is stored.
	Resume string

	// ResumeWithin is the maximum age of an interrupted check that is continued. If the
	// check is older, or was about another table or another number of shards, CheckBusiness
	// starts from the beginning. If ResumeWithin is 0, CheckBusiness continues a check of
	// any age, and returns an error for another table or number of shards.
	ResumeWithin time.Duration

	Folder         string             // folder for temporary files if Resume is ""; "" means the system's folder
	UnitsPerSecond int                // maximum read capacity units per second; 0 means no limit
	PageSize       int                // items per read; 0 means 500
	Progress       func(items int)    // called after each page of items; may be nil
	Found          func(CheckFinding) // called for each finding; may be nil

	// Wait pauses before possible violations are read again. If Wait is nil, CheckBusiness
	// sleeps.
	Wait func(context.Context, time.Duration) error
}

// CheckResult holds the counts of CheckBusiness.
type CheckResult struct {
	Items    int               // items that were read
	Findings map[CheckRule]int // number of findings by rule
	Changing int               // records that could not be checked because they kept changing
}

// CheckFinding is one violation of a rule.
type CheckFinding struct {
	Rule   CheckRule
	PK, SK string   // primary key of the item
	Text   string   // a sentence that describes the violation
	About  []string // partition keys of the records concerned
}

// CheckBusiness checks that the records of the table are consistent: for example, that
// references lead to existing records and that sums are correct. CheckRules lists all
// rules. CheckBusiness writes nothing to the table.
//
// It reads the table once. At the end of each partition, it checks the rules about this
// partition alone. For rules about several partitions, it writes facts to a temporary
// file and sorts them, so that facts about the same record follow each other; see fact.
// The file has about 200 bytes per fact, and most items have at most four facts. In
// memory, it keeps the sort buffer, the largest partition (one entry per order line,
// kayak or warehouse), and one entry per day, quota and stock level.
//
// Servers can run during the check. A possible violation becomes a finding only if two
// later reads show it. For totals that differ, CheckBusiness scans the table again: once,
// or up to twice if it continues an interrupted check; see CheckTotals. It returns Conflict
// while the number of shards is being changed.
func (s *Store) CheckBusiness(ctx context.Context, how BusinessCheck) (CheckResult, error) {
	settings, err := s.requireSettledShards(ctx)
	if err != nil {
		return CheckResult{}, err
	}
	if how.Wait == nil {
		how.Wait = table.Pause
	}
	c := &businessChecker{
		store:    s,
		settings: settings,
		how:      how,
		limit:    table.NewReadLimit(how.UnitsPerSecond),
		totals:   newTotalsPass(),
		result:   CheckResult{Findings: map[CheckRule]int{}},
	}
	if err := c.open(); err != nil {
		return c.result, err
	}
	err = c.run(ctx)
	return c.result, c.close(err)
}

// requireSettledShards returns the current settings, or Conflict while the number of
// shards is being changed.
func (s *Store) requireSettledShards(ctx context.Context) (Settings, error) {
	settings, err := s.currentSettings(ctx)
	if err == nil && settings.Moving {
		err = fail(Conflict, "The number of shards is being changed. Finish the change with 'stockroom table shards -apply %d' first.", settings.Shards)
	}
	return settings, err
}

// businessChecker is one run of CheckBusiness.
type businessChecker struct {
	store    *Store
	settings Settings
	how      BusinessCheck
	limit    *table.ReadLimit

	state   checkState
	resumed bool
	facts   *spill.Sorter

	partition partitionCheck // the partition that is being read
	current   groupState     // the group whose facts are being checked; see factGroup
	numbers   numberState
	ledger    ledgerState // the stock ledger that is being checked
	suspects  []suspect   // possible violations that must be read again
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

func (c *businessChecker) report(f CheckFinding) {
	c.result.Findings[f.Rule]++
	if c.how.Found != nil {
		c.how.Found(f)
	}
}

// finding returns a finding about an item. About contains the partition of the item and the
// partitions in about.
func finding(rule CheckRule, item Item, text string, about ...string) CheckFinding {
	pk := table.TextOf(item, table.AttrPK)
	return CheckFinding{Rule: rule, PK: pk, SK: table.TextOf(item, table.AttrSK), Text: text, About: append([]string{pk}, about...)}
}

// compareTotals compares the stored totals, quotas and stock levels with the sums of
// the rows that they count.
func (c *businessChecker) compareTotals(ctx context.Context) error {
	totals := totalsChecker{
		store: c.store, settings: c.settings, limit: c.limit, skipDamaged: true, found: map[totalKey]bool{},
		how: TotalsCheck{Found: func(d TotalDifference) { c.report(d.finding()) }},
	}
	passes := 1
	if c.resumed {
		passes++ // totals may have changed after the interrupted check read them, so allow one more read of the table
	}
	err := totals.run(ctx, c.totals, passes)
	c.result.Changing += totals.result.Changing
	return err
}

func (d TotalDifference) finding() CheckFinding {
	f := CheckFinding{Rule: CheckTotal, PK: "total#" + string(d.Kind) + "#" + d.Day[:min(7, len(d.Day))], SK: d.Day, Text: "The total of " + d.String() + "."}
	switch {
	case d.ProductID != "":
		pk := productPartition(d.ProductID)
		f = CheckFinding{Rule: CheckStockLevel, PK: pk, SK: "counts#0", Text: "The " + d.String() + ".", About: []string{pk}}
	case d.Kind == "":
		quota := &Quota{EmployeeID: d.RepID}
		pk := partitionOf(getEmployee, "employeeID", quota.EmployeeID)
		f = CheckFinding{Rule: CheckQuota, PK: pk, SK: "QUOTA#" + d.Period, Text: "The " + d.String() + ".", About: []string{pk}}
	}
	return f
}
