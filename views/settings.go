package views

import "stockroom/views/ui"

// Settings are those of the whole business. The form posts currency and
// timezone to /admin/settings.
type Settings struct {
	Page
	Version            int // of the settings that are shown
	Shards, ShardsRead int
	Code, TimeZone     ui.Input // the currency and the zone, as typed
	CodeNow            string   // where somebody else changed it meanwhile
	TimeZoneNow        string   // likewise
	Token              string
}
