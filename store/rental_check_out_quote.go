package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"stockroom/store/key"
	"stockroom/store/table"
)

// CheckOutQuote contains the kayaks of a check-out and their rates.
type CheckOutQuote struct {
	Kayaks []Kayak
	Rate   Amount       // sum of the daily rates
	Days   int          // days to charge if the kayaks come back on the due day; see StartedDays
	Booked []BookingDay // bookings of the person from today to the due day that the check-out leaves open, with one BookingDay for each

	unavailable *Error // the error if a kayak is not available; nil if all are
}

// Total returns the expected charge: the rates of all days until the due day.
func (q *CheckOutQuote) Total() Amount { return q.Rate.Times(q.Days) }

// Labels returns the names and IDs of the kayaks. lookUpKayaks accepts these labels.
func (q *CheckOutQuote) Labels() []string {
	labels := make([]string, len(q.Kayaks))
	for i := range q.Kayaks {
		labels[i] = q.Kayaks[i].choice().Label()
	}
	return labels
}

// IDs returns the IDs of the kayaks.
func (q *CheckOutQuote) IDs() []string {
	ids := make([]string, len(q.Kayaks))
	for i := range q.Kayaks {
		ids[i] = q.Kayaks[i].ID
	}
	return ids
}

// QuoteCheckOut finds the kayaks of a form by ID or name, ignoring case, and adds up their
// daily rates. Each of out.KayakIDs is the input of a field, and can contain several kayaks,
// with commas between them. out.Person can be "" if the person is unknown. QuoteCheckOut
// returns NotFound if the user does not manage the store. It returns Invalid if there are no
// inputs or too many, if an input identifies no kayak or several kayaks, if the due day is
// invalid or if the booked kayak is missing. It accepts unavailable kayaks; see
// RequireAvailable.
func (a Access) QuoteCheckOut(ctx context.Context, out CheckOut) (*CheckOutQuote, error) {
	storeID, due := out.StoreID, out.Due
	if err := a.requireRentals(storeID); err != nil {
		return nil, err
	}
	kayaks := uniquely(out.KayakIDs, func(text string) string { return text })
	if len(kayaks) == 0 || len(kayaks) > MaxKayaks {
		_, err := parseKayakIDs(kayaks)
		return nil, err
	}
	found, err := a.lookUpKayaks(ctx, storeID, kayaks)
	if err != nil {
		return nil, err
	}
	if parts := splitAtCommas(kayaks, found); len(parts) > len(kayaks) {
		if kayaks = parts; len(kayaks) > MaxKayaks {
			_, err := parseKayakIDs(kayaks)
			return nil, err
		}
		if found, err = a.lookUpKayaks(ctx, storeID, kayaks); err != nil {
			return nil, err
		}
	}
	var fleet []Kayak
	var unclear, unknown []string // sentences about texts that match several kayaks or none
	q := &CheckOutQuote{}
	for i, text := range kayaks {
		if found[i] == nil && fleet == nil {
			if fleet, err = a.Fleet(ctx, storeID); err != nil {
				return nil, err
			}
		}
		if found[i] == nil {
			found[i] = onlyKayak(fleet, text)
		}
		if found[i] == nil {
			if matches := kayaksCalled(fleet, text); len(matches) > 0 {
				unclear = append(unclear, describeUnclear(text, matches))
			} else {
				unknown = append(unknown, InvalidField(fieldKayaks, "No kayak of this store is called “%s”.", text).Message)
			}
			continue
		}
		if !slices.Contains(q.IDs(), found[i].ID) {
			q.Kayaks = append(q.Kayaks, *found[i])
			q.Rate = q.Rate.Plus(found[i].DailyRate)
		}
	}
	if len(unknown) > 0 {
		unknown = append(unknown, "To add a kayak, enter its name under Kayak by name.")
	}
	if unclear = append(unclear, unknown...); len(unclear) > 0 {
		return nil, InvalidField(fieldKayaks, "%s", strings.Join(unclear, "\n"))
	}
	if q.unavailable, err = a.unavailableKayaks(ctx, storeID, found); err != nil {
		return nil, err
	}
	if err := a.checkDueDay(ctx, due); err != nil {
		return q, err
	}
	today, err := a.store.Today(ctx)
	if err != nil {
		return nil, err
	}
	if q.Days = daysBetween(today, due) + 1; q.unavailable != nil {
		return q, nil
	}
	plan, _, err := a.planCheckOut(ctx, &out, found)
	if err == nil {
		q.Booked = plan.bookedBy(out.Person, lastBookable(today, due))
		return q, nil
	}
	q.unavailable, err = asConflict(err)
	return q, err
}

