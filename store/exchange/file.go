package exchange

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// A File is something to import: what it is called says what form it has,
// and without a name, as of standard input, what it begins with.
type File struct {
	Name    string // "" where it has none
	Content io.Reader
}

// A Source is a file whose form is known and whose beginning is in order.
type Source struct {
	File     int // its place among the files; that of the entities where it is a list
	Portions Portions
}

// Open finds out what files hold. Models are read whole, and of every other
// file the beginning: where one is damaged there, nothing has been taken of
// any. Files of lists become part of the file of their entities.
func Open(files []File, naming Naming) ([]Source, error) {
	var sources []Source
	lists := map[*Sheet][]*Listing{}
	type opened struct {
		file  int
		sheet *Sheet
		csv   *CSV
	}
	var tables []opened
	for i, f := range files {
		form, name := formOfName(f.Name)
		if form != "csv" {
			portions, err := open(f, form)
			if err != nil {
				return nil, err
			}
			sources = append(sources, Source{i, portions})
			continue
		}
		sheet, list, found := SheetNamed(name)
		if !found {
			return nil, &FileError{File: f.Name, Reason: fmt.Sprintf("a CSV file is named after what it holds: %s", strings.Join(fileNames(), ".csv, ")+".csv")}
		}
		columns := sheet.Columns
		if list != nil {
			columns = list.Columns
		}
		table, err := OpenCSV(f.Name, f.Content, columns)
		if err != nil {
			return nil, err
		}
		if list == nil {
			tables = append(tables, opened{i, sheet, table})
			continue
		}
		listing, err := table.ReadList(list)
		if err != nil {
			return nil, err
		}
		if lists[sheet] != nil && lists[sheet][0].list == list {
			return nil, &FileError{File: f.Name, Reason: "two files of one list cannot be imported at once"}
		}
		lists[sheet] = append(lists[sheet], listing)
	}
	// Kayaks come before what is out of them, and that before its history.
	slices.SortStableFunc(tables, func(a, b opened) int { return late(a.sheet) - late(b.sheet) })
	counted := slices.ContainsFunc(tables, func(t opened) bool { return t.sheet.Type == "total" })
	for _, t := range tables {
		sources = append(sources, Source{t.file, t.csv.Entities(t.sheet, lists[t.sheet], counted)})
		delete(lists, t.sheet)
	}
	for sheet, left := range lists {
		return nil, &FileError{File: left[0].list.File + ".csv", Reason: fmt.Sprintf("it belongs to %s.csv: import both together", sheet.File)}
	}
	for i := range sources {
		sources[i].Portions = naming.applied(sources[i].Portions)
	}
	return sources, nil
}

// late is the turn of a sheet whose rows are held to those of others.
func late(s *Sheet) int {
	return slices.Index([]string{"storeActiveRental", "rentalRelationship"}, s.Type)
}

// formOfName is what the name of a file says of its form.
func formOfName(path string) (form, name string) {
	name = strings.ToLower(filepath.Base(path))
	packed := strings.TrimSuffix(name, ".gz")
	ext := filepath.Ext(packed)
	switch {
	case ext == ".csv":
		return "csv", strings.TrimSuffix(packed, ext)
	case ext == ".jsonl", ext == ".json" && packed != name: // S3 has them as .json.gz
		return "jsonl", ""
	case ext == ".json", path == "":
		return "json", ""
	}
	return "", ""
}

func open(f File, form string) (Portions, error) {
	label := f.Name
	if label == "" {
		label = "standard input"
	}
	switch form {
	case "jsonl":
		return Lines(label, f.Content), nil
	case "json":
		in, err := unzipped(f.Content)
		if err != nil {
			return nil, err
		}
		if holdsLines(in) {
			return Lines(label, in), nil
		}
		model, err := Workbench(label, in)
		if err != nil {
			return nil, err
		}
		return func(yield func(*Import, error) bool) { yield(model, nil) }, nil
	}
	return nil, &FileError{File: f.Name, Reason: "it cannot be imported: models of NoSQL Workbench can (.json), DynamoDB's JSON lines (.jsonl, .jsonl.gz, .json.gz), and CSV named after what it holds (customers.csv)"}
}

// holdsLines tells JSON lines from a model.
func holdsLines(in *bufio.Reader) bool {
	begin, _ := in.Peek(512) // what there is of a short file will do
	r := reader{text: bytes.TrimPrefix(begin, []byte("\ufeff"))}
	if !r.takes('{') {
		return false
	}
	name, err := r.words()
	return err == nil && name == "Item"
}
