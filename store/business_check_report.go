package store

import (
	"context"
	"strings"
	"time"

	"stockroom/store/table"
)

// CheckReport is the result of the last nightly CheckBusiness.
type CheckReport struct {
	Began    time.Time
	Ended    time.Time
	Items    int          // items that were read
	Changing int          // records that could not be checked because they kept changing
	Problem  string       `json:",omitempty"` // why the check could not be completed
	Counts   []RuleCount  `json:",omitempty"` // one element for each rule with findings
	First    []CheckEntry `json:",omitempty"` // the first findings, up to maxCheckEntries
	Version  int
}

// RuleCount is the number of findings of a rule.
type RuleCount struct {
	Rule  CheckRule
	Count int
}

// CheckEntry is a finding in a stored report.
type CheckEntry struct {
	Rule   CheckRule
	PK, SK string   // key of the item
	Text   string   // as in CheckFinding, shortened to maxCheckText bytes
	About  []string `json:",omitempty"` // partition keys of the records that the finding concerns
}

// Limits of a stored report, so that it fits into one item of 400 KB.
const (
	maxCheckEntries = 100
	maxCheckText    = 500
)

func (*CheckReport) EntityType() string { return "checkReport" }

func (*CheckReport) KeyValue(string) string { return "" }

func (r *CheckReport) attributes(a *table.Attributes) {
	a.Time("Began", &r.Began)
	a.Time("Ended", &r.Ended)
	a.Number("Items", &r.Items)
	a.Number("Changing", &r.Changing)
	a.Text("Problem", &r.Problem)
	table.Slice(a, "Counts", &r.Counts, func(c *RuleCount, a *table.Attributes) {
		a.Text("Rule", (*string)(&c.Rule))
		a.Number("Count", &c.Count)
	})
	table.Slice(a, "First", &r.First, func(e *CheckEntry, a *table.Attributes) {
		a.Text("Rule", (*string)(&e.Rule))
		a.Text("PK", &e.PK)
		a.Text("SK", &e.SK)
		a.Text("Text", &e.Text)
		a.Texts("About", &e.About)
	})
	a.Version(&r.Version)
}

// Findings returns the number of findings of all rules.
func (r *CheckReport) Findings() int {
	n := 0
	for _, c := range r.Counts {
		n += c.Count
	}
	return n
}

// TextOf returns what a rule requires, or the code of the rule if it is unknown.
func (r CheckRule) TextOf() string {
	for _, rule := range CheckRules {
		if rule.Rule == r {
			return rule.Text
		}
	}
	return string(r)
}

// LastCheck returns the report of the last nightly check, or NotFound before the
// first one.
func (a Access) LastCheck(ctx context.Context) (*CheckReport, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	return readOne[*CheckReport](ctx, a.store, getCheckReport, nil)
}

// LastCheckBegan returns when the last nightly check began, or the zero time if
// there was none.
func (s *Store) LastCheckBegan(ctx context.Context) (time.Time, error) {
	report, err := readConsistently[*CheckReport](ctx, s, getCheckReport, nil)
	if err != nil {
		return time.Time{}, ignoreNotFound(err)
	}
	return report.Began, nil
}

// RecordCheck runs CheckBusiness, and stores and returns a report. If the check
// fails, RecordCheck also returns the error, and the report contains the reason. If
// ctx was cancelled, no report is stored.
func (s *Store) RecordCheck(ctx context.Context, how BusinessCheck) (*CheckReport, error) {
	report := &CheckReport{Began: s.now()}
	found := how.Found
	how.Found = func(f CheckFinding) {
		if len(report.First) < maxCheckEntries {
			report.First = append(report.First, CheckEntry{Rule: f.Rule, PK: f.PK, SK: f.SK, Text: shorten(f.Text, maxCheckText), About: f.About})
		}
		if found != nil {
			found(f)
		}
	}
	result, checkErr := s.CheckBusiness(ctx, how)
	if err := ctx.Err(); err != nil {
		return report, err
	}
	report.Ended, report.Items, report.Changing = s.now(), result.Items, result.Changing
	if checkErr != nil {
		report.Problem = shorten(checkErr.Error(), maxCheckText)
	}
	for _, rule := range CheckRules {
		if n := result.Findings[rule.Rule]; n > 0 {
			report.Counts = append(report.Counts, RuleCount{rule.Rule, n})
		}
	}
	if err := s.saveCheck(ctx, report); err != nil {
		return report, err
	}
	return report, checkErr
}

func (s *Store) saveCheck(ctx context.Context, report *CheckReport) error {
	return retryOnConflict(ctx, func() error {
		before, err := readConsistently[*CheckReport](ctx, s, getCheckReport, nil)
		if KindOf(err) == NotFound {
			before, err = &CheckReport{}, nil
		}
		if err != nil {
			return err
		}
		c, err := s.change(ctx)
		if err != nil {
			return err
		}
		if report.Version = before.Version + 1; before.Version == 0 {
			c.Create(report)
		} else {
			c.Replace(report, before.Version)
		}
		return c.Commit(ctx)
	})
}

// shorten cuts a string to at most limit bytes.
func shorten(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit-len("…")], "") + "…"
}

// CheckLease is the name of the lease that a server has while it runs the nightly check.
const CheckLease = "check"

// IsChecking reports whether a server is running the nightly check.
func (a Access) IsChecking(ctx context.Context) (bool, error) {
	if err := a.require(Administer); err != nil {
		return false, err
	}
	return a.store.IsLeased(ctx, CheckLease)
}
