package store

import (
	"context"
	"fmt"
	"strings"
)

// Download is a file that was sent to a user: a list or a record as CSV or JSON, or an
// export.
type Download struct {
	User    *User  // the user who signed in
	Viewed  *User  // the user whose permissions the admin was using; see Viewing; nil if none
	Token   string // name of the access token; "" for a session
	Name    string // the URL path with its filters, or the file name
	Kind    string // route and format, or file name; one event counts all downloads of a kind
	Rows    int    // -1 if unknown
	Stopped bool   // an error ended the download, and the file may be incomplete
}

// maxDownloadName is the maximum length of a name in an event, in bytes.
const maxDownloadName = 500

// RecordDownload records a download in an event. One event per hour counts all
// downloads of the same kind by the same user from the same address. A script that
// repeats a download therefore does not fill the table.
func (s *Store) RecordDownload(ctx context.Context, d Download) error {
	c, err := s.change(ctx)
	if err != nil {
		return err
	}
	e := Event{Partition: d.User.Partition(), By: d.User.Name, What: EventDownloaded, Subject: d.Name}
	if len(e.Subject) > maxDownloadName {
		e.Subject = strings.ToValidUTF8(e.Subject[:maxDownloadName], "") + "…"
	}
	e.Subject = MaskCardNumbers(e.Subject)
	if d.Stopped {
		e.What = EventDownloadStopped
	}
	if d.Viewed != nil {
		e.Why = "Viewing as " + d.Viewed.describeAs(d.User)
	}
	if d.Token != "" {
		e.Why = "With access token " + d.Token
	}
	e.When = s.now()
	c.describeAccess(&e)
	counts := map[string]int{"Attempts": 1}
	if d.Rows >= 0 {
		counts["Rows"] = d.Rows
	}
	hour := e.When.UTC().Format("2006-01-02T15")
	e.ID = hourID(e.When, s.eventKey.hash(hour, string(e.What), e.By, e.Address, d.Kind, e.Why)[:10])
	c.Merge(&e, []string{"What", "By"}, counts)
	return c.Commit(ctx)
}

// describeDownloads describes how many downloads an event counts, and how many rows they
// had.
func (e *Event) describeDownloads(hasRows bool) string {
	rows := ""
	if hasRows {
		rows = NumberOf(e.Rows, "row", "rows")
	}
	switch {
	case e.Attempts == 1:
		return rows
	case rows != "":
		rows = " with " + rows
	}
	return fmt.Sprintf("%d downloads%s, the latest is shown", e.Attempts, rows)
}

// describeAs describes u in an event of an admin who views the site as u. If u is the admin
// with another role, it returns the role, otherwise the user.
func (u *User) describeAs(admin *User) string {
	if u.Name == admin.Name {
		return "role " + string(u.Role)
	}
	return "user " + u.Name
}
