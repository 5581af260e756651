package web

import (
	"bufio"
	"encoding/json"
	"io"
	"iter"
	"mime"
	"net/http"
	"reflect"
	"time"

	"github.com/labstack/echo/v4"
)

// Column is a column of a list in CSV files and in emails of saved views. A column with
// Added is also a member in JSON. Name is the name of the attribute.
type Column[T any] struct {
	Name string
	Cell func(T) Cell

	Words func(T) string // the value as pages show it, for columns whose Cell returns a code; may be nil
	Minor bool           // emails of lists leave the column out

	Refers func(T) string // returns the ID of another record that the cell contains; may be nil
	Added  bool           // the value is not an attribute of the row, so JSON gets it as an additional member
}

// The time limits of a download. A whole download may take longer.
const (
	chunkTimeout = 30 * time.Second // for reading a row of a list, and for writing a chunk
	findTimeout  = 5 * time.Minute  // for finding the records of the next chunk of a file, such as an export
)

// deadlineWriter renews the request's timeout and its write deadline before each chunk.
type deadlineWriter struct {
	io.Writer
	context echo.Context
	timeout time.Duration // until the next chunk
}

func (w deadlineWriter) Write(chunk []byte) (int, error) {
	setTimeout(w.context, w.timeout)
	if err := http.NewResponseController(w.context.Response()).SetWriteDeadline(time.Now().Add(chunkTimeout)); err != nil {
		return 0, err
	}
	return w.Writer.Write(chunk)
}

// SentFile describes a file that is sent as the response.
type SentFile struct {
	Name string // "" if the file is a list or record in another format
	Rows int    // number of records; -1 if unknown

	IsPage bool // the file is one page of a list

	Type    reflect.Type // type of each row of a list, or of a record; nil for other files
	Columns []string     // columns of a list, also if the file is JSON; nil for other files
	Added   []string     // columns that are not attributes of the rows, but are in JSON too
}

// FileOf returns the file that was sent as the response. It returns nil if the response
// is a page.
func FileOf(c echo.Context) *SentFile {
	file, _ := c.Get(contextFile).(*SentFile)
	return file
}

// SendRows streams all rows of a list as CSV or JSON. The whole download has no time limit,
// but each row must be read within chunkTimeout (see setTimeout). CSV shows amounts of money
// with at least the given number of decimals.
//
// If a row cannot be read, SendRows returns an error. The error handler then closes the
// connection, so that the client notices that rows are missing.
func SendRows[T any](c echo.Context, name string, decimals int, columns []Column[T], rows iter.Seq2[T, error]) error {
	w := c.Response()
	file := &SentFile{Rows: 0, Type: reflect.TypeFor[T]()}
	for _, column := range columns {
		file.Columns = append(file.Columns, column.Name)
		if column.Added {
			file.Added = append(file.Added, column.Name)
		}
	}
	c.Set(contextFile, file)
	s := stream[T]{out: bufio.NewWriterSize(deadlineWriter{w, c, chunkTimeout}, 32<<10), columns: columns, decimals: decimals}
	contentType := echo.MIMEApplicationJSON
	if s.csv = FormatOf(c) == CSV; s.csv {
		contentType = "text/csv; charset=utf-8; header=present"
	}
	s.begin(c, name, contentType)
	setTimeout(c, chunkTimeout)
	for row, err := range rows {
		if err != nil {
			return err
		}
		setTimeout(c, chunkTimeout)
		if err := s.row(row); err != nil {
			return err
		}
		file.Rows = s.rows
	}
	return s.end()
}

// stream writes the rows of a list as CSV or JSON.
type stream[T any] struct {
	out     *bufio.Writer
	csv     bool
	columns []Column[T]
	cells   []Cell // cells of the current row; reused for the next row
	rows    int

	decimals int // minimum number of decimals of amounts of money in CSV
}

func (s *stream[T]) begin(c echo.Context, name, contentType string) {
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, contentType)
	if !s.csv {
		_, _ = s.out.WriteString(`{"rows":[`) // Flush returns the error of this write
		return
	}
	header.Set(echo.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": name + ".csv"}))
	s.cells = make([]Cell, len(s.columns))
	for i, column := range s.columns {
		s.cells[i] = Plain(column.Name)
	}
	writeRecord(s.out, s.cells)
}

func (s *stream[T]) row(row T) error {
	s.rows++
	if !s.csv {
		return s.object(row)
	}
	for i, column := range s.columns {
		s.cells[i] = column.Cell(row).WithDecimals(s.decimals)
	}
	writeRecord(s.out, s.cells)
	return nil
}

// object writes a row as a JSON object.
func (s *stream[T]) object(row T) error {
	text, err := RowJSON(row, s.columns)
	if err != nil {
		return err
	}
	if s.rows > 1 {
		_ = s.out.WriteByte(',')
	}
	_ = s.out.WriteByte('\n')
	_, err = s.out.Write(text)
	return err
}

// RowJSON encodes a row as a JSON object, with the added columns as further members.
func RowJSON[T any](row T, columns []Column[T]) ([]byte, error) {
	text, err := json.Marshal(row)
	if err != nil {
		return nil, err
	}
	for _, column := range columns {
		if !column.Added {
			continue
		}
		member, err := json.Marshal(map[string]string{column.Name: column.Cell(row).Value()})
		if err != nil {
			return nil, err
		}
		text = append(append(text[:len(text)-1], ','), member[1:]...)
	}
	return text, nil
}

func (s *stream[T]) end() error {
	if !s.csv {
		_, _ = s.out.WriteString("\n]}\n")
	}
	return s.out.Flush()
}
