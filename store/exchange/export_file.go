package exchange

import (
	"bufio"
	"errors"
	"io"

	"stockroom/store/csvfile"
)

// fileOutput writes one file per file name.
type fileOutput struct{ files []*outputFile }

type outputFile struct {
	*bufio.Writer
	io.Closer
}

func createOutput(options ExportOptions, name string) (*outputFile, error) {
	file, err := options.Create(name)
	if err != nil {
		return nil, err
	}
	return &outputFile{bufio.NewWriterSize(file, 64<<10), file}, nil
}

func (f *outputFile) close() error { return errors.Join(f.Flush(), f.Close()) }

// openFileOutput creates all files, and writes the headers of CSV files.
func openFileOutput(options ExportOptions) (output, error) {
	o := &fileOutput{}
	for _, name := range options.Files {
		file, err := createOutput(options, name+"."+string(options.Format))
		if err != nil {
			return o, err
		}
		o.files = append(o.files, file)
		if options.Format != FormatCSV {
			continue
		}
		s, l, _ := sheetNamed(name)
		columns := s.columns
		if l != nil {
			columns = l.columns
		}
		if _, err := file.Write(csvfile.AppendRecord(nil, header(columns))); err != nil {
			return o, err
		}
	}
	return o, nil
}

func (o *fileOutput) write(file int, text []byte) error {
	_, err := o.files[file].Write(text)
	return err
}

func (o *fileOutput) close() error {
	var failed error
	for _, f := range o.files {
		failed = errors.Join(failed, f.close())
	}
	return failed
}
