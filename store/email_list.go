package store

import (
	"context"
	"slices"

	"stockroom/store/key"
	"stockroom/store/table"
)

func (s *Store) email(ctx context.Context, id string) (*Email, error) {
	return readConsistently[*Email](ctx, s, getEmail, key.Map{"emailID": id})
}

// Emails lists the emails with a status by the time of their next attempt or outcome.
// Emails that are queued or being sent are sorted oldest first, others newest first.
// Emails that the user may not see are left out; see Access.Email.
func (a Access) Emails(ctx context.Context, status EmailStatus, page Page) (List[Email], error) {
	if err := a.require(Subscribe); err != nil {
		return List[Email]{}, err
	}
	q := table.Query{
		Pattern: getEmailsByStatus,
		Values:  key.Map{"status": string(status), "from": key.MinDate, "to": key.MaxDate},
		Reverse: status != EmailQueued && status != EmailSending,
	}
	if a.user.May(Administer) {
		return list(ctx, a.store, q, page, decodeAs[Email])
	}
	return listWhere(ctx, a.store, q, page, decodeAs[Email], a.maySee)
}

func (a Access) maySee(e *Email) bool {
	if e.Kind == EmailRentalNotice && !a.user.InChargeOfAll() {
		return len(a.ownSections(e.Notice.Sections)) > 0
	}
	return e.CustomerID != "" || e.User == a.user.Name || a.user.May(Administer)
}

// ownSections returns the sections of a notice to a renter without the rentals at stores
// that the user does not manage.
func (a Access) ownSections(all []NoticeSection) (own []NoticeSection) {
	for _, s := range all {
		s.Rows = slices.DeleteFunc(slices.Clone(s.Rows), func(r NoticeRow) bool { return !a.user.InChargeOfStore(r.StoreID) })
		if len(s.Rows) > 0 {
			own = append(own, s)
		}
	}
	return own
}

// hideOtherStores removes from a notice to a renter the rentals at stores that the user
// does not manage.
func (a Access) hideOtherStores(e *Email) {
	if e.Kind == EmailRentalNotice && !a.user.InChargeOfAll() {
		e.Notice.Sections = a.ownSections(e.Notice.Sections)
	}
}

// EmailsOfCustomer lists the emails to a customer, newest first. It omits the emails that
// the user may not see; see Access.Email.
func (a Access) EmailsOfCustomer(ctx context.Context, customerID string, page Page) (List[Email], error) {
	if err := a.require(Browse); err != nil {
		return List[Email]{}, err
	}
	q := table.Query{Pattern: getEmailsOfCustomer, Values: key.Map{"customerID": customerID}}
	if a.user.InChargeOfAll() {
		return list(ctx, a.store, q, page, decodeAs[Email])
	}
	found, err := listWhere(ctx, a.store, q, page, decodeAs[Email], a.maySee)
	for i := range found.Rows {
		a.hideOtherStores(&found.Rows[i])
	}
	return found, err
}

// Email returns an email, or NotFound. An email to a user is visible only to this user
// and to admins. Managers see a notice to a renter only if it contains a rental at one of
// their stores, and they see only these rentals.
func (a Access) Email(ctx context.Context, id string) (*Email, error) {
	e, err := a.wholeEmail(ctx, id)
	if err == nil {
		a.hideOtherStores(e)
	}
	return e, err
}

// wholeEmail is like Email, but returns all rentals in a notice to a renter.
func (a Access) wholeEmail(ctx context.Context, id string) (*Email, error) {
	if err := a.require(Browse); err != nil {
		return nil, err
	}
	e, err := a.store.email(ctx, id)
	if err != nil {
		return nil, err
	}
	if !a.maySee(e) {
		return nil, fail(NotFound, "Email not found.")
	}
	return e, nil
}

// EmailForm identifies the email that a form shows.
type EmailForm struct {
	ID      string
	Version int // the version that the form showed
	Token   string
}

// SendEmailAgain queues an email that failed, or whose outcome is unknown, for another
// attempt. An email to a user gets the user's present address. SendEmailAgain returns
// Forbidden or NotFound. It returns Conflict if the email has another status or has
// changed, if its card link has expired, if it is a notice of a past day, or if the user no
// longer exists or has no address.
func (a Access) SendEmailAgain(ctx context.Context, f EmailForm) error {
	if err := a.require(Subscribe); err != nil {
		return err
	}
	before, err := a.wholeEmail(ctx, f.ID)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, f.Token)
	if err != nil {
		return err
	}
	record := before.Record
	if record == "" {
		record = partitionOf(getEmail, "emailID", before.ID)
	}
	if before.Version != f.Version {
		return c.rejectOutdated(ctx, record)
	}
	if before.Status != EmailFailed && before.Status != EmailUnconfirmed {
		return fail(Conflict, "Only an email that failed or is unconfirmed can be sent again.")
	}
	if before.Kind == EmailCardLink && !before.Payment.LinkEnd.IsZero() && a.store.now().After(before.Payment.LinkEnd.AddDate(0, 0, 1)) {
		return fail(Conflict, "The link in this email has expired. Email a new card link from the account.")
	}
	if late, err := a.store.isLateNotice(ctx, before); err != nil {
		return err
	} else if late {
		return fail(Conflict, "This email was for %s. It can't be sent on a later day.", longDay(before.Notice.Day))
	}
	after := *before
	if before.User != "" {
		user, err := a.store.userForChange(ctx, before.User)
		switch {
		case KindOf(err) == NotFound:
			return fail(Conflict, "The user no longer exists.")
		case err != nil:
			return err
		case user.Email == "":
			return fail(Conflict, "The user has no email address. The user must first enter one on the Account page.")
		}
		after.To = user.Email
	}
	after.Status, after.At, after.Owner, after.Response = EmailQueued, a.store.now(), "", ""
	after.Created = after.At // EmailLife starts again
	after.Version++
	c.Replace(&after, before.Version)
	c.recordEvent(Event{Partition: record, What: EventEmailQueuedAgain, Subject: before.Label(), Why: "to " + after.To, Values: emailValue(before.ID)})
	return c.Commit(ctx)
}
