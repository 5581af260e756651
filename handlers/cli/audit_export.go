package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"stockroom/store"
)

const (
	// followInterval is the usual time between two searches of 'audit export -follow' for new
	// events.
	followInterval = 30 * time.Second
	// serverInterval is the time after which 'audit export -follow' looks again whether a
	// server has opened the data folder.
	serverInterval = time.Second
	// lateDays is the number of days after its end on which a day is read again, in case the
	// indexes did not contain its last events yet. An hour would be enough; see sealDelay in
	// the package store.
	lateDays = 2
)

// auditExporter writes the history as JSON lines. It writes an event again only if the
// event has counted more failed attempts or downloads since.
type auditExporter struct {
	out      *bufio.Writer
	interval time.Duration // time between two searches for new events
	sealed   time.Time     // first day whose seal has not been written
	read     time.Time     // first day that may still get new events; not before sealed

	// written contains the lines of events that have already been written for the day read
	// and later days, by the IDs of lineOf.
	written map[string]writtenLine

	// The file of -output begins on the day first. missing contains the days from -from to
	// the day before first. If they have events, the export fails, because the file cannot
	// get their lines. file is the name of the file, or "" if no days are missing.
	file    string
	first   time.Time
	missing store.DateRange
}

func newAuditExporter(from time.Time) *auditExporter {
	return &auditExporter{interval: followInterval, sealed: from, read: from, written: map[string]writtenLine{}}
}

type writtenLine struct {
	day      time.Time // for an event, the day on which it was recorded or imported; for a seal, the day that it covers
	attempts int
}

// exportAudit writes the events and seals of a range of days. With -follow, it then
// waits for new events and writes them, until ctx is cancelled.
func exportAudit(ctx context.Context, c *call) (err error) {
	days, err := c.auditDays()
	if err != nil {
		return err
	}
	x, out := newAuditExporter(days.From), c.stdout
	if c.output != "" {
		file, openErr := x.openOutput(c.output)
		if openErr != nil {
			return openErr
		}
		defer closeJoin(file, &err)
		out = file
		if c.from != "" {
			x.noteMissing(c.output, days.From)
		}
	}
	x.out = bufio.NewWriterSize(out, 1<<16)
	if c.follow {
		return c.followAudit(ctx, x)
	}
	return c.withStore(ctx, false, func(s *store.Store) error { return x.write(ctx, s, days.To) })
}

// followAudit writes new lines until ctx is cancelled. It never opens the data folder: while
// it had the folder open, no server could start. If no server has opened the folder, if the
// server does not answer, or if it ends, followAudit tries again every serverInterval.
func (c *call) followAudit(ctx context.Context, x *auditExporter) error {
	for waits := false; ; {
		err := c.withServer(ctx, func(s *store.Store) error {
			waits = false
			for {
				if err := x.write(ctx, s, c.clock().UTC()); err != nil {
					return err
				}
				if err := sleep(ctx, x.interval); err != nil {
					return err
				}
			}
		})
		switch {
		case ctx.Err() != nil:
			return nil
		case !errors.Is(err, errNoServer) && !errors.Is(err, errNoAnswer):
			return err
		case !waits:
			c.log.Info("waiting for a server that opens the data folder", "folder", c.data, "reason", err)
			waits = true
		}
		if sleep(ctx, serverInterval) != nil {
			return nil
		}
	}
}

// auditDays returns the days from -from to -to. The default of -from is 92 days ago, or
// today with -follow. The default of -to is today.
func (c *call) auditDays() (days store.DateRange, err error) {
	if c.follow && c.to != "" {
		return days, usagef("use either -follow or -to")
	}
	if days.From, err = parseDay("from", c.from); err != nil {
		return days, err
	}
	if days.To, err = parseDay("to", c.to); err != nil {
		return days, err
	}
	if c.from != "" && c.to != "" && days.To.Before(days.From) {
		return days, usagef("-to %s is before -from %s", c.to, c.from)
	}
	if c.to == "" {
		days.To = c.clock().UTC()
	}
	if c.from == "" {
		days.From = c.clock().UTC().Truncate(24 * time.Hour)
		if !c.follow {
			days.From = days.From.AddDate(0, 0, -92)
		}
	}
	return days, nil
}

