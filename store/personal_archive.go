package store

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// PersonalCounts contains the number of records of each group; see PersonalFile.
type PersonalCounts map[PersonalFile]int

// WritePersonalArchive writes all records about a person to a zip file, with a JSON file
// for each group. It also writes the records of each joined ID (see SamePerson) in the
// argument others, in a folder for this ID. It returns the same errors as PersonalData.
func (a Access) WritePersonalArchive(ctx context.Context, id string, w io.Writer, others ...string) (PersonalCounts, error) {
	archive := &personalArchive{file: zip.NewWriter(w), counts: PersonalCounts{}}
	if err := a.PersonalData(ctx, id, archive.add); err != nil {
		return nil, err
	}
	for i, other := range others {
		archive.folder, archive.group = fmt.Sprintf("same-person-%d/", i+1), ""
		if err := a.PersonalData(ctx, other, archive.add); err != nil {
			return nil, err
		}
	}
	return archive.counts, archive.close()
}

// personalArchive writes records to a zip file. Callers must add all records of a group
// before those of the next group.
type personalArchive struct {
	file   *zip.Writer
	entry  io.Writer
	group  PersonalFile
	folder string // folder in the zip file, with a slash at the end; "" for the records of the person
	counts PersonalCounts
}

type personalRecord struct {
	Type   string
	Record Entity
}

func (a *personalArchive) add(group PersonalFile, e Entity) (err error) {
	separator := ",\n"
	if group != a.group {
		if err := a.endEntry(); err != nil {
			return err
		}
		if a.entry, err = a.file.Create(a.folder + group.Name()); err != nil {
			return err
		}
		a.group, separator = group, "[\n"
	}
	a.counts[group]++
	text, err := json.Marshal(personalRecord{e.EntityType(), e})
	if err != nil {
		return err
	}
	_, err = a.entry.Write(append([]byte(separator), text...))
	return err
}

func (a *personalArchive) endEntry() error {
	if a.entry == nil {
		return nil
	}
	_, err := io.WriteString(a.entry, "\n]\n")
	return err
}

func (a *personalArchive) close() error { return errors.Join(a.endEntry(), a.file.Close()) }
