package web

import (
	"bufio"
	"encoding/json"
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

// SendRows streams a list to its end, as CSV or JSON as the request wants.
func SendRows[T any](c echo.Context, name string, columns []Column[T], rows iter.Seq2[T, error]) error {
	s := stream[T]{out: bufio.NewWriterSize(c.Response(), 32<<10), control: http.NewResponseController(c.Response())}
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
	control *http.ResponseController
	columns []Column[T]
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
	cells := make([]Cell, len(s.columns))
	for i, column := range s.columns {
		cells[i] = Plain(column.Name)
	}
	writeRecord(s.out, cells)
}

func (s *stream[T]) row(row T) error {
	if s.out.Available() < s.out.Size()/2 {
		if err := s.control.SetWriteDeadline(time.Now().Add(streamGrace)); err != nil {
			return err
		}
	}
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
	cells := make([]Cell, len(s.columns))
	for i, column := range s.columns {
		cells[i] = column.Cell(row)
	}
	writeRecord(s.out, cells)
	return nil
}

func (s *stream[T]) end() error {
	if s.columns == nil {
		_, _ = s.out.WriteString("\n]}\n")
	}
	return s.out.Flush()
}
