package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// CheckInQuote contains the charge for checking in kayaks now.
type CheckInQuote struct {
	Lines    []CheckInLine
	StillOut []ActiveRental // other kayaks of the store that the same people rent
	Total    Amount
	Deposit  Amount // sum of the deposits
}

// Rentals returns the rentals of the kayaks.
func (q *CheckInQuote) Rentals() []ActiveRental {
	rentals := make([]ActiveRental, len(q.Lines))
	for i := range rentals {
		rentals[i] = q.Lines[i].ActiveRental
	}
	return rentals
}

// RenterAmount is the amount of a check-in that one person pays, or gets back. It is a payment
// of its own.
type RenterAmount struct {
	PersonID string
	Renter   string // name of the person, or the ID if the name is unknown
	Amount   Amount
}

// Renters returns the charge of each person, in the order of the kayaks. A charge can be
// zero.
func (q *CheckInQuote) Renters() []RenterAmount {
	var all []RenterAmount
	for i := range q.Lines {
		all = addAmount(all, q.Lines[i].PersonID, nameOrID(q.Lines[i].PersonName, q.Lines[i].PersonID), q.Lines[i].Charge)
	}
	return all
}

// AmountsByRenter adds up an amount of rentals for each person, in the order of the rentals.
// It omits people for whom the sum is zero.
func AmountsByRenter(rentals []Rental, amount func(*Rental) Amount) []RenterAmount {
	var all []RenterAmount
	for i := range rentals {
		all = addAmount(all, rentals[i].PersonID, rentals[i].Renter(), amount(&rentals[i]))
	}
	return slices.DeleteFunc(all, func(c RenterAmount) bool { return c.Amount.Sign() == 0 })
}

func addAmount(all []RenterAmount, personID, renter string, amount Amount) []RenterAmount {
	i := slices.IndexFunc(all, func(c RenterAmount) bool { return c.PersonID == personID })
	if i < 0 {
		return append(all, RenterAmount{personID, renter, amount})
	}
	all[i].Amount = all[i].Amount.Plus(amount)
	return all
}

// CheckInLine is one kayak of a check-in.
type CheckInLine struct {
	ActiveRental
	Condition string // condition of the kayak before the check-in
	Days      int    // started days; see StartedDays
	LateDays  int    // days after the due day
	Charge    Amount
}

// CheckIn is a request to check in kayaks of one store.
type CheckIn struct {
	StoreID string
	Kayaks  []ReturnedKayak
	Charge  Amount   // the charge that the form showed
	Shown   []string // the Identity of each rental that the form showed
	Method  PayMethod
	Keep    Amount // part of the deposits to keep; the rest is returned
	KeepWhy string // required with Keep

	Wrong InputErrors // the error of an amount that could not be parsed
}

// ReturnedKayak is one kayak of a check-in, with its state.
type ReturnedKayak struct {
	ID        string
	Condition string // the new condition; if "", Damage becomes the condition; if both are "", the condition stays
	Damage    string // stored with the rental and in the history; "" for no damage
	Repair    bool   // send the kayak for repair; requires Damage
}

// ConditionField returns the name of the form field for the condition of the nth
// kayak, starting at 1.
func ConditionField(n int) string { return fmt.Sprintf("condition-%d", n) }

// DamageField returns the name of the form field for damage to the nth kayak,
// starting at 1.
func DamageField(n int) string { return fmt.Sprintf("damage-%d", n) }

// RepairField returns the name of the checkbox that sends the nth kayak for repair,
// starting at 1.
func RepairField(n int) string { return fmt.Sprintf("repair-%d", n) }

// rentedKayak is a kayak that is out, with its ActiveRental and its Rental.
type rentedKayak struct {
	kayak  *Kayak
	active *ActiveRental
	rental *Rental
}

