package cli

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"stockroom/store"
)

// exportPerson writes all records about a person to a new zip file, with a JSON file
// for each group. With -dry-run, it only counts them.
func exportPerson(ctx context.Context, c *call) error {
	if !c.dryRun && c.output == "" {
		return usagef("person export needs -output FILE or -dry-run")
	}
	id := c.args[0]
	return c.withStore(ctx, false, func(s *store.Store) error {
		program := s.As(&store.User{Name: store.Program, Role: store.Admin})
		archive := &personArchive{counts: map[store.PersonalFile]int{}}
		if c.dryRun {
			archive.file = zip.NewWriter(io.Discard)
			if err := program.PersonalData(ctx, id, archive.add); err != nil {
				return err
			}
			archive.print(c.stdout)
			fmt.Fprintln(c.stdout, "Dry run: nothing was written.")
			return nil
		}
		// Record the export first, so that the history contains it even if it stops early.
		if err := program.RecordPersonalExport(ctx, id); err != nil {
			return err
		}
		if _, err := writeNewFile(c.output, func(w io.Writer) error {
			archive.file = zip.NewWriter(w)
			return errors.Join(program.PersonalData(ctx, id, archive.add), archive.close())
		}); err != nil {
			return err
		}
		archive.print(c.stdout)
		fmt.Fprintf(c.stdout, "Exported everything about %s to %s.\n", id, c.output)
		return nil
	})
}

// personArchive writes records to a zip file. The records of each group must follow
// each other.
type personArchive struct {
	file   *zip.Writer
	entry  io.Writer
	group  store.PersonalFile
	counts map[store.PersonalFile]int
}

// personRecord is a record in the archive.
type personRecord struct {
	Type   string
	Record store.Entity
}

func (a *personArchive) add(group store.PersonalFile, e store.Entity) (err error) {
	separator := ",\n"
	if group != a.group {
		if err := a.endEntry(); err != nil {
			return err
		}
		if a.entry, err = a.file.Create(group.Name()); err != nil {
			return err
		}
		a.group, separator = group, "[\n"
	}
	a.counts[group]++
	text, err := json.Marshal(personRecord{e.EntityType(), e})
	if err != nil {
		return err
	}
	_, err = a.entry.Write(append([]byte(separator), text...))
	return err
}

func (a *personArchive) endEntry() error {
	if a.entry == nil {
		return nil
	}
	_, err := io.WriteString(a.entry, "\n]\n")
	return err
}

func (a *personArchive) close() error { return errors.Join(a.endEntry(), a.file.Close()) }

// print prints the number of records of each group.
func (a *personArchive) print(w io.Writer) {
	for _, group := range store.PersonalFiles {
		fmt.Fprintf(w, "%6d records in %s\n", a.counts[group], group.Name())
	}
}
