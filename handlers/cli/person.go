package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"stockroom/store"
)

// exportPerson writes all records about a person to a new zip file. The zip file
// contains a JSON file for each group of records. The history records the export. With
// -dry-run, exportPerson only counts the records. In both cases, it then prints the IDs of
// other records of the same person.
func exportPerson(ctx context.Context, c *call) error {
	if !c.dryRun && c.output == "" {
		return usagef("person export needs -output FILE or -dry-run")
	}
	id := c.args[0]
	return c.withStore(ctx, false, func(s *store.Store) error {
		program := s.As(&store.User{Name: store.Program, Role: store.Admin})
		if c.dryRun {
			counts, err := program.WritePersonalArchive(ctx, id, io.Discard)
			if err != nil {
				return err
			}
			printArchive(c.stdout, counts)
			fmt.Fprintln(c.stdout, "Dry run: nothing was written.")
			return printOthers(ctx, c.stdout, program, id)
		}
		var counts store.PersonalCounts
		_, err := writeNewFile(c.output, func(w io.Writer) (err error) {
			// Record the export before it starts, so that the history contains it even
			// if it fails.
			if err := program.RecordPersonalExport(ctx, id); err != nil {
				return err
			}
			counts, err = program.WritePersonalArchive(ctx, id, w)
			return err
		})
		if err != nil {
			return err
		}
		printArchive(c.stdout, counts)
		fmt.Fprintf(c.stdout, "Exported everything about %s to %s.\n", id, c.output)
		return printOthers(ctx, c.stdout, program, id)
	})
}

func printArchive(w io.Writer, counts store.PersonalCounts) {
	for _, group := range store.PersonalFiles {
		fmt.Fprintf(w, "  %s in %s\n", store.NumberOf(counts[group], "record", "records"), group.Name())
	}
}

// printOthers prints the IDs of other records of the same person. The export does not
// contain these records.
func printOthers(ctx context.Context, w io.Writer, program store.Access, id string) error {
	others, err := program.OthersOf(ctx, id)
	for _, other := range others {
		fmt.Fprintf(w, "%s is another record of the same person. Export it separately.\n", other)
	}
	return err
}

// erasePerson erases the personal data of a person. With -dry-run, it only prints what
// would change.
func erasePerson(ctx context.Context, c *call) error {
	id := c.args[0]
	return c.withStore(ctx, false, func(s *store.Store) error {
		program := s.As(&store.User{Name: store.Program, Role: store.Admin})
		if c.dryRun {
			erasure, err := program.ErasureOf(ctx, id, 0)
			if err != nil {
				return err
			}
			printErasure(c.stdout, erasure)
			fmt.Fprintln(c.stdout, "Dry run: nothing was changed.")
			return blockersError(erasure, nil)
		}
		if err := c.useAuditKeys(s, false); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		erasure, err := program.ErasePerson(ctx, id)
		if err != nil {
			printErasure(c.stdout, erasure)
			return blockersError(erasure, err)
		}
		if erasure.Records() == 0 {
			fmt.Fprintf(c.stdout, "The personal data of %s was already erased.\n", id)
			return nil
		}
		printErasure(c.stdout, erasure)
		fmt.Fprintf(c.stdout, "Erased the personal data of %s.\n", id)
		return nil
	})
}

// printErasure prints the numbers of records that change, and what prevents the erasure.
func printErasure(w io.Writer, e store.Erasure) {
	for _, group := range store.PersonalFiles {
		if n := e.Changed[group]; n > 0 {
			fmt.Fprintf(w, "  %s in %s\n", store.NumberOf(n, "record", "records"), group)
		}
	}
	if e.Deleted > 0 {
		fmt.Fprintf(w, "  %s deleted\n", store.NumberOf(e.Deleted, "email, which is", "emails, which are"))
	}
	for _, id := range e.Others {
		fmt.Fprintf(w, "%s is another record of the same person, and is not erased.\n", id)
	}
	for _, b := range e.Blockers {
		fmt.Fprintf(w, "%s (%s)\n", b.Reason, b.Partition)
	}
}

// blockersError returns an error if something prevents the erasure, and err otherwise.
func blockersError(e store.Erasure, err error) error {
	if len(e.Blockers) > 0 {
		return errors.New("this person can't be erased yet; see the reasons above")
	}
	return err
}