// QuoteCheckIn returns the charge for checking in kayaks now. It returns NotFound if the
// user does not manage the store, and Conflict if a kayak is not out. It returns Invalid if
// there are no kayak IDs or too many, or if one is invalid.
func (a Access) QuoteCheckIn(ctx context.Context, storeID string, kayaks []string) (*CheckInQuote, error) {
	if err := a.requireStore(storeID); err != nil {
		return nil, err
	}
	out, err := a.store.OutFrom(ctx, storeID)
	if err != nil {
		return nil, err
	}
	ids, err := parseKayakIDs(knownKayakIDs(out, kayaks))
	if err != nil {
		return nil, err
	}
	returned, err := a.findActive(ctx, storeID, out, ids)
	if err != nil {
		return nil, err
	}
	items, err := a.readKayaks(ctx, storeID, ids)
	if err != nil {
		return nil, err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	quote := &CheckInQuote{}
	people := map[string]bool{}
	for i, active := range returned {
		people[active.PersonID] = true
		quote.add(active, a.store.now(), settings.Zone())
		quote.Lines[i].Condition = items[i].Condition
	}
	quote.StillOut = slices.DeleteFunc(out, func(r ActiveRental) bool {
		return !people[r.PersonID] || slices.Contains(ids, r.KayakID)
	})
	return quote, nil
}

// knownKayakIDs replaces each input with the ID of the kayak that it identifies, among the
// kayaks that are out. An input can be an ID in any letter case, a name, a label (see
// Choice.Label), or several of these with commas between them. An input that does not
// identify exactly one kayak stays the same.
func knownKayakIDs(out []ActiveRental, texts []string) []string {
	var ids []string
	for _, text := range texts {
		if slices.ContainsFunc(out, func(r ActiveRental) bool {
			return strings.EqualFold(r.KayakID, text) || kayakLabel(r.KayakName, r.KayakID) == text || r.KayakName == text
		}) {
			ids = append(ids, text)
		} else {
			ids = append(ids, textsBetweenCommas(text)...)
		}
	}
	for i, text := range ids {
		var named []string
		for _, r := range out {
			if strings.EqualFold(r.KayakID, text) || strings.EqualFold(r.KayakID, idOfLabel(text)) {
				named = []string{r.KayakID}
				break
			}
			if words := key.Words(text); len(words) > 0 && slices.Equal(words, key.Words(r.KayakName)) {
				named = append(named, r.KayakID)
			}
		}
		if len(named) == 1 && !slices.ContainsFunc(out, func(r ActiveRental) bool { return r.KayakID == text }) {
			ids[i] = named[0]
		}
	}
	return ids
}

func (q *CheckInQuote) add(active *ActiveRental, now time.Time, zone *time.Location) {
	days := StartedDays(active.Out, now, zone)
	line := CheckInLine{ActiveRental: *active, Days: days, LateDays: LateDays(active.Due, now, zone), Charge: active.Rate.Times(days)}
	q.Lines = append(q.Lines, line)
	q.Total, q.Deposit = q.Total.Plus(line.Charge), q.Deposit.Plus(active.Deposit)
}

// OutFrom returns all active rentals of a store, with consistent reads.
func (s *Store) OutFrom(ctx context.Context, storeID string) ([]ActiveRental, error) {
	items, err := s.table.Partition(ctx, getActiveRentalsByStore, key.Map{"storeULID": storeID}, true)
	return decodeAll(items, err, decodeAs[ActiveRental])
}

// StillOut returns those of the kayaks that are out from a store. Inputs are as in
// QuoteCheckIn. It returns NotFound if the user does not manage the store.
func (a Access) StillOut(ctx context.Context, storeID string, kayaks []string) ([]string, error) {
	if err := a.requireRentals(storeID); err != nil {
		return nil, err
	}
	out, err := a.store.OutFrom(ctx, storeID)
	return slices.DeleteFunc(knownKayakIDs(out, kayaks), func(id string) bool { return activeRental(out, id) == nil }), err
}

// activeRental returns the active rental of a kayak, or nil if the kayak is not out.
func activeRental(out []ActiveRental, kayakID string) *ActiveRental {
	at := slices.IndexFunc(out, func(r ActiveRental) bool { return r.KayakID == kayakID })
	if at < 0 {
		return nil
	}
	return &out[at]
}

// findActive returns the active rentals of the kayaks, in the order of the IDs. It
// returns the Conflict of errNotOut if kayaks are not out.
func (a Access) findActive(ctx context.Context, storeID string, out []ActiveRental, ids []string) ([]*ActiveRental, error) {
	found := make([]*ActiveRental, len(ids))
	var missing []string
	for i, id := range ids {
		if found[i] = activeRental(out, id); found[i] == nil {
			missing = append(missing, id)
		}
	}
	if len(missing) > 0 {
		return nil, a.errNotOut(ctx, storeID, missing)
	}
	return found, nil
}

// errNotOut returns a Conflict that says which kayaks are not out. For one kayak, it also says
// when the kayak was last checked in. The argument texts contains IDs or names of kayaks.
func (a Access) errNotOut(ctx context.Context, storeID string, texts []string) error {
	fleet, err := a.Fleet(ctx, storeID)
	if err != nil {
		return err
	}
	sentences := make([]string, len(texts))
	for i, text := range texts {
		k := onlyKayak(fleet, text)
		if k == nil || k.Status == KayakOut { // the name of a kayak that is out can be ambiguous
			sentences[i] = "Kayak " + text + " is not rented out from this store."
			continue
		}
		sentences[i] = k.label() + " is not rented out."
		if len(texts) == 1 {
			checkedIn, err := a.lastCheckIn(ctx, storeID, k.ID)
			if err != nil {
				return err
			}
			sentences[i] += checkedIn
		}
	}
	return &Error{Kind: Conflict, Field: fieldKayaks, Message: strings.Join(sentences, " ")}
}

// lastCheckIn returns sentences that say who last rented a kayak, and when it was checked in,
// after a space. It returns "" if the kayak was not checked in at this store.
func (a Access) lastCheckIn(ctx context.Context, storeID, kayakID string) (string, error) {
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return "", err
	}
	last, err := list(ctx, a.store, table.Query{Pattern: getRentalsByKayak, Values: key.Map{"inventoryULID": kayakID}}, Page{Limit: 1}, decodeAs[Rental])
	if err != nil || len(last.Rows) == 0 || last.Rows[0].StoreID != storeID || last.Rows[0].Returned.IsZero() {
		return "", err
	}
	return " " + last.Rows[0].Renter() + " was the last to rent it. It was checked in on " + longDay(dayIn(last.Rows[0].Returned, settings.Zone())) + ".", nil
}

