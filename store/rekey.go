package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"stockroom/store/key"
	"stockroom/store/table"
)

// Rekeying contains the options of Rekey.
type Rekeying struct {
	PageSize int               // items per read; 0 means 500
	Progress func(RekeyResult) // called after each page; may be nil
}

// RekeyResult counts the items that Rekey has read. It includes the items that an
// interrupted run has read. Repaired does not include repairs on pages that the interrupted
// run did not finish.
type RekeyResult struct {
	Read     int
	Repaired int    // items that were corrected
	Damaged  int    // items that could not be decoded or encoded, and were not changed
	First    string `json:",omitempty"` // the error of the first damaged item on the first page that has one
}

const (
	rekeyLease    = "rekey"
	rekeyHold     = time.Minute // how long the lease of a killed run blocks other runs
	rekeyPageSize = 500
	rekeyTries    = 20 // maximum number of tries to repair an item that keeps changing
)

// rekeyState is the progress that Rekey stores in its lease.
type rekeyState struct {
	RekeyResult
	Design   string // designDigest of the program that stored the progress
	Segments [table.ScanSegments]rekeySegment
}

// rekeySegment is the progress in one segment of the table.
type rekeySegment struct {
	PK, SK string // key of the item after which to continue; "" for the beginning
	Done   bool
}

func (s rekeySegment) from() Item {
	if s.PK == "" {
		return nil
	}
	return table.Key(s.PK, s.SK)
}

// Rekey gives each item the index keys that it would get if it were saved now. It adds keys
// that the design did not have when the item was saved, and corrects incomplete or wrong
// keys. It also adds missing search words, deletes search words that their records do not
// have, adds missing categories of products to the list of categories, and corrects payment
// states that earlier versions stored. Servers can keep running, because Rekey writes an
// item only if it has not changed since it was read.
//
// Rekey stores its progress in the table after each page, and the next run continues an
// interrupted run. It returns ErrLeased while another run is in progress, and Conflict
// while the number of shards is being changed.
func (s *Store) Rekey(ctx context.Context, how Rekeying) (RekeyResult, error) {
	settings, err := s.currentSettings(ctx)
	if err != nil {
		return RekeyResult{}, err
	}
	r := rekeyer{store: s, shards: settings.Shards, progress: how.Progress}
	if err := r.requireShards(ctx); err != nil {
		return RekeyResult{}, err
	}
	if err := r.acquire(ctx); err != nil {
		return RekeyResult{}, err
	}
	limit := how.PageSize
	if limit == 0 {
		limit = rekeyPageSize
	}
	group, groupCtx := errgroup.WithContext(ctx)
	for n, segment := range r.state.Segments {
		if segment.Done {
			continue
		}
		group.Go(func() error {
			return s.table.ScanFrom(groupCtx, n, limit, segment.from(), func(p table.ScanPage) error { return r.page(groupCtx, n, p.Items, p.Next) })
		})
	}
	err = group.Wait()
	result := r.state.RekeyResult
	return result, r.release(context.WithoutCancel(ctx), err)
}

// rekeyer is one run of Rekey.
type rekeyer struct {
	store    *Store
	shards   int
	progress func(RekeyResult)

	mu    sync.Mutex
	lease Lease
	state rekeyState
}

// requireShards returns Conflict if the number of shards has changed or is being changed.
// Call it after reading items and before writing them, so that Rekey does not write old
// keys back. If Reshard has moved an item before the call, requireShards returns Conflict.
// If Reshard moves the item after the call, the condition of the write fails.
func (r *rekeyer) requireShards(ctx context.Context) error {
	settings, err := r.store.currentSettings(ctx)
	switch {
	case err != nil:
		return err
	case settings.Moving:
		return errShardsChanging(settings)
	case settings.Shards != r.shards:
		return fail(Conflict, "The number of shards has changed from %d to %d. Run the command again.", r.shards, settings.Shards)
	}
	return nil
}

// errShardsChanging returns the Conflict for tasks that must wait for Reshard.
func errShardsChanging(settings Settings) error {
	return fail(Conflict, "The number of shards is being changed. Finish the change with 'stockroom table shards -apply %d' first.", settings.Shards)
}

