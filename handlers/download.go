package handlers

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"stockroom/store"
	"stockroom/web"
)

// recordTimeout limits the time for recording a download. It is short, because the
// client waits for it.
const recordTimeout = time.Second

// recordDownload records the download in the history if the response is a file. It does so
// even after an error or a disconnect, because the client may have received a part of the
// file.
func (r *request) recordDownload(stopped bool) {
	file, user := web.FileOf(r.Context), web.SignedInUser(r.Context)
	if file == nil || user == nil || r.Request().Method == http.MethodHead || !r.Response().Committed {
		return
	}
	d := store.Download{User: user, Name: file.Name, Kind: file.Name, Rows: file.Rows, Stopped: stopped}
	if d.Name == "" {
		d.Name, d.Kind = r.downloadAddress(), r.Path()+r.extension()
	}
	if web.IsViewing(r.Context) {
		d.Viewed = r.user
	}
	if token := web.AccessToken(r.Context); token != nil {
		d.Token = token.Name
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.ctx()), recordTimeout)
	defer cancel()
	if err := r.site.store.RecordDownload(ctx, d); err != nil {
		r.site.tools.LogFailure(r.Context, "download not recorded", err)
	}
}

// extension returns the extension in the address of the file, such as .csv. It returns ""
// for a PDF, which has an address without one.
func (r *request) extension() string {
	if f := web.FormatOf(r.Context); f != web.HTML {
		return "." + string(f)
	}
	return ""
}

// personalFilters are the filters whose values identify a person. The history does not
// contain these values, because they would remain after the person's data is erased.
var personalFilters = []string{"q", "name", "email", "phone", "person"}

// downloadAddress returns the address of the file, for the history. It hides the values of
// personalFilters.
func (r *request) downloadAddress() string {
	address := r.Request().URL.Path + r.extension()
	query := r.Request().URL.Query()
	var filters []string
	for name, values := range query {
		for _, value := range values {
			if slices.Contains(personalFilters, name) {
				value = "(hidden)"
			} else {
				value = url.QueryEscape(value)
			}
			filters = append(filters, url.QueryEscape(name)+"="+value)
		}
	}
	if len(filters) == 0 {
		return address
	}
	slices.Sort(filters)
	return address + "?" + strings.Join(filters, "&")
}