// describeUnclear says that an input matches several kayaks, and names at most five of
// them.
func describeUnclear(text string, kayaks []Kayak) string {
	const namedKayaks = 5
	var labels []string
	for i := range kayaks[:min(namedKayaks, len(kayaks))] {
		labels = append(labels, kayaks[i].choice().Label())
	}
	list := ": "
	if len(labels) < len(kayaks) {
		list = ", such as "
	}
	return InvalidField(fieldKayaks, "“%s” matches %d kayaks. Enter one of them", text, len(kayaks)).Message + list + strings.Join(labels, ", ") + "."
}

// splitAtCommas splits inputs at commas and removes duplicates. It does not split an input
// that is the ID or the label of the kayak that was found for it.
func splitAtCommas(texts []string, found []*Kayak) []string {
	var parts []string
	for i, text := range texts {
		if k := found[i]; k != nil && (strings.EqualFold(k.ID, text) || k.choice().Label() == text) {
			parts = append(parts, text)
			continue
		}
		parts = append(parts, textsBetweenCommas(text)...)
	}
	return uniquely(parts, func(text string) string { return text })
}

func textsBetweenCommas(text string) []string {
	var parts []string
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return parts
}

// RequireAvailable returns Conflict unless all kayaks are available. The message says why a
// kayak is not available, for example who rents it.
func (q *CheckOutQuote) RequireAvailable() error {
	if q.unavailable == nil {
		return nil
	}
	return q.unavailable
}

// RequireCheckOut returns Conflict if a kayak of the quote is not available. If the
// form with the token has already checked out the kayaks, it returns nil.
func (a Access) RequireCheckOut(ctx context.Context, q *CheckOutQuote, token string) error {
	if err := a.require(RunRentals); err != nil {
		return err
	}
	if q.unavailable == nil {
		return nil
	}
	return a.store.okIfApplied(ctx, kayakPartition(q.Kayaks[0].ID), token, q.unavailable)
}

// unavailableKayaks returns a Conflict that names the unavailable kayaks of a store, who
// has rented them and until when. It returns nil if all kayaks are available.
func (a Access) unavailableKayaks(ctx context.Context, storeID string, kayaks []*Kayak) (*Error, error) {
	var out []ActiveRental
	var sentences []string
	for _, k := range kayaks {
		if k.Status == KayakIn {
			continue
		}
		if k.Status == KayakOut && out == nil {
			var err error
			if out, err = a.store.OutFrom(ctx, storeID); err != nil {
				return nil, err
			}
		}
		sentence := k.label() + " is " + k.Status.words()
		if i := slices.IndexFunc(out, func(r ActiveRental) bool { return r.KayakID == k.ID }); i >= 0 {
			sentence += " to " + cmp.Or(out[i].PersonName, out[i].PersonID) + " until " + longDay(out[i].Due)
		}
		if sentence += "."; !slices.Contains(sentences, sentence) {
			sentences = append(sentences, sentence)
		}
	}
	if len(sentences) == 0 {
		return nil, nil
	}
	return &Error{Kind: Conflict, Message: strings.Join(sentences, " ") + " Nothing was checked out.", Field: fieldKayaks}, nil
}

// lookUpKayaks reads kayaks of a store by ID, in one request. It tries each ID as
// entered, in upper case and in lower case, and the ID at the end of a label; see
// Choice.Label. For an unknown kayak, the result contains nil.
func (a Access) lookUpKayaks(ctx context.Context, storeID string, ids []string) ([]*Kayak, error) {
	const spellings = 4
	found := make([]*Kayak, spellings*len(ids))
	var lookups []table.Lookup
	for i, id := range ids {
		for n, spelling := range []string{id, strings.ToUpper(id), strings.ToLower(id), idOfLabel(id)} {
			if key.CheckID(spelling) == nil {
				lookups = append(lookups, lookUp(getStoreInventoryItem, key.Map{"storeULID": storeID, "inventoryULID": spelling}, &found[spellings*i+n]))
			}
		}
	}
	if err := a.store.table.LookUp(ctx, lookups, true); err != nil {
		return nil, err
	}
	kayaks := make([]*Kayak, len(ids))
	for i := range found {
		if kayaks[i/spellings] == nil {
			kayaks[i/spellings] = found[i]
		}
	}
	return kayaks, nil
}