// requireNoRekey returns Conflict while Rekey is running.
func (s *Store) requireNoRekey(ctx context.Context) error {
	running, err := s.IsLeased(ctx, rekeyLease)
	if err == nil && running {
		err = fail(Conflict, "'stockroom table rekey' is running, or was killed less than a minute ago. Try again in a minute.")
	}
	return err
}

// acquire acquires the lease and reads the progress of an interrupted run.
func (r *rekeyer) acquire(ctx context.Context) error {
	owner, err := r.store.ids.New()
	if err != nil {
		return err
	}
	found, err := readConsistently[*Lease](ctx, r.store, getLease, key.Map{"name": rekeyLease})
	if KindOf(err) == NotFound {
		found, err = &Lease{Name: rekeyLease}, nil
	}
	if err != nil {
		return err
	}
	if found.Until.After(r.store.now()) {
		return ErrLeased
	}
	r.lease, r.lease.Owner = *found, owner
	if found.State != "" {
		if err := json.Unmarshal([]byte(found.State), &r.state); err != nil {
			return fail(Damaged, "The progress of an earlier run cannot be read: %v.", err)
		}
	}
	if design := designDigest(); r.state.Design != design {
		r.state = rekeyState{Design: design}
	}
	return r.save(ctx, rekeyHold)
}

// keyValueRules is the version of the rules by which the KeyValue methods of entities compute
// values of keys. Increase it if a rule changes, such as Invoice.listedStatus.
const keyValueRules = 2

// designDigest returns a digest of the key templates of all entities and of keyValueRules.
// If it has changed, Rekey starts again instead of continuing an interrupted run.
func designDigest() string {
	digest := sha256.New()
	fmt.Fprintln(digest, keyValueRules)
	for i := range Definitions {
		d := &Definitions[i]
		fmt.Fprintln(digest, d.Type, d.Table, d.Index)
	}
	return hex.EncodeToString(digest.Sum(nil))
}

// save stores the progress, and extends the lease by the duration hold. The caller must have
// locked r.mu, unless the run has only one goroutine. If an earlier save was stored but its
// response was lost, save continues from the stored version.
func (r *rekeyer) save(ctx context.Context, hold time.Duration) error {
	err := r.trySave(ctx, hold)
	if KindOf(err) != Conflict {
		return err
	}
	found, readErr := readConsistently[*Lease](ctx, r.store, getLease, key.Map{"name": rekeyLease})
	switch {
	case readErr != nil:
		return readErr
	case found.Owner != r.lease.Owner:
		return ErrLeased // another run has the lease
	}
	r.lease.Version = found.Version
	if err = r.trySave(ctx, hold); KindOf(err) == Conflict {
		return ErrLeased
	}
	return err
}

func (r *rekeyer) trySave(ctx context.Context, hold time.Duration) error {
	c, err := r.store.change(ctx)
	if err != nil {
		return err
	}
	state, err := json.Marshal(r.state)
	if err != nil {
		return err
	}
	before := r.lease.Version
	next := r.lease
	next.State, next.Until, next.Version = string(state), r.store.now().Add(hold), before+1
	if r.state == (rekeyState{}) {
		next.State = "" // the run is complete; delete the progress
	}
	if before == 0 {
		c.Create(&next)
	} else {
		c.Replace(&next, before)
	}
	if err := c.Commit(ctx); err != nil {
		return err
	}
	r.lease = next
	return nil
}

