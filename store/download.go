package store

import (
	"context"
	"fmt"
	"strings"
)

// Download is a file that was sent to a user: a list or a record as CSV or JSON, or an
// export.
type Download struct {
	User    *User  // who signed in
	Viewed  *User  // as whom User views the site; nil if as themselves
	Name    string // the address with its filters, or the name of the file
	Rows    int    // -1 if unknown
	Stopped bool   // an error ended the download; a part of the file may have arrived
}

// maxDownloadName is the length of the longest name that an event shows, in bytes.
const maxDownloadName = 500

// RecordDownload records an event after a download.
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
	switch {
	case d.Rows == 1:
		e.After = "1 row"
	case d.Rows >= 0:
		e.After = fmt.Sprintf("%d rows", d.Rows)
	}
	if d.Viewed != nil {
		e.Why = "Viewing as " + d.Viewed.describeAs(d.User)
	}
	c.recordEvent(e)
	return c.Commit(ctx)
}

// describeAs describes the user as whom an admin views the site.
func (u *User) describeAs(admin *User) string {
	if u.Name == admin.Name {
		return "role " + string(u.Role)
	}
	return "user " + u.Name
}
