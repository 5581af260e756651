package handlers

import (
	"context"
	"slices"
	"sync"
	"time"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/views"
)

// Limits of the page Today. Many of its lists are divided into shards, so reading one list
// can take up to 50 requests.
const (
	todayRequests  = 60                                            // maximum number of table requests, including sharedRequests
	newsRequests   = 2 + 2*(store.NewsShards+1) + store.MaxRepeats // requests for the last visit, and for the news, which cover up to two months
	sharedRequests = 7                                             // requests for the session, the settings, the menu and the list of warehouses
	partMaxAge     = 15 * time.Minute                              // maximum age of a cached part
	partTimeout    = 5 * time.Second                               // shorter than the request timeout, so that the page can show the other parts
	maxKeptParts   = 1000

	setUpRequests = 4 // requests for the steps of setting up, except for the step "Add a product"
)

// todayPart is a part of the page Today that is read separately.
type todayPart struct {
	name string
	cost int  // maximum number of table requests
	now  bool // read the part each time, before the other parts
	own  bool // the part differs for each user
	read func(context.Context) (show, error)
}

// show adds a part to the page.
type show func(*views.Today)

// keptParts is a cache of the last version of each part. If the table has many shards, each
// request for the page reads only some parts and takes the others from the cache. With the
// embedded store, each request also takes from the cache all parts that cannot have
// changed.
type keptParts struct {
	mu    sync.Mutex
	parts map[partKey]keptPart
}

// partKey identifies a cached part. Users with the same scope share it, unless the part
// differs for each user. The field user is empty for a shared part.
type partKey struct{ scope, user, name string }

type keptPart struct {
	show   show // nil if the part was never read
	at     time.Time
	as     tableState // state before the part was read
	tried  time.Time  // time of the last attempt to read the part
	failed bool       // the last attempt failed
}

// tableState identifies the state on which cached parts and contents depend: the minute,
// the settings and the items in the table. The zero value means that the state is unknown,
// which is always the case on Amazon DynamoDB.
type tableState struct {
	known    bool
	minute   int64
	settings int // version of the settings
	changes  int64
}

func (k *keptParts) get(key partKey) keptPart {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.parts[key]
}

// remove removes a part from the cache, so that the next request for the page reads it.
func (k *keptParts) remove(key partKey) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.parts, key)
}

func (k *keptParts) put(key partKey, p keptPart) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.parts) >= maxKeptParts {
		clear(k.parts)
	}
	k.parts[key] = p
}

// tableState returns the current state. Call it before reading anything that will be
// cached, including the current day.
func (r *request) tableState() tableState {
	changes, known := r.site.store.Changes()
	if !known {
		return tableState{}
	}
	return tableState{minute: r.site.store.Now().Unix() / 60, settings: r.settings.Version, changes: changes, known: true}
}

// isCurrent reports whether the cached part cannot have changed since it was read. It
// returns false for parts that differ for each user, because reading them also records the
// visit.
func (p keptPart) isCurrent(part todayPart, state tableState) bool {
	return state.known && p.as == state && p.show != nil && !part.own
}

// showParts adds the parts to the page. It takes current parts from the cache, and reads as
// many others as todayRequests allows: first those that must be read each time, then those
// that have not been read for the longest time. It takes the rest from the cache. The page
// names the parts that failed or were never read. If all parts fail, showParts returns an
// error.
func (r *request) showParts(page *views.Today, state tableState, parts []todayPart) error {
	now := r.site.store.Now()
	keys, kept := make(map[string]partKey, len(parts)), make(map[string]keptPart, len(parts))
	for _, p := range parts {
		keys[p.name] = r.partKey(p)
		old := r.site.parts.get(keys[p.name])
		if now.Sub(old.at) > partMaxAge {
			old.show = nil
		}
		if now.Sub(old.tried) > partMaxAge {
			old.failed = false
		}
		kept[p.name] = old
	}
	oldestFirst := slices.SortedStableFunc(slices.Values(parts), func(a, b todayPart) int {
		switch {
		case a.now:
			return -1
		case b.now:
			return 1
		}
		return kept[a.name].tried.Compare(kept[b.name].tried)
	})
	ctx, cancel := context.WithTimeout(r.ctx(), partTimeout)
	defer cancel()
	var mu sync.Mutex
	var reading sync.WaitGroup
	fresh, failed := map[string]keptPart{}, map[string]error{}
	for budget := todayRequests - sharedRequests; len(oldestFirst) > 0; oldestFirst = oldestFirst[1:] {
		p := oldestFirst[0]
		if p.cost > budget || kept[p.name].isCurrent(p, state) {
			continue
		}
		budget -= p.cost
		reading.Go(func() {
			shown, err := p.read(ctx)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed[p.name] = err
				old := kept[p.name]
				r.site.parts.put(keys[p.name], keptPart{show: old.show, at: old.at, tried: now, failed: true})
				return
			}
			fresh[p.name] = keptPart{show: shown, at: now, as: state, tried: now}
			r.site.parts.put(keys[p.name], fresh[p.name])
		})
	}
	reading.Wait()
	shown := 0
	for _, p := range parts {
		err := failed[p.name]
		if err != nil {
			r.site.tools.LogFailure(r.Context, "a part of Today could not be read: "+p.name, err)
		}
		part := fresh[p.name]
		if part.show == nil {
			part = kept[p.name]
		}
		switch {
		case part.show != nil:
			if fresh[p.name].show == nil && now.Sub(part.at) >= time.Minute {
				page.Earlier = append(page.Earlier, views.EarlierPart{Name: p.name, At: part.at})
			}
			part.show(page)
			shown++
		case err != nil || part.failed:
			page.Failed = append(page.Failed, p.name)
		case p.cost <= todayRequests-sharedRequests:
			page.Unread, page.Incomplete = append(page.Unread, p.name), true
		default:
			page.Unread = append(page.Unread, p.name)
		}
	}
	if shown == 0 && len(page.Unread) == 0 {
		for _, err := range failed {
			return err
		}
	}
	return context.Cause(r.ctx())
}

