package store

import (
	"context"
	"crypto/sha256"
	"strings"
	"time"

	"github.com/oklog/ulid/v2"

	"stockroom/store/table"
)

// NoticeKind says what a section of a notice lists. Only notices to managers and renters
// have sections, not emails with saved views.
type NoticeKind string

// Kinds of sections. The first two are for renters, the others for managers. In these
// comments, "the day" is the day of the notice.
const (
	NoticeDueTomorrow    NoticeKind = "due-tomorrow"     // kayaks that the renter must return tomorrow
	NoticeOverdue        NoticeKind = "overdue"          // kayaks that the renter has not returned in time
	NoticeLowStock       NoticeKind = "low-stock"        // products whose stock is at or below the reorder point
	NoticeLateDeliveries NoticeKind = "late-deliveries"  // deliveries expected before the day
	NoticeLateTransfers  NoticeKind = "late-transfers"   // transfers that are overdue
	NoticeLateKayaks     NoticeKind = "late-kayaks"      // kayaks due back before the day
	NoticeDeliveries     NoticeKind = "deliveries-today" // deliveries expected on the day
	NoticeKayaks         NoticeKind = "kayaks-today"     // kayaks due back on the day
)

// MaxNoticeRows is the maximum number of rows of a section.
const MaxNoticeRows = 20

// EmailNotice contains the contents of a daily notice, as they were when the email was
// queued.
type EmailNotice struct {
	Day      time.Time       `json:",omitzero"` // a calendar day, at midnight UTC
	Sections []NoticeSection `json:",omitempty"`
}

// NoticeSection is one list in a notice.
type NoticeSection struct {
	Kind NoticeKind
	Rows []NoticeRow
	More bool // there were more rows than Rows contains
}

// NoticeRow is a product, a delivery, a transfer or a kayak in a notice. It contains no
// personal data.
type NoticeRow struct {
	Name     string // name of the product or the kayak, or its ID
	Place    string // name of the store, or ID of the warehouse
	StoreID  string `json:",omitempty"` // the store of a rental in a notice to a renter; "" in emails of earlier versions
	Quantity int
	Day      time.Time // due day; for a transfer, the day it was sent
}

func (n *EmailNotice) attributes(a *table.Attributes) {
	a.Date("Day", &n.Day)
	table.Slice(a, "Sections", &n.Sections, func(s *NoticeSection, a *table.Attributes) {
		a.Text("Kind", (*string)(&s.Kind))
		table.Slice(a, "Rows", &s.Rows, func(r *NoticeRow, a *table.Attributes) {
			maskedText(a, "Name", &r.Name)
			a.Text("Place", &r.Place)
			a.Text("StoreID", &r.StoreID)
			a.Count("Quantity", &r.Quantity)
			a.Date("Day", &r.Day)
		})
		a.Flag("More", &s.More)
	})
}

// Section returns the section of a kind, or an empty section.
func (n *EmailNotice) Section(kind NoticeKind) NoticeSection {
	for _, s := range n.Sections {
		if s.Kind == kind {
			return s
		}
	}
	return NoticeSection{Kind: kind}
}

// Rows returns the number of rows of all sections.
func (n *EmailNotice) Rows() (rows int) {
	for i := range n.Sections {
		rows += len(n.Sections[i].Rows)
	}
	return rows
}

// Notice is a daily notice to a manager or a renter, or an email with a saved view.
type Notice struct {
	Kind      EmailKind
	Recipient string // name of the user, ID of the renter, or both a user and a saved view; see ViewOfRecipient
	To        string // email address
	EmailNotice

	view    *SavedView     // the saved view that the email shows; nil for other notices
	rentals []ActiveRental // the rentals in a notice to a renter
	record  string         // partition of the renter's events; "" for other notices
}

// IsEmpty reports whether there is nothing to send.
func (n *Notice) IsEmpty() bool { return len(n.Sections) == 0 && n.view == nil || n.To == "" }

