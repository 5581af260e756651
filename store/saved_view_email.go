package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"stockroom/store/key"
	"stockroom/store/table"
)

// ViewFrequency says how often the owner of a saved view gets its list by email.
type ViewFrequency string

// Frequencies. Weekly emails are sent on Mondays.
const (
	ViewNever  ViewFrequency = ""
	ViewDaily  ViewFrequency = "DAILY"
	ViewWeekly ViewFrequency = "WEEKLY"
)

// ViewFrequencies lists every ViewFrequency except ViewNever.
var ViewFrequencies = []ViewFrequency{ViewDaily, ViewWeekly}

// FieldViewEmail is the name of the form field with the frequency of emails about a view.
const FieldViewEmail = "email"

func (f ViewFrequency) includes(day time.Time) bool {
	return f == ViewDaily || f == ViewWeekly && day.Weekday() == time.Monday
}

// NoticeRecipient returns the string that identifies the view as the recipient of its
// notices.
func (v *SavedView) NoticeRecipient() string { return viewRecipient(v.Owner, v.ID) }

func viewRecipient(owner, id string) string { return owner + "/" + id }

// ViewOfRecipient returns the owner and the ID of the view that a string
// returned by NoticeRecipient identifies.
func ViewOfRecipient(recipient string) (owner, id string) {
	if at := strings.LastIndexByte(recipient, '/'); at >= 0 {
		return recipient[:at], recipient[at+1:]
	}
	return recipient, ""
}

// SetViewEmail sets how often the user gets the list of one of their views by email. It
// returns NotFound, or Conflict if the version is outdated. It returns Invalid if the
// frequency is unknown or the user has no email address.
func (a Access) SetViewEmail(ctx context.Context, id string, frequency ViewFrequency, version int, token string) error {
	v, err := a.SavedView(ctx, false, id)
	if err != nil {
		return err
	}
	c, err := a.change(ctx, token)
	if err != nil {
		return err
	}
	if v.Version != version {
		return c.rejectOutdated(ctx, viewsOf(v.Owner))
	}
	if frequency != ViewNever && !slices.Contains(ViewFrequencies, frequency) {
		return InvalidField(FieldViewEmail, "Choose one of the options.")
	}
	if frequency == v.Email {
		return nil
	}
	if frequency != ViewNever {
		user, err := a.OwnUser(ctx)
		if err != nil {
			return err
		}
		if user.Email == "" {
			return InvalidField(FieldViewEmail, "Enter your email address on your account page first.")
		}
	}
	before := *v
	v.Email = frequency
	c.replaceNext(v, &v.Version)
	c.recordEvent(Event{Partition: viewsOf(v.Owner), What: EventViewEmailChanged, Subject: v.Name, Before: before.Email.describe(), After: v.Email.describe()})
	return a.commitView(ctx, c, v.Owner)
}

func (f ViewFrequency) describe() string {
	if f == ViewNever {
		return "never"
	}
	return strings.ToLower(string(f))
}

// emailedViews lists the views that their owners get by email.
func (s *Store) emailedViews(ctx context.Context, page Page) (List[SavedView], error) {
	return list(ctx, s, table.Query{Pattern: getEmailedViews, Values: key.Map{}}, page, decodeAs[SavedView])
}

// ViewsToEmail returns the views whose lists are emailed on a day.
func (s *Store) ViewsToEmail(ctx context.Context, day time.Time) (views []SavedView, err error) {
	for v, err := range Each(func(p Page) (List[SavedView], error) { return s.emailedViews(ctx, p) }) {
		if err != nil {
			return nil, err
		}
		if v.Email.includes(day) {
			views = append(views, v)
		}
	}
	return views, nil
}

// EmailedView returns a view of a user, and the user, with consistent reads. It
// returns NotFound if the view or the user does not exist, and Forbidden if the user
// is locked.
func (s *Store) EmailedView(ctx context.Context, owner, id string) (*SavedView, *User, error) {
	user, err := s.userForChange(ctx, owner)
	if err != nil {
		return nil, nil, err
	}
	if user.Disabled {
		return nil, nil, fail(Forbidden, "The user is locked.")
	}
	v, err := s.emailedView(ctx, user, id)
	return v, user, err
}

func (s *Store) emailedView(ctx context.Context, owner *User, id string) (*SavedView, error) {
	return readConsistently[*SavedView](ctx, s, getView, key.Map{"partition": viewsOf(owner.Name), "viewID": id})
}

// ViewNotice returns the notice of a day about a saved view. The notice is empty if the
// owner has no such view, does not want its list on this day, is locked or has no email
// address. It is also empty if isEmpty reports that the list has no rows, or that the
// owner cannot open it.
func (s *Store) ViewNotice(ctx context.Context, owner, id string, day time.Time, isEmpty func(user *User, path string) (bool, error)) (*Notice, error) {
	n := &Notice{Kind: EmailSavedView, Recipient: viewRecipient(owner, id), EmailNotice: EmailNotice{Day: day}}
	v, user, err := s.EmailedView(ctx, owner, id)
	if kind := KindOf(err); kind == NotFound || kind == Forbidden {
		return n, nil
	}
	if err != nil || !v.Email.includes(day) || user.Email == "" {
		return n, err
	}
	empty, err := isEmpty(user, v.Path)
	if kind := KindOf(err); kind == Forbidden || kind == NotFound || kind == Invalid {
		return n, nil // the owner can no longer open the list, for example after a change of role
	}
	if err != nil || empty {
		return n, err
	}
	n.To, n.view = user.Email, v
	return n, nil
}

// NoticesOfViews lists the saved views that a run for a day would email now. It does
// not read the lists, so it includes empty lists, which the run does not email. A
// page can be empty. It returns Forbidden unless the user is an admin.
func (a Access) NoticesOfViews(ctx context.Context, day time.Time, page Page) (List[PlannedNotice], error) {
	if err := a.require(Administer); err != nil {
		return List[PlannedNotice]{}, err
	}
	found, err := a.store.emailedViews(ctx, page)
	planned := List[PlannedNotice]{Prev: found.Prev, Next: found.Next, Unreadable: found.Unreadable}
	if err != nil {
		return planned, err
	}
	recipients := make([]string, len(found.Rows))
	owners := make([]key.Map, len(found.Rows))
	for i, v := range found.Rows {
		recipients[i] = viewRecipient(v.Owner, v.ID)
		owners[i] = key.Map{"user": v.Owner}
	}
	queued, err := a.store.queuedNotices(ctx, EmailSavedView, recipients, day)
	if err != nil {
		return planned, err
	}
	users, err := a.store.table.GetMany(ctx, getUser, owners, false)
	if err != nil {
		return planned, err
	}
	for i, v := range found.Rows {
		var owner User
		if users[i] == nil || !v.Email.includes(day) || queued[recipients[i]] {
			continue
		}
		if err := decodeAs(users[i], &owner); err != nil {
			return planned, err
		}
		if !owner.Disabled && owner.Email != "" {
			planned.Rows = append(planned.Rows, PlannedNotice{Kind: EmailSavedView, Recipient: recipients[i], To: owner.Email, Notice: EmailNotice{Day: day}, View: v.Name})
		}
	}
	if planned.Next != nil {
		unread := *planned.Next
		unread.Unread = true
		planned.Next = &unread
	}
	return planned, nil
}
