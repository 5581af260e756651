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

// maxUpload is the most that files may have which are sent to one of the
// paths that take them, in bytes. They are read into memory.
const maxUpload = 16 << 20

// uploadTime is how long files may take to arrive, and what is done with them
// until it is answered.
const uploadTime = 5 * time.Minute

// Upload is a file that was sent.
type Upload struct {
	Name    string
	Content []byte
}

// ReadUpload reads a form with files, which has these fields and no other,
// each once. All files come in one field of the form.
func ReadUpload(c echo.Context, files string, fields ...string) (Form, []Upload, error) {
	kind, _, err := mime.ParseMediaType(c.Request().Header.Get(echo.HeaderContentType))
	if err != nil || kind != echo.MIMEMultipartForm {
		return Form{}, nil, echo.NewHTTPError(http.StatusUnsupportedMediaType, "This address takes forms with files only.")
	}
	control, until := http.NewResponseController(c.Response()), time.Now().Add(uploadTime)
	if err := errors.Join(control.SetReadDeadline(until), control.SetWriteDeadline(until)); err != nil {
		return Form{}, nil, err
	}
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
			return Form{}, nil, echo.NewHTTPError(http.StatusBadRequest, fmt.Sprintf("This form has no field called %q, or it is given twice.", name))
		default:
			form.values[name] = []string{string(content)}
		}
	}
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return Form{}, nil, tooLarge
	}
	return Form{}, nil, echo.NewHTTPError(http.StatusBadRequest, "The form could not be read.")
}

// Download begins a file that is written bit by bit; each has a time of its
// own to leave.
func Download(c echo.Context, name, contentType string) io.Writer {
	header := c.Response().Header()
	header.Set(echo.HeaderContentType, contentType)
	header.Set(echo.HeaderContentDisposition, mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	return patient{c.Response(), http.NewResponseController(c.Response())}
}
