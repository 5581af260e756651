package exchange

import (
	"errors"
	"io"
)

// HasOwnColumns reports whether the file needs no mapping: it is not CSV, it is a CSV file
// of DynamoDB items, or it has the name and the columns of an exported file. It returns a
// FileError if the file type is unknown, or if the columns of a CSV file cannot be read.
func (f File) HasOwnColumns() (bool, error) {
	format, name := formatOf(f.Name)
	if format == "" {
		return false, unknownType(f.Name)
	}
	if format != "csv" {
		return true, nil
	}
	if isItems, err := f.peekItems(); isItems || err != nil {
		return isItems, err
	}
	if _, err := startCSV(f, nil); err != nil {
		return false, err
	}
	if _, err := f.Content.(io.Seeker).Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	s, l, found := sheetNamed(name)
	if !found {
		return false, nil
	}
	_, err := openCSV(f, s, l)
	var problem *FileError
	if errors.As(err, &problem) {
		return false, nil
	}
	return err == nil, err
}

// EntityName returns the name of the entity in the file name. It removes the extensions and
// the suffixes of files with rejected rows and of downloaded lists.
func (f File) EntityName() string {
	_, name := formatOf(f.Name)
	return name
}

// Header returns the names of the columns of a CSV file. It omits the column of reasons in
// a file of rejected rows.
func (f File) Header() ([]string, error) {
	csv, err := startCSV(f, nil)
	if err != nil {
		return nil, err
	}
	return csv.names(), nil
}