// CodeRentedAgain is the code of the Conflict of requireShown.
const CodeRentedAgain = "rented-again"

// WereShown reports whether a form has shown a rental of each of the kayaks. The argument
// shown contains the Identity of each rental in the form.
func WereShown(kayaks, shown []string) bool {
	return !slices.ContainsFunc(kayaks, func(id string) bool { return !hasShown(shown, id) })
}

func hasShown(shown []string, kayakID string) bool {
	return slices.ContainsFunc(shown, func(identity string) bool { return strings.HasPrefix(identity, kayakID+identitySeparator) })
}

// requireShown returns Conflict if a form showed an earlier rental of one of the kayaks. The
// argument shown is as in WereShown. It can lack rentals.
func requireShown(active []*ActiveRental, shown []string) error {
	for _, r := range active {
		if hasShown(shown, r.KayakID) && !slices.Contains(shown, r.Identity()) {
			again := fail(Conflict, "%s was rented to %s after this page was loaded. Nothing was saved. Check the form, then submit it again.",
				kayakLabel(r.KayakName, r.KayakID), cmp.Or(r.PersonName, r.PersonID))
			again.Code = CodeRentedAgain
			return again
		}
	}
	return nil
}

// readRented makes consistent reads of kayaks that are out, with their active
// rentals and rentals. If an imported active rental has no Rental, readRented
// returns a new Rental for it. It returns the errors of findActive and requireShown.
func (a Access) readRented(ctx context.Context, storeID string, ids, shown []string) ([]rentedKayak, error) {
	out, err := a.store.OutFrom(ctx, storeID)
	if err != nil {
		return nil, err
	}
	active, err := a.findActive(ctx, storeID, out, ids)
	if err != nil {
		return nil, err
	}
	if err := requireShown(active, shown); err != nil {
		return nil, err
	}
	kayaks, err := a.readKayaks(ctx, storeID, ids)
	if err != nil {
		return nil, err
	}
	values := make([]key.Map, len(ids))
	for i := range active {
		if active[i].RentalID == "" {
			if active[i].RentalID, err = a.store.ids.New(); err != nil {
				return nil, err
			}
		}
		values[i] = key.Map{"rentalULID": active[i].RentalID}
	}
	items, err := a.store.table.GetMany(ctx, getRental, values, true)
	if err != nil {
		return nil, err
	}
	rented := make([]rentedKayak, len(ids))
	for i, item := range items {
		rented[i] = rentedKayak{kayak: kayaks[i], active: active[i], rental: active[i].newRental()}
		if item == nil {
			continue
		}
		if rented[i].rental, err = table.DecodeAs[*Rental](schema, item, nil); err != nil {
			return nil, err
		}
	}
	return rented, nil
}

