package handlers

import (
	_ "embed"
	"net/http"

	"stockroom/views"
)

// apiDescription is the OpenAPI 3.1 description of all lists and records that programs
// can read. TestAPI_IsCurrent writes it if it runs with -update.
//
//go:embed openapi.json
var apiDescription []byte

// openAPI is the content type of apiDescription; see
// https://datatracker.ietf.org/doc/draft-ietf-httpapi-rest-api-mediatypes/
const openAPI = "application/vnd.oai.openapi+json;version=3.1"

// showAPI shows how programs can read lists and records. For JSON, it sends the OpenAPI
// description. The history does not record this download, because the description contains
// no business data.
func showAPI(r *request) error {
	if _, err := r.query(); err != nil {
		return err
	}
	if r.wantsFile() {
		return r.Blob(http.StatusOK, openAPI, apiDescription)
	}
	p := views.API{Origin: r.site.tools.Origin(r.Context)}
	for i := range r.site.rows {
		row := &r.site.rows[i]
		if row.formats != none && row.path != "/api" && r.user.May(row.permission) {
			p.Rows = append(p.Rows, views.APIRow{Path: row.path, Name: row.name, HasCSV: row.formats == list})
		}
	}
	p.Page = r.page("API")
	return r.show(views.APIPage(p))
}
