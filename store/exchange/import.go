package exchange

import (
	"context"

	"stockroom/store"
)

// Business is what an import goes into: the whole business, or as a user may
// change it.
type Business interface {
	Settings(ctx context.Context) (store.Settings, error)
	Load(ctx context.Context, entities []store.Entity, how store.Loading) (store.Loaded, error)
	KnownKayaks(ctx context.Context, ids []string) ([]store.Kayak, error)
	OutFrom(ctx context.Context, storeID string) ([]store.ActiveRental, error)
	CountKayaks(ctx context.Context) error
}

// Taking is how Take goes about it.
type Taking struct {
	Rehearse   bool                  // say what would happen and write nothing
	SamePeople bool                  // people of one ID are one person, even where no e-mail says so
	Fleet      *Fleet                // shared by the files of one import; nil: this is the only one
	Refused    func([]Refused) error // is given what was refused, some at a time
	Progress   func(rows int)        // called now and then; may be nil
}

// Taken says what became of the rows of a file.
type Taken struct {
	Written map[string]int // by entity type
	Present int            // were there already, just the same
	Renewed int            // receipts whose time was over and that are kept for another life
	Refused int

	Corrected   int          // rows that lie under other keys than their file has
	Corrections []Correction // the first of them
}

// Take puts what a file holds into the table, portion by portion; the next
// one is read while one is written. What was taken before an error stays.
func Take(ctx context.Context, s Business, portions Portions, how Taking) (Taken, error) {
	t := taking{store: s, how: how, taken: Taken{Written: map[string]int{}}}
	if how.Fleet == nil {
		t.how.Fleet = NewFleet()
	}
	settings, err := s.Settings(ctx)
	if err != nil {
		return t.taken, err
	}
	for portion, err := range ahead(totalled(portions, settings.Shards)) {
		if err == nil {
			err = t.portion(ctx, portion)
		}
		if err != nil {
			return t.taken, err
		}
	}
	if !how.Rehearse && t.taken.Written["storeMetadata"]+t.taken.Written["storeInventoryItem"] > 0 {
		return t.taken, s.CountKayaks(ctx)
	}
	return t.taken, nil
}

type taking struct {
	store Business
	how   Taking
	taken Taken
	rows  int
}

func (t *taking) portion(ctx context.Context, p *Import) error {
	p, err := t.fit(ctx, p)
	if err != nil {
		return err
	}
	before := t.rows
	progress := func(done int) {
		if t.how.Progress != nil {
			t.how.Progress(before + done)
		}
	}
	loaded, err := t.store.Load(ctx, p.Entities, store.Loading{
		Rehearse: t.how.Rehearse, Counted: p.Ours, SamePeople: t.how.SamePeople || p.Ours, Progress: progress,
	})
	for kind, n := range loaded.Written {
		t.taken.Written[kind] += n
	}
	t.taken.Present += loaded.Present
	t.taken.Renewed += loaded.Renewed
	if err != nil {
		return err
	}
	for _, r := range loaded.Refused {
		p.Refused = append(p.Refused, Refused{p.Rows[r.Index], r.Reason})
		p.Rows[r.Index].moved = nil
	}
	for i := range p.Rows {
		if moved := p.Rows[i].moved; moved != nil {
			if t.taken.Corrected++; t.taken.Corrected <= mostCorrections {
				t.taken.Corrections = append(t.taken.Corrections, *moved)
			}
		}
	}
	t.rows += len(p.Entities)
	t.taken.Refused += len(p.Refused)
	if len(p.Refused) == 0 {
		return nil
	}
	return t.how.Refused(p.Refused)
}

// ahead reads a portion while the one before it is worked on.
func ahead(portions Portions) Portions {
	return func(yield func(*Import, error) bool) {
		type read struct {
			portion *Import
			err     error
		}
		next, done := make(chan read), make(chan struct{})
		go func() {
			defer close(next)
			for portion, err := range portions {
				select {
				case next <- read{portion, err}:
				case <-done:
					return
				}
			}
		}()
		defer func() {
			close(done)
			for range next { // until the reader has ended: its file may be closed after this
			}
		}()
		for r := range next {
			if !yield(r.portion, r.err) {
				return
			}
		}
	}
}

// totalled adds totals up for a table with fewer shards than the one that they
// come from: what would lie in a shard that nobody asks goes to another. It
// keeps them until the file has ended; there are as many as days and shards.
func totalled(portions Portions, shards int) Portions {
	return func(yield func(*Import, error) bool) {
		sums := totals{shards: shards, by: map[store.Total]int{}}
		for portion, err := range portions {
			if err == nil {
				portion = sums.takeFrom(portion)
			}
			if !yield(portion, err) {
				return
			}
		}
		if len(sums.kept.Entities) > 0 {
			yield(&sums.kept, nil)
		}
	}
}

type totals struct {
	shards int
	by     map[store.Total]int // the place of a total, by kind, day and shard alone
	kept   Import
}

// takeFrom keeps the totals of a portion and returns the rest of it.
func (t *totals) takeFrom(p *Import) *Import {
	rest := &Import{Refused: p.Refused, Ours: p.Ours}
	for i, entity := range p.Entities {
		total, is := entity.(*store.Total)
		if !is {
			rest.Entities, rest.Rows = append(rest.Entities, entity), append(rest.Rows, p.Rows[i])
			continue
		}
		sum := *total
		sum.Shard %= t.shards
		place := store.Total{Kind: sum.Kind, Day: sum.Day, Shard: sum.Shard}
		at, there := t.by[place]
		if !there {
			t.by[place] = len(t.kept.Entities)
			t.kept.Entities, t.kept.Rows = append(t.kept.Entities, &sum), append(t.kept.Rows, p.Rows[i])
			continue
		}
		kept := t.kept.Entities[at].(*store.Total)
		kept.Count, kept.Amount = kept.Count+sum.Count, kept.Amount.Plus(sum.Amount)
	}
	return rest
}
