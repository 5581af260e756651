package handlers

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"stockroom/store"
)

func TestSettings_ApplyToEveryPage(t *testing.T) {
	t.Parallel()
	b := serveOnly(t, openOrder()[0])
	browser := b.as(t, "admin")
	save := func(version, currency, zone string) answer {
		return browser.post("/admin/settings", url.Values{"currency": {currency}, "timezone": {zone}, "payments": {"record"}, "reminder": {"7"}, "receipt": {"183"}, "access": {"396"}, "idle": {"30"}, "life": {"12"}, "version": {version}, "once": {browser.token("/admin/settings")}})
	}
	if got := save("1", "SEK", "Europe/Stockholm"); got.location != "/admin/settings" {
		t.Fatalf("got status %d, want 303: %s", got.status, got.body)
	}
	page := browser.get("/admin/settings").body
	zones := regexp.MustCompile(`<option value="([^"]*)"></option>`).FindAllStringSubmatch(page, -1)
	if len(zones) < 60 || !strings.Contains(page, `list="time-zones"`) {
		t.Errorf("got %d suggested time zones, want at least 60", len(zones))
	}
	for _, zone := range zones {
		if _, err := time.LoadLocation(zone[1]); err != nil {
			t.Errorf("suggested time zone: %v", err)
		}
	}
	if page := browser.get("/orders").body; !strings.Contains(page, "SEK\u00a0") {
		t.Error("got no amount in SEK, want one")
	}
	if got := save("2", "SEK", "Mars"); got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `value="Mars"`) {
		t.Errorf("unknown time zone: got status %d, want 422 and the input", got.status)
	}
	if got := save("1", "NOK", "UTC"); got.status != http.StatusConflict || !strings.Contains(got.body, "Currently: <b dir=\"auto\">SEK</b>") {
		t.Errorf("form of an old version: got status %d, want 409: %s", got.status, got.body)
	}
}

// TestSettings_LinkOpenAmounts changes the currency of a shop with subscriptions and
// unpaid invoices. The error must link to them.
func TestSettings_LinkOpenAmounts(t *testing.T) {
	b := open(t)
	browser := b.as(t, "admin")
	form := url.Values{"currency": {"SEK"}, "timezone": {"UTC"}, "payments": {"record"}, "reminder": {"7"}, "receipt": {"183"}, "access": {"396"}, "idle": {"30"}, "life": {"12"}, "version": {"1"}, "once": {browser.token("/admin/settings")}}
	got := browser.post("/admin/settings", form)
	_, hint, _ := strings.Cut(got.body, `id="field-currency-error">`)
	hint, _, _ = strings.Cut(hint, "</p>")
	if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.body, `value="SEK"`) {
		t.Fatalf("got status %d, want 422 and the input", got.status)
	}
	for _, want := range []string{
		"You can&#39;t change the currency while amounts in EUR are due. See ",
		`<a href="/subscriptions?status=ACTIVE" dir="auto">active subscriptions</a>`, `href="/subscriptions?status=PAST_DUE"`,
		`href="/subscriptions?status=PAUSED"`, `<a href="/invoices?status=UNPAID" dir="auto">unpaid invoices</a>`,
	} {
		if !strings.Contains(hint, want) {
			t.Errorf("got %q, want %q", hint, want)
		}
	}
	for link := range links(hint) {
		browser.expect(http.MethodGet, link, http.StatusOK)
	}
}

// TestSettings_SetDaysOfSubscriptions checks that numbers of days outside the allowed
// ranges are rejected, and that allowed ones are saved and shown.
func TestSettings_SetDaysOfSubscriptions(t *testing.T) {
	t.Parallel()
	b := serveOnly(t)
	browser := b.as(t, "admin")
	for _, tt := range []struct {
		reminder, receipt, retries string
		field                      string // field with an error, or ""
	}{
		{"28", "30", "", "reminder"},
		{"-1", "30", "", "reminder"},
		{"", "30", "", "reminder"},
		{"0", "0", "", "receipt"},
		{"0", "3661", "", "receipt"},
		{"0", "30", "3, 1", "retries"},
		{"0", "30", "1, 8", "retries"},
		{"0", "30", "0", "retries"},
		{"0", "30", "2, x", "retries"},
		{"0", "30", "2, 5", ""},
	} {
		got := browser.post("/admin/settings", url.Values{
			"currency": {"EUR"}, "timezone": {"UTC"}, "payments": {"record"}, "reminder": {tt.reminder}, "receipt": {tt.receipt}, "retries": {tt.retries}, "access": {"396"}, "idle": {"30"}, "life": {"12"},
			"version": {"1"}, "once": {browser.token("/admin/settings")},
		})
		want := http.StatusUnprocessableEntity
		if tt.field == "" {
			want = http.StatusSeeOther
		}
		if got.status != want || tt.field != "" && !strings.Contains(got.body, `id="field-`+tt.field+`-error"`) {
			t.Errorf("%+v: got status %d, want %d with an error at %q", tt, got.status, want, tt.field)
		}
	}
	settings, err := b.store.As(&store.User{Name: "admin", Role: store.Admin}).CurrentSettings(t.Context())
	if err != nil || settings.ReminderDays != 0 || settings.ReceiptDays != 30 || settings.RetryDays != "2, 5" {
		t.Errorf("got %+v, error %v; want 0 and 30 days, and the retry days 2 and 5", settings, err)
	}
	page := browser.get("/admin/settings").body
	for field, value := range map[string]string{"reminder": "0", "receipt": "30", "retries": "2, 5"} {
		_, input, _ := strings.Cut(page, `id="field-`+field+`"`)
		if input, _, _ = strings.Cut(input, ">"); !strings.Contains(input, `value="`+value+`"`) {
			t.Errorf("%s: got %q, want %s", field, input, value)
		}
	}
}
