package web

import (
	"bufio"
	"encoding/json"
	"io"
	"iter"
	"mime"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// Column is a column of a list as a file: the attribute's name, and its value
// in a row.
type Column[T any] struct {
	Name string
	Cell func(T) Cell
}

// streamGrace is how long each piece of a long answer may take to leave.
const streamGrace = 30 * time.Second

// patient gives each piece of an answer a time of its own to leave: reading a
// long list may take longer than a server gives a page.
type patient struct {
	io.Writer
	control *http.ResponseController
}

func (p patient) Write(piece []byte) (int, error) {
	if err := p.control.SetWriteDeadline(time.Now().Add(streamGrace)); err != nil {
		return 0, err
	}
	return p.Writer.Write(piece)
}

// SendRows streams a list to its end, as CSV or JSON as the request wants.
func SendRows[T any](c echo.Context, name string, columns []Column[T], rows iter.Seq2[T, error]) error {
	w := c.Response()
	s := stream[T]{out: bufio.NewWriterSize(patient{w, http.NewResponseController(w)}, 32<<10)}
	contentType := echo.MIMEApplicationJSON
	if FormatOf(c) == CSV {
		s.columns, contentType = columns, "text/csv; charset=utf-8; header=present"
	}
	s.begin(c, name, contentType)
	for row, err := range rows {
		if err != nil {
			return err
		}
		if err := s.row(row); err != nil {
			return err
		}
	}
	return s.end()
}

// stream is a list on its way out; without columns it is JSON.
type stream[T any] struct {
	out     *bufio.Writer
	columns []Column[T]
	cells   []Cell // of one row, used again for the next
	rows    int
}

func (s *stream[T]) begin(c echo.Context, name, contentType string) {
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, contentType)
	if s.columns == nil {
		_, _ = s.out.WriteString(`{"rows":[`) // a bufio.Writer keeps its error for Flush
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
	if s.columns == nil {
		text, err := json.Marshal(row)
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
	for i, column := range s.columns {
		s.cells[i] = column.Cell(row)
	}
	writeRecord(s.out, s.cells)
	return nil
}

func (s *stream[T]) end() error {
	if s.columns == nil {
		_, _ = s.out.WriteString("\n]}\n")
	}
	return s.out.Flush()
}