func (n *Notice) add(kind NoticeKind, rows []NoticeRow, more bool) {
	if len(rows) > 0 {
		n.Sections = append(n.Sections, NoticeSection{Kind: kind, Rows: rows[:min(len(rows), MaxNoticeRows)], More: more || len(rows) > MaxNoticeRows})
	}
}

// noticeID returns the ID of the email with a notice. The ID depends only on the kind, the
// recipient and the day, so the table cannot contain the same notice twice.
func noticeID(kind EmailKind, recipient string, day time.Time) string {
	var id ulid.ULID
	sum := sha256.Sum256([]byte(strings.Join([]string{string(kind), calendarDay(day), recipient}, "\n")))
	if id.SetTime(ulid.Timestamp(day)) != nil || id.SetEntropy(sum[:10]) != nil {
		panic("store: notice of an impossible day " + calendarDay(day))
	}
	return id.String()
}

func (n *Notice) id() string { return noticeID(n.Kind, n.Recipient, n.Day) }

func (n *Notice) email() Email {
	e := Email{ID: n.id(), Kind: n.Kind, To: n.To, Record: n.record, Notice: n.EmailNotice}
	switch n.Kind {
	case EmailRentalNotice:
		e.CustomerID = n.Recipient
	case EmailSavedView:
		e.User, e.View = ViewOfRecipient(n.Recipient)
		e.Values.Number = MaskCardNumbers(n.view.Name)
	default:
		e.User = n.Recipient
	}
	return e
}

func (run RunContext) noticeResult(kind EmailKind, recipient string) *JobResult {
	return &JobResult{Job: run.Job, Date: run.Date, Shard: run.Shard, AccountID: recipient, SubscriptionID: string(kind)}
}

// NoticeQueued reports whether the notice of a day is in the outbox, sent or unsent.
func (s *Store) NoticeQueued(ctx context.Context, kind EmailKind, recipient string, day time.Time) (bool, error) {
	_, err := s.email(ctx, noticeID(kind, recipient, day))
	return err == nil, ignoreNotFound(err)
}

// QueueNotice adds a notice to the outbox and stores the result of the run. It does nothing
// if the notice is already in the outbox. It returns Conflict if a kayak in the notice has
// been checked in or extended, or if the saved view has been changed.
func (s *Store) QueueNotice(ctx context.Context, n *Notice, run RunContext) error {
	result := run.noticeResult(n.Kind, n.Recipient)
	earlier, err := s.storedResult(ctx, result)
	if err != nil {
		return err
	}
	c, err := s.beginRunChange(ctx, run, earlier)
	if err != nil {
		return err
	}
	for i := range n.rentals {
		c.Check(&n.rentals[i], n.rentals[i].Version)
	}
	if n.view != nil {
		c.Check(n.view, n.view.Version)
	}
	result.Outcome = OutcomeQueued
	c.putJobResult(result)
	e := n.email()
	if e.Record != "" {
		c.recordEvent(e.event(EventEmailQueued, "to "+e.To))
	}
	c.queueEmail(e)
	err = c.Commit(ctx)
	if KindOf(err) == Conflict {
		if queued, errRead := s.NoticeQueued(ctx, n.Kind, n.Recipient, n.Day); errRead != nil || queued {
			return errRead
		}
	}
	return err
}

// RecordNoticeFailure stores why a notice could not be queued. It does nothing if another
// attempt of the run has queued the notice.
func (s *Store) RecordNoticeFailure(ctx context.Context, kind EmailKind, recipient, why string, run RunContext) error {
	for try := 1; ; try++ {
		result := run.noticeResult(kind, recipient)
		earlier, err := s.storedResult(ctx, result)
		if err != nil || earlier != nil && earlier.Outcome == OutcomeQueued {
			return err
		}
		c, err := s.beginRunChange(ctx, run, earlier)
		if err != nil {
			return err
		}
		result.Outcome, result.Why = OutcomeFailed, why
		c.putJobResult(result)
		if err := c.Commit(ctx); KindOf(err) != Conflict || try == maxSettleTries {
			return err
		}
	}
}