// write writes all new lines up to the given day. Of the days before x.read, only seals can
// be new.
func (x *auditExporter) write(ctx context.Context, s *store.Store, to time.Time) error {
	if err := x.checkMissing(ctx, s); err != nil {
		return err
	}
	lines := json.NewEncoder(x.out)
	visit := func(line store.AuditLine) error {
		id, l := lineOf(line)
		if before, found := x.written[id]; found && before.attempts >= l.attempts {
			return nil
		}
		x.remember(id, l, line.Seal != nil)
		return lines.Encode(line)
	}
	late := store.DateRange{From: x.sealed, To: x.read.AddDate(0, 0, -1)}
	if to.Before(late.To) {
		late.To = to
	}
	err := s.ExportSeals(ctx, late, visit)
	if err == nil {
		err = s.ExportAudit(ctx, store.DateRange{From: x.read, To: to}, func(line store.AuditLine) error {
			if line.Seal != nil { // days before it can have been sealed since they were read
				missed := store.DateRange{From: x.sealed, To: line.Seal.Day.AddDate(0, 0, -1)}
				if err := s.ExportSeals(ctx, missed, visit); err != nil {
					return err
				}
			}
			return visit(line)
		})
	}
	if err == nil {
		x.finishBefore(firstLate(to))
	}
	return errors.Join(err, x.out.Flush())
}

// firstLate returns the first day that can still get new events on the given day.
func firstLate(day time.Time) time.Time {
	return day.Truncate(24*time.Hour).AddDate(0, 0, -lateDays)
}

// remember stores that a line was written. Lines are written day by day. When the line of an
// event is written, the days before firstLate of its day are therefore complete. After the
// seal of a day, no new lines can follow for this day or earlier days.
func (x *auditExporter) remember(id string, l writtenLine, isSeal bool) {
	if isSeal {
		x.sealed = l.day.AddDate(0, 0, 1)
		x.finishBefore(x.sealed)
		return
	}
	x.written[id] = l
	x.finishBefore(firstLate(l.day))
}

// finishBefore marks all days before the given day as complete, and forgets their lines.
func (x *auditExporter) finishBefore(day time.Time) {
	if !day.After(x.read) {
		return
	}
	x.read = day
	for id, line := range x.written {
		if line.day.Before(day) {
			delete(x.written, id)
		}
	}
}

// noteMissing stores which days from the given day on are not in the file of -output,
// because they are before its first line.
func (x *auditExporter) noteMissing(file string, from time.Time) {
	if from.Before(x.first) {
		x.file, x.missing = file, store.DateRange{From: from, To: x.first.AddDate(0, 0, -1)}
	}
}

// checkMissing returns an error if the missing days have events. After a success, it does
// not check again.
func (x *auditExporter) checkMissing(ctx context.Context, s *store.Store) error {
	if x.file == "" {
		return nil
	}
	err := s.ExportAudit(ctx, x.missing, func(line store.AuditLine) error {
		if line.Seal != nil {
			return nil // a day without events can get a seal later
		}
		_, l := lineOf(line)
		return fmt.Errorf("%s begins on %s, but the history has events of %s: choose another file with -output, or a later day with -from", x.file, x.first.Format(time.DateOnly), l.day.Format(time.DateOnly))
	})
	if err == nil {
		x.file = ""
	}
	return err
}

func lineOf(line store.AuditLine) (id string, l writtenLine) {
	if line.Seal != nil {
		return "seal " + line.Seal.Day.Format(time.DateOnly), writtenLine{day: line.Seal.Day}
	}
	l = writtenLine{day: line.Event.When, attempts: line.Event.Attempts}
	if !line.Event.Imported.IsZero() {
		l.day = line.Event.Imported
	}
	l.day = l.day.UTC().Truncate(24 * time.Hour)
	return line.Event.Partition + " " + line.Event.ID, l
}

// openOutput opens the file of -output for appending. If the file already has lines, the
// export continues where they end.
func (x *auditExporter) openOutput(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("cannot write to %s: %w", path, fileError(err))
	}
	if err := x.continueFile(file); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
}

// continueFile reads the lines of an earlier export. If that export was killed, continueFile
// completes the last line or removes it. The export starts with the first line's day, and
// remember skips the days that are complete. If the file has no line, the export starts at
// the latest with the day on which the file was created.
func (x *auditExporter) continueFile(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return err
	}
	size, end := info.Size(), int64(0) // end is the end of the last complete line, without its newline
	for d := json.NewDecoder(bufio.NewReaderSize(file, 1<<20)); ; {
		var line store.AuditLine
		if err = d.Decode(&line); err != nil || line.Event == nil && line.Seal == nil {
			break
		}
		id, l := lineOf(line)
		if end == 0 {
			x.first, x.sealed, x.read = l.day, l.day, l.day
		}
		x.remember(id, l, line.Seal != nil)
		end = d.InputOffset()
	}
	if created := info.ModTime().UTC().Truncate(24 * time.Hour); end == 0 && info.Mode().IsRegular() && created.Before(x.read) {
		x.sealed, x.read = created, created
	}
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		if err := file.Truncate(end); err != nil {
			return err
		}
		size = end
	case !errors.Is(err, io.EOF):
		return fmt.Errorf("%s has a line that 'stockroom audit export' did not write: choose another file", file.Name())
	}
	if end > 0 && end == size {
		_, err := file.WriteString("\n")
		return err
	}
	return nil
}
