package loadsim

import (
	"hash/fnv"
	"strconv"
	"time"
)

type partition struct{ writes, reads bucket }

// bucket limits the units per second of a partition. The field busyUntil is the time at
// which the partition has served all units that were taken so far, if it serves them at
// its limit.
type bucket struct{ busyUntil time.Time }

// rejects reports whether the partition rejects requests, because the limit and a burst of
// one second are used up.
func (b *bucket) rejects(now time.Time) bool { return b.busyUntil.After(now) }

// take takes units from a bucket that allows bursts of one second.
func (b *bucket) take(now time.Time, units, perSecond float64) {
	if idle := now.Add(-time.Second); b.busyUntil.Before(idle) {
		b.busyUntil = idle
	}
	b.busyUntil = b.busyUntil.Add(time.Duration(units / perSecond * float64(time.Second)))
}

// queueUp adds units to the queue of an index.
func (b *bucket) queueUp(now time.Time, units, perSecond float64) {
	if b.busyUntil.Before(now) {
		b.busyUntil = now
	}
	b.busyUntil = b.busyUntil.Add(time.Duration(units / perSecond * float64(time.Second)))
}

// queue returns how long an index needs for the units in its queue.
func (b *bucket) queue(now time.Time) time.Duration { return max(0, b.busyUntil.Sub(now)) }

// partition returns the partition of a key in an index, or in the table if index is "". The
// hash of the key determines the partition, but a hot key has a partition of its own.
func (e *Engine) partition(index, pk string) *partition {
	id := index + "|" + pk
	if !e.Meter.isHot(index, pk) {
		hash := fnv.New64a()
		_, _ = hash.Write([]byte(pk)) // never fails
		id = index + "|" + strconv.FormatUint(hash.Sum64()%uint64(e.limits.Partitions), 10)
	}
	p := e.partitions[id]
	if p == nil {
		p = &partition{}
		e.partitions[id] = p
	}
	return p
}
