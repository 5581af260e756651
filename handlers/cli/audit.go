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

// withAudit calls f with a store that has the keys for sealing the history.
func (c *call) withAudit(ctx context.Context, f func(*store.Store) error) error {
	return c.withStore(ctx, false, func(s *store.Store) error {
		if err := c.useAuditKeys(s, false); err != nil {
			return err
		}
		return f(s)
	})
}

// sealAudit seals the history of past days.
func sealAudit(ctx context.Context, c *call) error {
	from, err := parseDay("from", c.from)
	if err != nil {
		return err
	}
	return c.withAudit(ctx, func(s *store.Store) error {
		newest, sealed, err := s.SealDays(ctx, from)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Days sealed: %d\n", sealed)
		c.printNewestSeal(newest)
		return nil
	})
}

func (c *call) printNewestSeal(newest *store.AuditSeal) {
	if newest != nil {
		fmt.Fprintf(c.stdout, "Newest seal: %s %s\n", newest.Day.Format(time.DateOnly), newest.MAC)
	}
}

// verifyAudit verifies the seals of the history and prints the problems.
func verifyAudit(ctx context.Context, c *call) error {
	known, err := c.readSeals()
	if err != nil {
		return err
	}
	return c.withAudit(ctx, func(s *store.Store) error {
		result, err := s.VerifyAudit(ctx, store.AuditVerification{
			Known: known,
			Found: func(problem string) { fmt.Fprintln(c.stdout, problem) },
		})
		if err != nil {
			return err
		}
		fmt.Fprintf(c.stdout, "Sealed days: %d", result.Days)
		if result.Newest != nil {
			fmt.Fprintf(c.stdout, ", from %s to %s", result.First.Format(time.DateOnly), result.Newest.Day.Format(time.DateOnly))
		}
		fmt.Fprintf(c.stdout, ". Events compared: %d.\n", result.Events)
		if result.Before > 0 {
			fmt.Fprintf(c.stdout, "Events before the first sealed day, not compared: %d\n", result.Before)
		}
		if result.Expired > 0 {
			fmt.Fprintf(c.stdout, "Days whose sign-ins and downloads were not compared, because the retention period of some has ended: %d\n", result.Expired)
		}
		if result.Late > 0 {
			fmt.Fprintf(c.stdout, "Days that were sealed more than 3 days after their end: %d\n", result.Late)
		}
		c.printNewestSeal(result.Newest)
		if result.Problems > 0 {
			return fmt.Errorf("the history does not match its seals (problems: %d)", result.Problems)
		}
		return nil
	})
}

// readSeals reads the file of -copy. It returns the MAC of each day's seal, by day. It ignores
// an incomplete last line, which an export leaves if it is still running or was killed.
// Without -copy, it returns nil.
func (c *call) readSeals() (known map[string]string, err error) {
	if c.copied == "" {
		return nil, nil
	}
	file, err := os.Open(c.copied)
	if err != nil {
		return nil, readError(c.copied, err)
	}
	defer closeJoin(file, &err)
	known = map[string]string{}
	for d := json.NewDecoder(bufio.NewReaderSize(file, 1<<20)); ; {
		var line struct {
			Seal *store.AuditSeal `json:"seal"`
		}
		err := d.Decode(&line)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			return known, nil
		case err != nil:
			return nil, readError(c.copied, err)
		case line.Seal != nil:
			known[line.Seal.Day.Format(time.DateOnly)] = line.Seal.MAC
		}
	}
}

// parseDay parses the value of a flag as a day. It returns the zero time for "".
func parseDay(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	day, err := time.Parse(time.DateOnly, text)
	if err != nil {
		return time.Time{}, usagef("invalid -%s %q: enter a day such as 2026-11-21", flag, text)
	}
	return day, nil
}