// newRental returns a new Rental for an active rental whose Rental is missing.
func (r *ActiveRental) newRental() *Rental {
	return &Rental{
		ID: r.RentalID, StoreID: r.StoreID, PersonID: r.PersonID, KayakID: r.KayakID, Out: r.Out, Due: r.Due, Rate: r.Rate,
		Deposit: r.Deposit, DepositBy: r.DepositBy, StoreName: r.StoreName, PersonName: r.PersonName, KayakName: r.KayakName,
	}
}

// saveRental stores a rental. A rental with Version 0 is new.
func (c *change) saveRental(r *Rental) {
	before := r.Version
	r.Version++
	if before == 0 {
		c.Create(r)
	} else {
		c.Replace(r, before)
	}
}

// CheckIn checks in all of the kayaks or none, and charges each calendar day at the agreed
// rate. It records the payment of the charge, and returns or keeps the deposits. A damaged
// kayak becomes available again unless it is sent for repair. CheckIn opens the bookings again
// that the rentals have ended and that begin after today.
//
// CheckIn returns the rentals, or none if the form was already applied. It returns NotFound
// if the user does not manage the store. It can also return Forbidden or Invalid. It
// returns Conflict if a kayak is not out, if it was rented again after the form was opened,
// if another day has started and increased the charge, or if the bookings to open have too
// many days for one transaction.
func (a Access) CheckIn(ctx context.Context, in CheckIn, token string) ([]Rental, error) {
	if err := a.requireRentals(in.StoreID); err != nil {
		return nil, err
	}
	ids, kayaks, err := in.check()
	if err != nil {
		return nil, err
	}
	settings, err := a.store.Settings(ctx)
	if err != nil {
		return nil, err
	}
	var returned []Rental
	err = a.changeKayaks(ctx, ids, token, func() error {
		rented, err := a.readRented(ctx, in.StoreID, ids, in.Shown)
		if err != nil {
			return a.store.okIfApplied(ctx, kayakPartition(ids[0]), token, err)
		}
		c, err := a.change(ctx, token)
		if err != nil {
			return err
		}
		counts, quote := storeCounts{}, CheckInQuote{}
		now := a.store.now().UTC().Truncate(time.Second)
		for _, r := range rented {
			quote.add(r.active, now, settings.Zone())
		}
		if quote.Total.Compare(in.Charge) != 0 {
			return fail(Conflict, "The charge has changed because another day has started. Nothing was checked in. Review the new charge and check in again.")
		}
		if err := in.Wrong.With(in.checkPayment(&quote, settings.Currency)); err != nil {
			return err
		}
		plan, reopened, err := a.planCheckIn(ctx, in.StoreID, rented)
		if err != nil {
			return err
		}
		returned = nil
		payments, keep := rentalPayments{change: c}, in.Keep
		for i, r := range rented {
			r.rental.Charge, r.rental.Deposit, r.rental.DepositBy = quote.Lines[i].Charge, r.active.Deposit, r.active.DepositBy
			keep = payments.settle(r.rental, &in, keep, now)
			c.checkIn(r, kayaks[i], &quote.Lines[i], now, counts)
			c.recordReopened(reopened[i], r.active, "the kayak was checked in earlier")
			returned = append(returned, *r.rental)
		}
		plan.write(c)
		if err := payments.save(now); err != nil {
			return err
		}
		c.addCounts(counts)
		return plan.commit(ctx, c)
	})
	return returned, err
}

// checkInPayments is the maximum number of actions for the payments of a renter: the charge,
// and the deposits returned and kept, each with its daily total.
const checkInPayments = 6

