package loadsim

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"stockroom/store"
)

// Operations of staff.
const (
	stepSignIn     = "sign in"
	stepToday      = "open Today"
	stepOpenOrders = "list open orders"
	stepOrder      = "open an order"
)

// Load of a company with many users. Each minute, users sign in 10,000 times and then open
// the page Today. Meanwhile, users open 500 pages per second, as many as 10,000 users who
// each open a page every 20 seconds.
const (
	signInsPerSecond = 10_000 / 60
	pagesPerSecond   = 10_000 / 20
	staffAccounts    = 1_000 // number of different users, each of whom signs in about ten times a minute
	earlySessions    = 100   // sessions that exist at the beginning
)

func staffAccount(n int) *store.User {
	return &store.User{Name: fmt.Sprintf("user%d", n), Role: store.Admin, Version: 1}
}

// Staff is like Orders, with few orders. Users sign in at a rate of 10,000 per minute, and
// read pages.
func Staff() Scenario {
	s := Orders(20)
	s.Name = "10,000 users sign in within a minute and read pages"
	s.OnlyPlace = true
	s.WarmUp = 10 * time.Second
	s.Accounts = staffAccounts
	s.meanwhile = func(_ context.Context, l *load) error {
		var sessions sync.Map // ID of a session, by the number of the user
		var requests sync.WaitGroup
		for n := range earlySessions {
			requests.Go(func() { sessions.Store(n, l.signIn()) })
		}
		requests.Wait()
		defer requests.Wait()
		last := earlySessions
		end := time.Now().Add(l.Measured)
		requests.Go(func() {
			for time.Now().Before(end) {
				last++
				n := last
				requests.Go(func() {
					id := l.signIn()
					l.readPage(stepToday, id)
					sessions.Store(n%staffAccounts, id)
				})
				time.Sleep(interval(signInsPerSecond))
			}
		})
		for time.Now().Before(end) {
			id, found := sessions.Load(rand.IntN(staffAccounts))
			if !found {
				id, _ = sessions.Load(rand.IntN(earlySessions))
			}
			requests.Go(func() { l.readPage([]string{stepOpenOrders, stepOrder}[rand.IntN(2)], id.(string)) })
			time.Sleep(interval(pagesPerSecond))
		}
		return nil
	}
	return s
}

// signIn starts a session and returns its ID. It does not check a password, because this
// makes no requests.
func (l *load) signIn() (id string) {
	id = l.newToken()
	user := staffAccount(rand.IntN(staffAccounts))
	_ = l.meter.Do(stepSignIn, func() error {
		_, err := l.servers[0].store.StartSession(context.Background(), user, store.NoFactor, id, "")
		return err
	})
	return id
}

// readPage reads the session, and then what the page of the step shows.
func (l *load) readPage(step, session string) {
	_ = l.do(step, func(ctx context.Context, a store.Access) error {
		if _, err := l.servers[0].store.Session(ctx, session); err != nil {
			return err
		}
		switch step {
		case stepOrder:
			_, err := a.Order(ctx, l.randomOrder())
			return err
		case stepOpenOrders:
			_, err := a.Orders(ctx, store.OrderFilter{Status: store.OrderOpen}, false, store.Page{})
			return err
		}
		return l.readToday(ctx, a)
	})
}

// readToday reads the parts of the page Today that need the most reads.
func (l *load) readToday(ctx context.Context, a store.Access) error {
	today := l.servers[0].store.Now()
	if _, err := a.Totals(ctx, store.TotalOrders, store.DateRange{From: today.AddDate(0, 0, -27), To: today}); err != nil {
		return err
	}
	if _, err := a.Orders(ctx, store.OrderFilter{Status: store.OrderOpen}, false, store.Page{Limit: store.MaxLimit}); err != nil {
		return err
	}
	_, err := a.Invoices(ctx, store.InvoiceFilter{Status: store.InvoiceUnpaid}, false, store.Page{Limit: store.MaxLimit})
	return err
}

func (l *load) randomOrder() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id := range l.placed {
		return id
	}
	return ""
}
