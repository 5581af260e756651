package handlers

import (
	"stockroom/store"
	"stockroom/views"
)

// showModel shows the keys of all entities, or the whole design as JSON.
func showModel(r *request) error {
	if _, err := r.query(); err != nil {
		return err
	}
	text, err := store.DesignJSON()
	if err != nil {
		return err
	}
	if r.wantsFile() {
		return r.JSONBlob(200, text)
	}
	return r.show(views.ModelPage(views.Model{Page: r.page("Model"), JSON: string(text)}))
}