// planCheckIn opens the bookings again that the rentals have ended and that begin after today.
// It returns the plan, and the bookings of each rental after the change. It returns Conflict
// if the bookings have too many days for one transaction.
func (a Access) planCheckIn(ctx context.Context, storeID string, rented []rentedKayak) (plan *bookingPlan, reopened [][]*Booking, err error) {
	if plan, err = a.planBookings(ctx, storeID); err != nil {
		return nil, nil, err
	}
	renters := map[string]bool{}
	for _, r := range rented {
		plan.rents[r.kayak.ID], renters[r.active.PersonID] = true, true
	}
	if reopened, err = plan.reopenAfter(ctx, rented, plan.today); err != nil {
		return nil, nil, err
	}
	if len(plan.reopened) > 0 && plan.actions()+checkInPayments*len(renters) > table.MaxActions {
		return nil, nil, errTooManyDays(len(rented),
			"This rental has ended bookings with too many days to open all of them again. First move the due date to an earlier day, several times if needed.",
			"These rentals have ended bookings with too many days to open all of them again. Check in fewer kayaks at a time.")
	}
	return plan, reopened, nil
}

// check validates a check-in, and adds errors about text fields to in.Wrong. It returns the
// IDs of the kayaks, and the kayaks with trimmed text fields.
func (in *CheckIn) check() (ids []string, kayaks []ReturnedKayak, err error) {
	for i, k := range in.Kayaks {
		if k.Damage != "" || k.Repair {
			k.Damage, err = checkText(DamageField(i+1), k.Damage, "Enter what is wrong with the kayak.")
			if err := in.Wrong.Add(err); err != nil {
				return nil, nil, err
			}
		}
		k.Condition = cmp.Or(strings.TrimSpace(k.Condition), shorten(strings.Join(strings.Fields(k.Damage), " "), maxName))
		if err := in.Wrong.Add(checkLine(ConditionField(i+1), &k.Condition)); err != nil {
			return nil, nil, err
		}
		if !slices.Contains(ids, k.ID) {
			ids, kayaks = append(ids, k.ID), append(kayaks, k)
		}
	}
	ids, err = parseKayakIDs(ids)
	return ids, kayaks, err
}

// checkIn adds the writes for one kayak. It records only one event per kayak, so that
// MaxKayaks kayaks fit into a transaction.
func (c *change) checkIn(r rentedKayak, back ReturnedKayak, line *CheckInLine, now time.Time, counts storeCounts) {
	to, before := KayakIn, *r.kayak
	why := fmt.Sprintf("by %s after %s, %s, charge %s", r.rental.Renter(), countDays(line.Days), line.lateness(), line.Charge) + r.rental.paidNote()
	if back.Condition != "" && back.Condition != r.kayak.Condition {
		r.kayak.Condition = back.Condition
		why += conditionNote + back.Condition
	}
	if back.Damage != "" {
		why += "; damage: " + back.Damage
	}
	if back.Repair {
		to = KayakRepair
		why += "; sent for repair"
	}
	after := *r.kayak
	after.Status = to
	c.recordEvent(Event{
		Partition: kayakPartition(r.kayak.ID), What: EventKayakCheckedIn, Before: string(r.kayak.Status), After: string(to), Why: why,
		Values: eventValues(kayakVisit.values(&before, &after, "")...), Audience: StoreScope + r.kayak.StoreID,
	})
	c.setStatus(r.kayak, to, counts)
	c.DeleteVersion(r.active, r.active.Version)
	r.rental.Returned, r.rental.Damage = now, back.Damage
	if now.Before(r.rental.Out) {
		r.rental.Returned = r.rental.Out // the check-out ran on a server whose clock is ahead
	}
	c.saveRental(r.rental)
}

// conditionNote precedes the new condition of a kayak in the event of a check-in.
const conditionNote = "; condition: "

// paidNote describes the payment of a rental for the event of its check-in.
func (r *Rental) paidNote() string {
	note := ""
	if r.Charge.Sign() > 0 {
		note = " " + r.PaidBy.phrase()
	}
	if r.DepositKept.Sign() > 0 {
		note += fmt.Sprintf("; deposit of %s kept", r.DepositKept)
	}
	if back := r.Deposit.Minus(r.DepositKept); back.Sign() > 0 {
		note += fmt.Sprintf("; deposit of %s returned", back)
	}
	return note
}

func (l *CheckInLine) lateness() string {
	if l.LateDays == 0 {
		return "on time"
	}
	return countDays(l.LateDays) + " late"
}

func countDays(n int) string { return NumberOf(n, "day", "days") }
