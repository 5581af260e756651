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
)

// maxUpload limits a form with files, in bytes. Files are read into memory.
const maxUpload = 16 << 20

// uploadTimeout limits receiving files, processing them and answering.
const uploadTimeout = 5 * time.Minute

// Upload is a file sent with a form.
type Upload struct {
	Name    string
	Content []byte
}

// ReadUpload reads a multipart form. The field named files can hold several
// files. Other fields must be among fields and occur once. Errors are 400, 413
// or 415.
func ReadUpload(c echo.Context, files string, fields ...string) (Form, []Upload, error) {
	kind, _, err := mime.ParseMediaType(c.Request().Header.Get(echo.HeaderContentType))
	if err != nil || kind != echo.MIMEMultipartForm {
		return Form{}, nil, echo.NewHTTPError(http.StatusUnsupportedMediaType, "Upload the files with the form on this page.")
	}
	control, until := http.NewResponseController(c.Response()), time.Now().Add(uploadTimeout)
	if err := errors.Join(control.SetReadDeadline(until), control.SetWriteDeadline(until)); err != nil {
		return Form{}, nil, err
	}
	setTimeout(c, uploadTimeout)
	parts, err := c.Request().MultipartReader()
	form, uploads := Form{values: map[string][]string{}}, []Upload(nil)
	for err == nil {
		var content []byte
		part, failed := parts.NextPart()
		if failed == io.EOF {
			return form, uploads, nil
		}
		if err = failed; err != nil {
			break
		}
		if content, err = io.ReadAll(part); err != nil {
			break
		}
		name := part.FormName()
		switch {
		case name == files && part.FileName() != "":
			uploads = append(uploads, Upload{part.FileName(), content})
		case name == files && len(content) == 0: // no file was chosen
		case !slices.Contains(fields, name) || form.values[name] != nil:
			return Form{}, nil, echo.NewHTTPError(http.StatusBadRequest, fmt.Sprintf("The field %q is unknown or was sent twice.", name))
		default:
			form.values[name] = []string{string(content)}
		}
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return Form{}, nil, tooLarge
	}
	return Form{}, nil, echo.NewHTTPError(http.StatusBadRequest, messageBadForm)
}

// Download sets the headers of a file and returns the writer of its content.
func Download(c echo.Context, name, contentType string) io.Writer {
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, contentType)
	header.Set(echo.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	return deadlineWriter{c.Response(), c}
}