// page repairs the items of one page and then stores the progress.
func (r *rekeyer) page(ctx context.Context, segment int, items []Item, next Item) error {
	if err := r.requireShards(ctx); err != nil {
		return err
	}
	related, err := r.related(ctx, items)
	if err != nil {
		return err
	}
	repaired, damaged := make([]bool, len(items)), make([]error, len(items))
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(moveWriters)
	for i, item := range items {
		group.Go(func() error {
			done, err := r.repair(groupCtx, item, related)
			if KindOf(err) == Damaged || KindOf(err) == Invalid {
				damaged[i] = err
				return nil
			}
			repaired[i] = done
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if err := r.store.addCategories(ctx, productsAmong(items)); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.Read += len(items)
	for i := range items {
		if repaired[i] {
			r.state.Repaired++
		}
		if damaged[i] != nil {
			r.state.Damaged++
			r.state.First = cmp.Or(r.state.First, damaged[i].Error())
		}
	}
	r.state.Segments[segment] = rekeySegment{PK: table.TextOf(next, table.AttrPK), SK: table.TextOf(next, table.AttrSK), Done: next == nil}
	if r.progress != nil {
		r.progress(r.state.RekeyResult)
	}
	return r.save(ctx, rekeyHold)
}

// repair corrects the index keys and the search words of one item, and the payment state of
// an order. If the item is a search word that its record does not have, repair deletes the
// item. related is the result of rekeyer.related for the item. If someone else changes the
// item at the same time, repair tries again, up to rekeyTries times, and then returns Busy.
func (r *rekeyer) repair(ctx context.Context, item Item, related map[string]Item) (repaired bool, err error) {
	for range rekeyTries {
		again, err := r.repairKeys(ctx, item, related)
		repaired = repaired || again
		if KindOf(err) != Conflict {
			return repaired, err
		}
		if item, err = r.store.table.GetKey(ctx, table.KeyOf(item)); err != nil || item == nil {
			return false, err // nil if the item was deleted
		}
		if related, err = r.related(ctx, []Item{item}); err != nil {
			return false, err
		}
		if err := r.requireShards(ctx); err != nil {
			return false, err
		}
	}
	return false, fail(Busy, "The item %s / %s keeps changing. Run the command again later.", table.TextOf(item, table.AttrPK), table.TextOf(item, table.AttrSK))
}

// repairKeys makes one try of repair. It returns Conflict if the item has changed since it
// was read.
func (r *rekeyer) repairKeys(ctx context.Context, item Item, related map[string]Item) (repaired bool, err error) {
	entity, err := Decode(item)
	if err != nil {
		return false, err
	}
	if repaired, err = r.store.table.Rekey(ctx, entity, item, r.shards); err != nil {
		return false, err
	}
	if o, ok := entity.(*Order); ok && o.PaymentState == InvoicePartial {
		state, err := r.repairPaymentState(ctx, o)
		if repaired = repaired || state; err != nil {
			return repaired, err
		}
	}
	words, err := r.repairWords(ctx, entity, related)
	return repaired || words, err
}

// repairPaymentState corrects the payment state of an order that was stored as partly paid.
// Earlier versions stored this state if only some of its invoices were refunded. If the
// order has changed since it was read, that change has already corrected the state.
func (r *rekeyer) repairPaymentState(ctx context.Context, o *Order) (repaired bool, err error) {
	d, err := Access{store: r.store}.readOrder(ctx, o.ID)
	if KindOf(err) == NotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	refunded := slices.ContainsFunc(d.Invoices, func(i Invoice) bool { return i.Status == InvoiceRefunded })
	if !refunded || d.Unfinished || d.Version != o.Version || paymentState(d.Invoices) == d.PaymentState {
		return false, nil
	}
	c, err := r.store.change(ctx)
	if err != nil {
		return false, err
	}
	d.updateState()
	c.replaceNext(&d.Order, &d.Order.Version)
	return true, c.Commit(ctx)
}

// release ends the lease. After a complete run, it also deletes the progress, so that
// the next run starts from the beginning.
func (r *rekeyer) release(ctx context.Context, runErr error) error {
	if runErr == nil {
		r.state = rekeyState{}
	}
	if err := r.save(ctx, 0); runErr == nil {
		return err
	}
	return runErr
}

// productsAmong returns the products among the items, without those that cannot be decoded.
// It omits archived products, because they keep the former name of a renamed category.
func productsAmong(items []Item) []*Product {
	var products []*Product
	for _, item := range items {
		var p Product
		if table.TextOf(item, table.AttrType) == p.EntityType() && decodeAs(table.RowOf(item), &p) == nil && !p.Archived {
			products = append(products, &p)
		}
	}
	return products
}
