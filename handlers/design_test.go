package handlers

import (
	"encoding/json"
	"testing"
)

func TestModel_AsJSON(t *testing.T) {
	b := open(t)
	got := b.as(t, "admin").get("/data/model.json")
	var model map[string]any
	if err := json.Unmarshal([]byte(got.body), &model); err != nil || model["accessPatterns"] == nil || model["online shop"] == nil {
		t.Errorf("got %s (%v), want JSON with patterns and entities", got.body, err)
	}
}
