package loadsim

import (
	"cmp"
	"strings"
	"sync"
	"time"

	"stockroom/store/table"
)

// Meter counts the costs and the failures of requests.
type Meter struct {
	mu sync.Mutex
	Counts
}

// Counts contains the counts of one measurement.
type Counts struct {
	keys       map[keyOfMeter]*keyUse
	conflicts  map[string]int // transactions for which another one had locked an item, by the template of the item's key
	conditions int            // transactions whose condition failed because another transaction had changed the item
	throttles  map[string]int // number of throttled requests, by index and template of the key
	commits    int
	written    float64 // write units of committed requests
	wasted     float64 // write units of cancelled requests
	readUnits  float64
	lags       []time.Duration
	operations map[string]*operation
}

type keyOfMeter struct{ index, pk string }

type keyUse struct {
	template string
	units    float64 // write units
	reads    float64 // read units
	second   int64   // the current second
	current  float64 // write units in the current second
	hot      bool
}

// operation counts one kind of user action, such as placing an order.
type operation struct {
	done   int
	units  float64        // write units of committed requests; only correct if no other operation ran at the same time
	errors map[string]int // number of errors by message
	times  []time.Duration
}

func newMeter() *Meter {
	m := &Meter{}
	m.Take()
	return m
}

// Take returns the counts since the last call and resets them. It does not reset which keys
// are hot.
func (m *Meter) Take() Counts {
	m.mu.Lock()
	defer m.mu.Unlock()
	counts := m.Counts
	m.Counts = Counts{keys: map[keyOfMeter]*keyUse{}, conflicts: map[string]int{}, throttles: map[string]int{}, operations: map[string]*operation{}}
	for k, use := range counts.keys {
		if use.hot {
			m.keys[k] = &keyUse{template: use.template, hot: true}
		}
	}
	return counts
}

// charge adds write units to a key.
func (m *Meter) charge(now time.Time, index, pk string, units float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	use := m.use(index, pk)
	use.units += units
	if second := now.Unix(); second != use.second {
		use.second, use.current = second, 0
	}
	use.current += units
	use.hot = use.hot || use.current > hotShare*partitionWrites
}

func (m *Meter) use(index, pk string) *keyUse {
	k := keyOfMeter{index, pk}
	use := m.keys[k]
	if use == nil {
		use = &keyUse{template: templateOf(index, pk, "")}
		m.keys[k] = use
	}
	return use
}

func (m *Meter) isHot(index, pk string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	use := m.keys[keyOfMeter{index, pk}]
	return use != nil && use.hot
}

func (m *Meter) conflict(writes []write, at int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.conflicts[templateOf("", writes[at].pk, table.TextOf(writes[at].key, table.AttrSK))]++
	m.waste(writes)
}

func (m *Meter) failedCondition(writes []write, conflict bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if conflict {
		m.conditions++
	}
	m.waste(writes)
}

// waste adds the write units of the table for a cancelled transaction. DynamoDB charges no
// units for the indexes, because they do not change.
func (m *Meter) waste(writes []write) {
	for i := range writes {
		m.wasted += 2 * writes[i].units()
	}
}

func (m *Meter) throttle(index, pk string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.throttles[cmp.Or(index, "table")+" "+templateOf(index, pk, "")]++
}

func (m *Meter) committed(units float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.commits++
	m.written += units
}

func (m *Meter) read(index, pk string, units float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.use(index, pk).reads += units
	m.readUnits += units
}

func (m *Meter) lag(d time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lags = append(m.lags, d)
}

// Written returns the write units of committed requests.
func (m *Meter) Written() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.written
}

// Do runs an operation of a user and counts its result.
func (m *Meter) Do(name string, f func() error) error {
	before := m.Written()
	began := time.Now()
	err := f()
	m.mu.Lock()
	defer m.mu.Unlock()
	o := m.operations[name]
	if o == nil {
		o = &operation{errors: map[string]int{}}
		m.operations[name] = o
	}
	o.times = append(o.times, time.Since(began))
	o.units += m.written - before
	if err == nil {
		o.done++
	} else {
		message, _, _ := strings.Cut(err.Error(), ":")
		o.errors[message]++
	}
	return err
}