func (r *request) partKey(p todayPart) partKey {
	k := partKey{scope: "everything", name: p.name}
	if !r.user.InChargeOfAll() {
		k.scope = "places " + r.user.Scope()
	}
	if p.own {
		k.user = string(r.user.Role) + " " + r.user.Name
	}
	return k
}

// showOf returns a function that reads a value and returns a show: a function that adds the
// value to the page. It reads the value with read, and adds it with set.
func showOf[T any](read func(context.Context) (T, error), set func(*views.Today, T)) func(context.Context) (show, error) {
	return func(ctx context.Context) (show, error) {
		value, err := read(ctx)
		if err != nil {
			return nil, err
		}
		return func(page *views.Today) { set(page, value) }, nil
	}
}

// todayParts returns the parts of the page for the user. Managers of warehouses get the
// parts about stock and about orders to ship. Managers of stores get those about rentals.
// Support gets all parts except those about stock and rentals. Only admins get the steps of
// setting up and the findings of the check.
func (r *request) todayParts(day time.Time) []todayPart {
	list := r.settings.ShardsRead
	if r.settings.Moving {
		list *= 2 // while the number of shards changes, a list is read from the old and the new shards
	} else {
		list += min(list-1, store.MaxRepeats)
	}
	parts := []todayPart{r.newsPart()}
	if r.user.May(store.Administer) && !r.setUpSteps().Done() {
		cost := setUpRequests
		if !r.setUpSteps().Product {
			cost += len(key.Buckets)
		}
		parts = append(parts, todayPart{
			name: "Set up", cost: cost, now: true,
			read: showOf(r.setUpProgress, func(page *views.Today, steps store.SetUpSteps) { page.SetUp = &steps }),
		})
	}
	if r.user.May(store.Administer) {
		parts = append(parts, todayPart{name: "Check", cost: 1, read: showOf(
			func(ctx context.Context) (int, error) {
				report, _, err := r.lastCheck(ctx)
				return report.Findings(), err
			},
			func(page *views.Today, found int) { page.Findings = found })})
	}
	all := r.user.InChargeOfAll()
	if all || len(r.user.Warehouses) > 0 {
		parts = append(parts, r.toShipPart(list))
	}
	if r.user.May(store.WatchPlaces) && (all || len(r.user.Warehouses) > 0) {
		parts = append(parts, r.warehouseParts()...)
	}
	if r.user.May(store.WatchPlaces) && (all || len(r.user.Stores) > 0) {
		parts = append(parts, r.rentalParts(list, day)...)
	}
	if !all {
		return parts
	}
	return slices.Concat(parts, r.salesParts(list), r.paymentParts(list, day), r.chartParts())
}

// setUpProgress returns which steps of setting up a new business are done, and remembers
// them.
func (r *request) setUpProgress(ctx context.Context) (store.SetUpSteps, error) {
	steps, err := r.shop.SetUpProgress(ctx, r.setUpSteps())
	if err == nil {
		r.site.setUp.Store(&steps)
	}
	return steps, err
}

// setUpSteps returns the steps that setUpProgress remembers as done.
func (r *request) setUpSteps() store.SetUpSteps {
	if known := r.site.setUp.Load(); known != nil {
		return *known
	}
	return store.SetUpSteps{}
}
