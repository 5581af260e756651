package web

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// formSize is the maximum size of each field of a form with files, in bytes. limitBody also
// adds it to the maximum size of the files, as the space for all other fields.
const formSize = 64 << 10

// uploadTimeout limits the whole request: receiving the files, processing them and
// sending the response.
const uploadTimeout = 5 * time.Minute

// ReadUpload reads a multipart form. It passes each file to the function receive as it
// arrives, and skips empty file inputs. The other fields must be listed in fields, occur at
// most once, and come before the files, so that receive gets the complete form. Before it
// passes a file, it checks the token and the version. It does not check them in a form
// without files.
//
// ReadUpload returns the error of receive, an error of the check as ReadChange does, or an
// error with status 400, 408, 413 or 415.
func (t *Tools) ReadUpload(c echo.Context, files string, receive func(form Form, name string, content io.Reader) error, fields ...string) (Form, error) {
	kind, _, err := mime.ParseMediaType(c.Request().Header.Get(echo.HeaderContentType))
	if err != nil || kind != echo.MIMEMultipartForm {
		return Form{}, echo.NewHTTPError(http.StatusUnsupportedMediaType, "Upload the files with the form on this page.")
	}
	control, until := http.NewResponseController(c.Response()), time.Now().Add(uploadTimeout)
	if err := errors.Join(control.SetReadDeadline(until), control.SetWriteDeadline(until)); err != nil {
		return Form{}, err
	}
	setTimeout(c, uploadTimeout)
	form := Form{values: map[string][]string{}}
	parts, err := c.Request().MultipartReader()
	if err != nil {
		return Form{}, bodyError(err)
	}
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			return form, nil
		}
		if err != nil {
			return Form{}, bodyError(err)
		}
		name := part.FormName()
		if name == files {
			if part.FileName() == "" {
				continue
			}
			if err := t.checkChange(c, form, nil); err != nil {
				return Form{}, err
			}
			content := &uploadedFile{Reader: part}
			if err := receive(form, part.FileName(), content); err != nil {
				if content.err != nil {
					return Form{}, bodyError(content.err)
				}
				return Form{}, err
			}
			continue
		}
		if err := form.addField(name, part, fields); err != nil {
			return Form{}, err
		}
	}
}

// ReadFile reads the multipart form of a change with one file. It reads at most size + 1
// bytes of the file, so that the caller can reject a file that is too large. The digest in
// Form.Token then also depends on the content of the file.
func (t *Tools) ReadFile(c echo.Context, field string, size int64) (form Form, content []byte, err error) {
	receive := func(_ Form, _ string, file io.Reader) (err error) {
		if content != nil {
			return echo.NewHTTPError(http.StatusBadRequest, "Choose one file only.")
		}
		content, err = io.ReadAll(io.LimitReader(file, size+1))
		return err
	}
	form, err = t.ReadUpload(c, field, receive, FieldToken, fieldVersion)
	if err != nil {
		return form, nil, err
	}
	form.values[field] = []string{string(content)}
	return form, content, t.checkChange(c, form, nil)
}

func (f Form) addField(name string, content io.Reader, fields []string) error {
	if !slices.Contains(fields, name) || f.values[name] != nil {
		return echo.NewHTTPError(http.StatusBadRequest, fmt.Sprintf("The field %s is unknown or was sent twice.", store.Quoted(name)))
	}
	value, err := io.ReadAll(io.LimitReader(content, formSize+1))
	if err != nil {
		return bodyError(err)
	}
	if len(value) > formSize {
		return echo.NewHTTPError(http.StatusRequestEntityTooLarge, fmt.Sprintf("The field %s is longer than %d KB.", store.Quoted(name), formSize>>10))
	}
	f.values[name] = []string{string(value)}
	return nil
}

// uploadedFile stores an error that occurs while the uploaded file is read, so that
// ReadUpload can distinguish it from an error of receive.
type uploadedFile struct {
	io.Reader
	err error
}

func (f *uploadedFile) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if err != nil && err != io.EOF {
		f.err = err
	}
	return n, err
}

// Download sets the headers of a file download and returns the writer for its content. The
// whole download has no time limit, but each chunk must be written within findTimeout after
// the one before (see setTimeout).
func Download(c echo.Context, name, contentType string) io.Writer {
	c.Set(contextFile, &SentFile{Name: name, Rows: -1})
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, contentType)
	header.Set(echo.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	setTimeout(c, findTimeout)
	_ = http.NewResponseController(c.Response()).SetWriteDeadline(time.Now().Add(findTimeout + chunkTimeout)) // for an error page before the first chunk
	return deadlineWriter{c.Response(), c, findTimeout}
}
