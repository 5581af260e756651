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

// followInterval is the time between two searches of 'audit export -follow' for new events.
const followInterval = 30 * time.Second

// auditExporter writes the history as JSON lines. It writes an event again only if the
// event has counted more failed attempts or downloads since.
type auditExporter struct {
	store *store.Store
	out   *bufio.Writer
	day   time.Time // first day that may still get new lines

	// written contains the lines that have already been written for the first day and
	// later days. Its keys identify events and seals.
	written map[string]writtenLine
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
	return c.withStore(ctx, false, func(s *store.Store) (err error) {
		x := &auditExporter{store: s, day: days.From, written: map[string]writtenLine{}}
		out := c.stdout
		if c.output != "" {
			file, err := x.openOutput(c.output)
			if err != nil {
				return err
			}
			defer closeJoin(file, &err)
			out = file
		}
		x.out = bufio.NewWriterSize(out, 1<<16)
		for {
			if c.to == "" {
				days.To = c.clock().UTC()
			}
			err := x.write(ctx, days.To)
			if c.follow && ctx.Err() != nil {
				return nil
			}
			if err != nil || !c.follow {
				return err
			}
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(followInterval):
			}
		}
	})
}

// auditDays returns the days from -from to -to. The default of -from is 92 days ago, or
// today with -follow. Without -to, days.To is zero, and exportAudit sets it to today.
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
	if c.from == "" {
		days.From = c.clock().UTC().Truncate(24 * time.Hour)
		if !c.follow {
			days.From = days.From.AddDate(0, 0, -92)
		}
	}
	return days, nil
}

// write writes all new lines from x.day to the given day. It moves x.day to the first day
// that is not sealed.
func (x *auditExporter) write(ctx context.Context, to time.Time) error {
	lines := json.NewEncoder(x.out)
	err := x.store.ExportAudit(ctx, store.DateRange{From: x.day, To: to}, func(line store.AuditLine) error {
		id, l := lineOf(line)
		if before, found := x.written[id]; found && before.attempts >= l.attempts {
			return nil
		}
		x.remember(id, l, line.Seal != nil)
		return lines.Encode(line)
	})
	return errors.Join(err, x.out.Flush())
}

// remember stores that a line was written. After the seal of a day, no new lines can follow
// for this day or earlier days. For a seal, remember therefore moves x.day to the next day
// and forgets the earlier lines.
func (x *auditExporter) remember(id string, l writtenLine, isSeal bool) {
	if !isSeal {
		x.written[id] = l
		return
	}
	day := l.day.AddDate(0, 0, 1)
	x.day = day
	for id, line := range x.written {
		if line.day.Before(day) {
			delete(x.written, id)
		}
	}
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
// completes the last line or removes it. Without seals, any day since the first line may
// still get new lines. Without lines, this applies to any day since the file was created.
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
		x.startBy(l.day)
		x.remember(id, l, line.Seal != nil)
		end = d.InputOffset()
	}
	if end == 0 && info.Mode().IsRegular() {
		x.startBy(info.ModTime().UTC().Truncate(24 * time.Hour))
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

// startBy moves x.day to the given day, unless x.day is earlier.
func (x *auditExporter) startBy(day time.Time) {
	if day.Before(x.day) {
		x.day = day
	}
}
