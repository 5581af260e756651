package views

// API is the page that describes how programs read lists and records.
type API struct {
	Page
	Origin string // origin of this site, for the example command
	Rows   []APIRow
}

// APIRow is an address that the user may read.
type APIRow struct {
	Path   string // path with parameters such as :id, but without .json or .csv
	Name   string
	HasCSV bool
}

func (r APIRow) suffixes() string {
	if r.HasCSV {
		return ".json, .csv"
	}
	return ".json"
}
