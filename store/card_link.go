package store

import (
	"crypto/rand"
	"crypto/subtle"
	"time"

	"stockroom/store/table"
)

// CardLink is a link with which a customer enters a new card for a subscription, without
// signing in. It works once. Items of card links are secret, because anybody with the
// link can replace the card.
type CardLink struct {
	ID             string // a ULID
	Code           string // the secret part of the link
	Origin         string // scheme and host of the link
	AccountID      string
	SubscriptionID string
	SKU            string
	Created        time.Time
	Expires        time.Time // the link does not work after this time
	Session        string    // ID of the page of the payment service on which the customer enters the card; "" before the first visit
	Sessions       int       // number of pages of the payment service that the link has opened
	Used           time.Time // when the card was replaced, or zero
	Version        int
}

// CardLinkLife is how long a card link works.
const CardLinkLife = 7 * 24 * time.Hour

// cardLinkKept is how long the item of an expired link is kept.
const cardLinkKept = 30 * 24 * time.Hour

func (*CardLink) EntityType() string { return "cardLink" }

func (l *CardLink) KeyValue(name string) string {
	if name == "id" {
		return l.ID
	}
	return ""
}

func (l *CardLink) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "cardLink#", &l.ID)
	a.Text("Code", &l.Code)
	a.Text("Origin", &l.Origin)
	a.Text("AccountID", &l.AccountID)
	a.Text("SubscriptionID", &l.SubscriptionID)
	a.Text("SKU", &l.SKU)
	a.Time("Created", &l.Created)
	a.Time("Expires", &l.Expires)
	a.Text("Session", &l.Session)
	a.Count("Sessions", &l.Sessions)
	a.Time("Used", &l.Used)
	kept := l.Expires.Add(cardLinkKept)
	a.Seconds(table.AttrTTL, &kept)
	a.Version(&l.Version)
}

// newCardLink returns a link for a subscription, with a random code of at least 128 bits.
func newCardLink(id, origin string, s *Subscription, now time.Time) *CardLink {
	now = now.UTC().Truncate(time.Second)
	return &CardLink{
		ID: id, Code: rand.Text(), Origin: origin, AccountID: s.AccountID, SubscriptionID: s.ID, SKU: s.SKU,
		Created: now, Expires: now.Add(CardLinkLife), Version: 1,
	}
}

// URL returns the address of the link.
func (l *CardLink) URL() string { return l.Origin + "/card/" + l.ID + "/" + l.Code }

// hasCode reports whether the link has this code. The comparison takes constant time, so
// that its duration reveals nothing about the code.
func (l *CardLink) hasCode(code string) bool {
	return subtle.ConstantTimeCompare([]byte(l.Code), []byte(code)) == 1
}
