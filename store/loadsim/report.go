package loadsim

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Prices of on-demand tables in the region us-east-1, in dollars per million units.
// See https://aws.amazon.com/dynamodb/pricing/on-demand/.
const (
	writePrice = 0.625
	readPrice  = 0.125
)

// HotKey is the most used key of a template.
type HotKey struct {
	Index, Template string
	Writes, Reads   float64 // units per second
}

// Share returns the share of its partition's limit that the key uses. It is the share of
// the write limit or of the read limit, whichever is larger.
func (k HotKey) Share() float64 { return max(k.Writes/partitionWrites, k.Reads/partitionReads) }

// String returns the index and the template of the key, such as GSI3 `orders#${shard}`.
func (k HotKey) String() string { return cmp.Or(k.Index, "table") + " `" + k.Template + "`" }

// HottestKeys returns the most used key of each template, hottest first. The argument d
// is the duration of the measurement.
func (c *Counts) HottestKeys(d time.Duration) []HotKey {
	hottest := map[keyOfMeter]HotKey{}
	for k, use := range c.keys {
		id := keyOfMeter{k.index, use.template}
		if key := (HotKey{k.index, use.template, use.units / d.Seconds(), use.reads / d.Seconds()}); key.Share() > hottest[id].Share() {
			hottest[id] = key
		}
	}
	return slices.SortedFunc(maps.Values(hottest), func(a, b HotKey) int { return cmp.Compare(b.Share(), a.Share()) })
}

// ConflictShare returns the share of transactions that were cancelled because another
// transaction had locked or changed an item.
func (c *Counts) ConflictShare() float64 {
	conflicts := c.conditions + sum(c.conflicts)
	return share(conflicts, conflicts+c.commits)
}

// ErrorShare returns the share of operations that returned an error.
func (c *Counts) ErrorShare() float64 {
	failed, all := 0, 0
	for _, o := range c.operations {
		failed += sum(o.errors)
		all += len(o.times)
	}
	return share(failed, all)
}

// Lag returns the 99th percentile of the time until a write is in an index.
func (c *Counts) Lag() time.Duration { return percentile(c.lags, 99) }

// WasteShare returns the share of all write units that cancelled requests used.
func (c *Counts) WasteShare() float64 { return c.wasted / max(1, c.written+c.wasted) }

// Cost returns the price of a million operations in dollars.
func (c *Counts) Cost() float64 {
	done := 0
	for _, o := range c.operations {
		done += o.done
	}
	return ((c.written+c.wasted)*writePrice + c.readUnits*readPrice) / float64(max(1, done))
}

func sum(counts map[string]int) (all int) {
	for _, n := range counts {
		all += n
	}
	return all
}

func share(part, all int) float64 { return float64(part) / float64(max(1, all)) }

func percentile(times []time.Duration, n int) time.Duration {
	if len(times) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(times))
	return sorted[(len(sorted)-1)*n/100]
}

// Thresholds are the limits for the counts. If a load exceeds one of them, the store cannot
// sustain the load.
var Thresholds = struct {
	HottestKey, Conflicts, Errors float64
	Lag                           time.Duration
}{0.7, 0.05, 0.0001, time.Second}

// Broken returns a sentence for each threshold that the counts exceed.
func (c *Counts) Broken(d time.Duration) []string {
	var broken []string
	if keys := c.HottestKeys(d); len(keys) > 0 && keys[0].Share() > Thresholds.HottestKey {
		broken = append(broken, fmt.Sprintf("%s uses %.0f %% of a partition", keys[0], 100*keys[0].Share()))
	}
	if s := c.ConflictShare(); s > Thresholds.Conflicts {
		broken = append(broken, fmt.Sprintf("%.1f %% of the transactions conflict: %s", 100*s, top(c.conflicts)))
	}
	if s := c.ErrorShare(); s > Thresholds.Errors {
		broken = append(broken, fmt.Sprintf("%.2f %% of the operations fail: %s", 100*s, c.errorsByOperation()))
	}
	if lag := c.Lag(); lag > Thresholds.Lag {
		broken = append(broken, fmt.Sprintf("indexes are %s behind", lag.Round(time.Millisecond)))
	}
	return broken
}

func (c *Counts) errorsByOperation() string {
	all := map[string]int{}
	for name, o := range c.operations {
		for message, n := range o.errors {
			all[name+" ("+message+")"] += n
		}
	}
	return top(all)
}

// top returns the three largest counts with their names.
func top(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Or(counts[b]-counts[a], cmp.Compare(a, b)) })
	var parts []string
	for _, name := range names[:min(3, len(names))] {
		parts = append(parts, fmt.Sprintf("%s: %d", name, counts[name]))
	}
	return cmp.Or(strings.Join(parts, ", "), "none")
}

// Report returns all counts as a Markdown table.
func (c *Counts) Report(d time.Duration) string {
	var b strings.Builder
	row := func(name, format string, values ...any) {
		fmt.Fprintf(&b, "| %s | %s |\n", name, fmt.Sprintf(format, values...))
	}
	b.WriteString("| Measured | Value |\n|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(c.operations)) {
		o := c.operations[name]
		row("operation: "+name, "%.0f per second, median %d ms, 99 %% within %d ms", float64(o.done)/d.Seconds(), percentile(o.times, 50).Milliseconds(), percentile(o.times, 99).Milliseconds())
	}
	for _, k := range c.HottestKeys(d)[:min(3, len(c.HottestKeys(d)))] {
		row("hot key: "+k.String(), "%.0f write units and %.0f read units per second, %.0f %% of a partition", k.Writes, k.Reads, 100*k.Share())
	}
	row("conflicts with a transaction in progress, by item", "%s", top(c.conflicts))
	row("conflicts because an item had changed since it was read", "%d", c.conditions)
	row("throttled requests", "%s", top(c.throttles))
	row("failed operations", "%s", top(c.failed()))
	row("write units and read units per second", "%.0f and %.0f", (c.written+c.wasted)/d.Seconds(), c.readUnits/d.Seconds())
	return b.String()
}

// failed returns the number of failed operations by name.
func (c *Counts) failed() map[string]int {
	failed := map[string]int{}
	for name, o := range c.operations {
		if n := sum(o.errors); n > 0 {
			failed[name] = n
		}
	}
	return failed
}

// Throttled returns the number of throttled requests.
func (c *Counts) Throttled() int { return sum(c.throttles) }

// SummaryHead is the head of a table of summaries.
const SummaryHead = "| Scenario | Hottest key | Conflicts | Errors | Lag of indexes | Write units per second | Cost of a million operations | Thresholds |\n|---|---|---|---|---|---|---|---|\n"

// Summary returns the most important counts as a row of a Markdown table.
func (c *Counts) Summary(name string, d time.Duration) string {
	limits := "met"
	if len(c.Broken(d)) > 0 {
		limits = "exceeded"
	}
	hottest := c.HottestKeys(d)[0]
	return fmt.Sprintf("| %s | %s %.0f %% | %.1f %% | %.2f %% | %d ms | %.0f | $%.0f | %s |\n",
		name, hottest, 100*hottest.Share(), 100*c.ConflictShare(), 100*c.ErrorShare(), c.Lag().Milliseconds(), (c.written+c.wasted)/d.Seconds(), c.Cost(), limits)
}

// Written returns the write units of committed requests.
func (c *Counts) Written() float64 { return c.written }

// UnitsByStep returns the write units of each operation, by its name. The operations must
// not have run at the same time.
func (c *Counts) UnitsByStep() map[string]float64 {
	units := map[string]float64{}
	for name, o := range c.operations {
		units[name] = o.units
	}
	return units
}
