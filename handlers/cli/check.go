package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"stockroom/handlers"
	"stockroom/store"
	"stockroom/store/embedded"
)

func check(ctx context.Context, c *call) error {
	switch {
	case c.engine && c.business:
		return usagef("use either -engine or -business; without these flags, both checks run")
	case c.engine && c.dynamodb:
		return usagef("check -engine works only with the embedded store, not with -dynamodb")
	case c.engine && c.resume != "":
		return usagef("-resume is for the check of the books, not for -engine")
	}
	if err := c.checkReadUnits(); err != nil {
		return err
	}
	r := &checkReport{call: c}
	err := c.withBackend(ctx, false, func(b *backend) error {
		if !c.business && !c.dynamodb {
			if err := c.checkEngine(ctx, b, r); err != nil || c.engine {
				return err
			}
		}
		s, err := c.openStore(ctx, b, false)
		if err != nil {
			return err
		}
		return c.checkBusiness(ctx, s, r)
	})
	r.end(err)
	return err
}

func (c *call) checkEngine(ctx context.Context, b *backend, r *checkReport) error {
	problems, headers := 0, 0
	err := b.maintenance().Check(ctx, func(problem string) {
		problems++
		if embedded.IsHeaderProblem(problem) {
			headers++
		}
		r.problem(problem)
	})
	if err != nil {
		return err
	}
	if problems > 0 {
		r.wrong = true
		if problems == headers {
			return fmt.Errorf("a header page of the store in %s is damaged, but all other pages are intact: the next changes replace this page", c.data)
		}
		return fmt.Errorf("the store in %s is damaged (problems: %d): only undamaged data can be read; move %s away, and restore a backup into the same folder", c.data, problems, embedded.FileName)
	}
	r.say("No problems found in the store in %s. Every value, index entry and page was read.", c.data)
	return nil
}

func (c *call) checkBusiness(ctx context.Context, s *store.Store, r *checkReport) error {
	how := store.BusinessCheck{Resume: c.resume, Folder: c.tempFolder(), Found: r.finding}
	if c.dynamodb {
		how.UnitsPerSecond = c.rcu
	}
	bar := c.newProgress("Checking the books", nil)
	how.Progress = bar.show
	result, err := s.CheckBusiness(ctx, how)
	bar.clear()
	if err != nil {
		if c.resume != "" && store.KindOf(err) != store.Invalid {
			return fmt.Errorf("%w; items checked: %d; run the same command again to continue", err, result.Items)
		}
		return err
	}
	r.totals = result
	findings := 0
	for _, rule := range store.CheckRules {
		if n := result.Findings[rule.Rule]; n > 0 {
			r.say("%6d %s: %s", n, rule.Rule, rule.Text)
			findings += n
		}
	}
	r.say("Table %s: %s checked, %s.", c.table, store.NumberOf(result.Items, "item", "items"), store.NumberOf(findings, "finding", "findings"))
	if result.Changing > 0 {
		r.say("%s kept changing and could not be checked.", store.NumberOf(result.Changing, "record", "records"))
	}
	if findings > 0 {
		r.wrong = true
		return fmt.Errorf("the books are wrong (%s): each finding names the item, what was expected and the pages that show it", store.NumberOf(findings, "finding", "findings"))
	}
	return nil
}

// checkReport prints the problems and findings of a check, as lines or as one JSON object.
// It prints each problem immediately, because a damaged table may have more problems than
// fit into memory.
type checkReport struct {
	*call
	list   string // list of the JSON object that is being written: "problems", "findings", or "" before the first one
	empty  bool   // the list has no elements yet
	totals store.CheckResult
	wrong  bool // the check is complete and found problems
}

// reportedFinding is a finding with the paths of the pages that show its records.
type reportedFinding struct {
	Rule  store.CheckRule `json:"rule"`
	PK    string          `json:"pk"`
	SK    string          `json:"sk"`
	Text  string          `json:"text"`
	Pages []string        `json:"pages,omitempty"`
}

// say prints a line. If the output is JSON, it prints nothing.
func (r *checkReport) say(format string, args ...any) {
	if !r.json {
		fmt.Fprintf(r.stdout, format+"\n", args...)
	}
}

func (r *checkReport) problem(text string) {
	r.say("%s", text)
	r.add("problems", text)
}

func (r *checkReport) finding(f store.CheckFinding) {
	pages := handlers.FindingPages(f)
	r.say("%s: %s %s", f.Rule, f.Text, strings.Join(pages, " "))
	r.add("findings", reportedFinding{Rule: f.Rule, PK: f.PK, SK: f.SK, Text: f.Text, Pages: pages})
}

// add adds an element to a list of the JSON object.
func (r *checkReport) add(list string, element any) {
	if !r.json {
		return
	}
	r.begin(list)
	if !r.empty {
		fmt.Fprint(r.stdout, ",")
	}
	text, _ := json.Marshal(element) // never fails: the element consists of strings
	fmt.Fprintf(r.stdout, "\n%s", text)
	r.empty = false
}

// begin starts a list of the JSON object, unless it has already started. It first ends the
// previous list. If "findings" is the first list, it writes an empty list "problems" before
// it.
func (r *checkReport) begin(list string) {
	for _, next := range []string{"problems", "findings"} {
		if r.list == list {
			return
		}
		if r.list == next {
			continue
		}
		if r.list == "" {
			fmt.Fprint(r.stdout, "{")
		} else {
			fmt.Fprint(r.stdout, "],")
		}
		fmt.Fprintf(r.stdout, "%q:[", next)
		r.list, r.empty = next, true
	}
}

// end ends the JSON object with the counts and the state: "correct", "wrong", or
// "failed" if the check is incomplete. If err is not nil, the object contains its
// message.
func (r *checkReport) end(err error) {
	if !r.json {
		return
	}
	r.begin("findings")
	byRule := r.totals.Findings
	if byRule == nil { // the check stopped before it checked the books
		byRule = map[store.CheckRule]int{}
	}
	members := map[string]any{"items": r.totals.Items, "changing": r.totals.Changing, "byRule": byRule, "state": "correct"}
	if err != nil {
		members["state"], members["error"] = "failed", message(err)
	}
	if r.wrong {
		members["state"] = "wrong"
	}
	counts, _ := json.Marshal(members)
	fmt.Fprintf(r.stdout, "],%s\n", strings.TrimPrefix(string(counts), "{"))
}

// checkBooks checks the books, like the nightly check of a server. The page Check shows the
// result.
func checkBooks(ctx context.Context, c *call) error {
	if err := c.checkReadUnits(); err != nil {
		return err
	}
	return c.withStore(ctx, false, func(s *store.Store) (err error) {
		r, err := c.newJobRunner(s)
		if err != nil {
			return err
		}
		defer closeJoin(r, &err)
		report, err := r.Check(ctx)
		if errors.Is(err, store.ErrLeased) {
			return errors.New("another server is checking the books: the Check page will show the result")
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Table %s: %s checked, %s.\n", c.table, store.NumberOf(report.Items, "item", "items"), store.NumberOf(report.Findings(), "finding", "findings"))
		if report.Findings() > 0 {
			return fmt.Errorf("the books are wrong: see the Check page, or run '%s'", c.fullCommand("check"))
		}
		return nil
	})
}

func (c *call) checkReadUnits() error {
	if c.rcu < 0 {
		return usagef("invalid -rcu %d: enter a number per second, or 0 for no limit", c.rcu)
	}
	return nil
}
