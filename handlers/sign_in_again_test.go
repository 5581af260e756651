package handlers

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"stockroom/store"
)

var (
	hiddenField = regexp.MustCompile(`<input type="hidden" name="([^"]*)" value="([^"]*)">`)
	keptAction  = regexp.MustCompile(`<form[^>]* action="([^"]*)"`)
)

func hiddenFields(page string) url.Values {
	fields := url.Values{}
	for _, f := range hiddenField.FindAllStringSubmatch(page, -1) {
		fields.Add(html.UnescapeString(f[1]), html.UnescapeString(f[2]))
	}
	return fields
}

// endSessions lets all sessions expire.
func (b *backOffice) endSessions(t *testing.T) {
	t.Helper()
	b.clock.Advance(store.SessionLife)
}

// TestForm_SentAfterSignIn submits a form after the session has ended, and signs in on
// the page that follows. The page after sign-in must contain the form, so that it can be
// submitted again.
func TestForm_SentAfterSignIn(t *testing.T) {
	b := open(t)
	browser := b.as(t, "support")
	b.endSessions(t)
	const typed = "He called & said <script>\"twice\"</script>"
	note := url.Values{"note": {typed}, "once": {tokenFor("note")}}
	asked := browser.post("/customers/c01/notes?x=1", note)
	if asked.status != http.StatusUnauthorized || !strings.Contains(asked.body, "Your session has ended. Sign in to send what you entered.") || strings.Contains(asked.body, "<script>\"") {
		t.Fatalf("got status %d, want 401 and the reason:\n%s", asked.status, asked.body)
	}
	login := hiddenFields(asked.body)
	login.Set("username", "support")
	login.Set("password", "wrong")
	again := browser.post("/login", login)
	if again.status != http.StatusUnprocessableEntity || hiddenFields(again.body).Get("form") != login.Get("form") {
		t.Fatalf("wrong password: got status %d, want 422 and the form:\n%s", again.status, again.body)
	}
	login.Set("password", password)
	offered := browser.post("/login", login)
	action := keptAction.FindStringSubmatch(offered.body)
	if offered.status != http.StatusOK || action == nil || html.UnescapeString(action[1]) != "/customers/c01/notes?x=1" || !strings.Contains(offered.body, "data-send") {
		t.Fatalf("got status %d, want a page with the form:\n%s", offered.status, offered.body)
	}
	fields := hiddenFields(offered.body)
	if fields.Get("note") != typed || fields.Has("password") {
		t.Fatalf("got fields %v, want what was entered", fields)
	}
	for range 2 { // submit the form twice; the second submission must change nothing
		if sent := browser.post("/customers/c01/notes?x=1", fields); sent.status != http.StatusSeeOther {
			t.Fatalf("got status %d, want 303: %s", sent.status, sent.body)
		}
	}
	if got := strings.Count(browser.get("/customers/c01").body, html.EscapeString(typed)); got != 1 {
		t.Errorf("got %d notes, want 1", got)
	}
}

// TestForm_NotSentForOthers submits a form without a session, and then signs in: as
// another user than before, in a browser where nobody had signed in, and with a changed
// form. In none of these cases may a script submit the form.
func TestForm_NotSentForOthers(t *testing.T) {
	b := open(t)
	reader := b.as(t, "support")
	b.endSessions(t)
	asked := reader.post("/customers/c01/notes", url.Values{"note": {"mine"}})
	kept := hiddenFields(asked.body).Get("form")
	login := func(in *browser, name, kept string) answer {
		return in.post("/login", url.Values{"username": {name}, "password": {password}, "form": {kept}})
	}
	other := login(reader, "admin", kept)
	if page := reader.get("/"); other.location != "/" || !strings.Contains(page.body, "The form was not sent, because another user filled it in.") || strings.Contains(page.body, "mine") {
		t.Errorf("another user: got redirect to %q", other.location)
	}
	elsewhere := b.browser(t)
	unknown := hiddenFields(elsewhere.post("/customers/c01/notes", url.Values{"note": {"mine"}}).body).Get("form")
	if got := login(elsewhere, "support", unknown); !strings.Contains(got.body, "Send form") || strings.Contains(got.body, "data-send") {
		t.Errorf("unknown browser: got %d, want a form that waits for a click:\n%s", got.status, got.body)
	}
	for what, kept := range map[string]string{"changed": kept[:len(kept)-4] + "AAAA", "made up": "x"} {
		if got := login(b.browser(t), "support", kept); got.location != "/" {
			t.Errorf("%s: got status %d to %q, want a redirect to Today", what, got.status, got.location)
		}
	}
	if got := reader.get("/customers/c01").body; strings.Contains(got, "mine") {
		t.Error("got the note, want none")
	}
}

// TestForm_ShownInItsOrder submits the form of a product after the session has ended. After
// sign-in, the page must show the fields in their order, with their labels, and the
// product.
func TestForm_ShownInItsOrder(t *testing.T) {
	b := open(t)
	admin := b.browser(t)
	admin.signIn("admin", password)
	b.endSessions(t)
	r := admin.request(http.MethodPost, "/products/p07/edit", "sku=A-1&name=Lamp&category=Lamps&once="+tokenFor("product"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	login := hiddenFields(admin.do(r).body)
	login.Set("username", "admin")
	login.Set("password", password)
	page := admin.post("/login", login).body
	var labels []string
	for _, label := range regexp.MustCompile(`<dt>([^<]*)</dt>`).FindAllStringSubmatch(page, -1) {
		labels = append(labels, label[1])
	}
	if got, want := strings.Join(labels, ", "), "SKU, Name, Category"; got != want || !strings.Contains(page, `<a href="/products/p07">Product p07</a>`) {
		t.Errorf("got the fields %q, want %q and a link to the product: %s", got, want, content(page))
	}
}

// TestForm_OfEarlierUser checks that sign-in does not show a form that another user
// of the same browser filled in.
func TestForm_OfEarlierUser(t *testing.T) {
	b := open(t, openOrder()...)
	shared := b.browser(t)
	shared.signIn("support", password)
	form := url.Values{"note": {"a private remark"}, "once": {shared.token("/orders/open")}}
	shared.signIn("admin", password)
	b.endSessions(t)
	kept := hiddenFields(shared.post("/orders/open/notes", form).body).Get("form")
	got := shared.post("/login", url.Values{"username": {"admin"}, "password": {password}, "form": {kept}})
	if kept == "" || got.location != "/" || strings.Contains(got.body, "private remark") {
		t.Errorf("got status %d to %q, want a redirect to Today without the note: %s", got.status, got.location, content(got.body))
	}
}

// TestForm_NotKept submits forms with passwords, a card number, a long value and files. The
// browser has no session. The sign-in page must not keep these values, except the last four
// digits of the card.
func TestForm_NotKept(t *testing.T) {
	b := open(t)
	browser := b.browser(t)
	if got := browser.post("/account/password", url.Values{"old": {"secret"}, "password": {"secret"}, "again": {"secret"}}); got.location != "/login" || strings.Contains(got.body, "secret") {
		t.Errorf("passwords: got status %d to %q, want a redirect to /login", got.status, got.location)
	}
	got := browser.post("/accounts/c01/subscribe", url.Values{"sku": {"PLAN"}, "card": {"4111 1111 1111 1111"}})
	login := hiddenFields(got.body)
	login.Set("username", "support")
	login.Set("password", password)
	if fields := hiddenFields(browser.post("/login", login).body); fields.Get("card") != "1111" || fields.Get("sku") != "PLAN" {
		t.Errorf("card: got fields %v, want the last four digits only", fields)
	}
	browser = b.browser(t)
	long := browser.post("/customers/c01/notes", url.Values{"note": {strings.Repeat("x", 20<<10)}})
	if long.status != http.StatusUnauthorized || !strings.Contains(long.body, "too long to keep") || hiddenFields(long.body).Has("form") {
		t.Errorf("long form: got status %d, want 401 and no form", long.status)
	}
	for from, action := range map[string]string{
		b.URL + "/admin/settings?tab=logo": "/login?next=%2Fadmin%2Fsettings%3Ftab%3Dlogo", "": "/login", "https://evil.example/x": "/login",
	} {
		upload := browser.request(http.MethodPost, "/admin/settings/logo", "--x--")
		upload.Header.Set("Content-Type", "multipart/form-data; boundary=x")
		upload.Header.Set("Referer", from)
		got := browser.do(upload)
		if got.status != http.StatusUnauthorized || !strings.Contains(got.body, "no file was uploaded") {
			t.Errorf("files: got status %d, want 401 and the reason", got.status)
		}
		if form := keptAction.FindStringSubmatch(got.body); form == nil || html.UnescapeString(form[1]) != action {
			t.Errorf("files sent from %q: got the form %q, want the action %q", from, form, action)
		}
	}
	search := browser.request(http.MethodGet, "/search?q=x", "")
	search.Header.Set("HX-Request", "true")
	if got := browser.do(search); got.status != http.StatusUnauthorized {
		t.Errorf("search while typing: got status %d, want 401", got.status)
	}
	cross := browser.request(http.MethodPost, "/customers/c01/notes", "note=x")
	cross.Header.Set("Sec-Fetch-Site", "cross-site")
	if got := browser.do(cross); got.status != http.StatusForbidden {
		t.Errorf("other site: got status %d, want 403", got.status)
	}
}

// TestForm_SentByHand submits refunds and admin forms after the session has ended. After
// sign-in, the page must show their values and wait for a click.
func TestForm_SentByHand(t *testing.T) {
	b := open(t)
	for path, form := range map[string]url.Values{
		"/admin/users/support/role": {"role": {"admin"}, "version": {"1"}},
		"/products/new":             {"name": {"admin"}},
		"/invoices/i1/refund":       {"amount": {"admin"}},
	} {
		browser := b.as(t, "admin")
		b.endSessions(t)
		form.Set("once", b.store.NewToken())
		login := hiddenFields(browser.post(path, form).body)
		login.Set("username", "admin")
		login.Set("password", password)
		page := browser.post("/login", login).body
		if !strings.Contains(page, "Send form") || strings.Contains(page, "data-send") {
			t.Errorf("%s: got a form that a script sends, want one that waits for a click", path)
		}
		if !strings.Contains(page, `<dd dir="auto" class="lines">admin</dd>`) || strings.Contains(page, "<dt>Once</dt>") || strings.Contains(page, "<dt>Version</dt>") {
			t.Errorf("%s: got another list of fields than the entered ones:\n%s", path, page)
		}
		if got, want := hiddenFields(page).Get("once"), browser.signedToken(form.Get("once")); got != want {
			t.Errorf("%s: got token %q, want %q", path, got, want)
		}
	}
}

var labelledField = regexp.MustCompile(`(?s)<label[^>]* for="([^"]*)"[^>]*>(.*?)</label>`)

// TestForm_SentByHandShowsLabels collects the fields of forms with their labels, and
// submits all of them as one form in a browser without a session. On the page after
// sign-in, the name of each field must contain at least one word of its label, except for
// the labels in otherLabels. Fields that only the program uses must not appear.
func TestForm_SentByHandShowsLabels(t *testing.T) {
	b := open(t, openOrder()...)
	admin := b.as(t, "admin")
	labels := map[string][]string{} // labels by field name
	for i := range b.site.rows {
		row := &b.site.rows[i]
		address := matrix["GET "+row.path].address
		if row.method != http.MethodGet || address == "" || row.path == "/login" || row.permission == store.SignedIn || strings.HasPrefix(row.path, "/data/") {
			continue
		}
		for _, form := range changeForm.FindAllString(admin.get(address).body, -1) {
			for _, label := range labelledField.FindAllStringSubmatch(form, -1) {
				control := regexp.MustCompile(`<(?:input|select|textarea)[^>]* id="` + regexp.QuoteMeta(label[1]) + `"[^>]*>`).FindString(form)
				if name := fieldName.FindStringSubmatch(control); name != nil {
					labels[name[1]] = append(labels[name[1]], label[2])
				}
			}
		}
	}
	if len(labels) < 60 {
		t.Fatalf("got %d fields, want at least 60: %v", len(labels), labels)
	}
	form := url.Values{evil: {evil}, "": {"nameless"}}
	for _, name := range []string{"rep-was", "rep-id", "do", store.FieldShown, "base-1", "was-1", "confirmed", "confirmed-1", "first", "more", "page", "return", "rows", "same-phone", "tab", "tabs", "unread"} {
		form.Set(name, "hidden")
	}
	for name := range labels {
		form.Set(name, "value of "+name)
	}
	delete(labels, "card") // keeps only the last digits
	stranger := b.browser(t)
	login := hiddenFields(stranger.post("/products/new", form).body)
	login.Set("username", "admin")
	login.Set("password", password)
	page := stranger.post("/login", login).body
	for name, all := range labels {
		shown := regexp.MustCompile(`<dt>([^<]*)</dt><dd dir="auto" class="lines">value of ` + regexp.QuoteMeta(name) + `</dd>`).FindStringSubmatch(page)
		if shown == nil {
			t.Errorf("%s: got no label, want one", name)
			continue
		}
		for _, label := range all {
			if !shareWord(shown[1], label) && !slices.Contains(otherLabels, label) {
				t.Errorf("%s: got the label %q, want a word of %q", name, shown[1], label)
			}
		}
	}
	if strings.Contains(page, ">hidden<") || executable(page) != "" {
		t.Errorf("got fields that only the program uses, or a page that runs %s: %s", executable(page), page)
	}
}

// otherLabels lists labels that the page replaces, because most forms use another label for
// a field of the same name.
var otherLabels = []string{"Email address", "Expected date", "Work done", "Ship from", "Restock at", "Other record"}

var fieldName = regexp.MustCompile(` name="([^"]*)"`)

// shareWord reports whether a and b contain the same word.
func shareWord(a, b string) bool {
	wordsOf := func(text string) []string {
		return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	}
	words := wordsOf(b)
	return slices.ContainsFunc(wordsOf(a), func(word string) bool { return slices.Contains(words, word) })
}

// TestForm_SentByHandShowsValues submits forms after the session has ended. After sign-in,
// the page must show the chosen options in the words of the form, and amounts and days as
// other pages show them. It must submit the values as they were entered.
func TestForm_SentByHandShowsValues(t *testing.T) {
	b := open(t, openOrder()...)
	for _, tt := range []struct {
		path string
		form url.Values
		want []string
	}{
		{"/invoices/iopen/pay", url.Values{"voucher-kind": {"GiftCard"}, "rest-method": {"BankTransfer"}}, []string{"Gift card", "Bank transfer"}},
		{"/stores/s1/check-out", url.Values{"deposit-method": {"CARD"}, "deposit": {"50"}, "rate": {"12.5"}, "due": {"2026-12-01"}}, []string{"Card", "€50.00", "€12.50", "1 Dec 2026"}},
		{"/stores/s1/return", url.Values{"charge": {"1250"}, "keep": {"some"}}, []string{"€1,250.00", "some"}},
		{"/shipments/sopen/forward", url.Values{"to": {"SENT"}}, []string{"Shipped"}},
		{"/invoices/iopen/refund", url.Values{"amount": {"1250,5"}, "credit": {"3"}}, []string{"€1,250.50", "€3.00"}},
		{"/products/p07/edit", url.Values{"price": {"1250"}, "sku": {"2026-12-01"}}, []string{"€1,250.00", "2026-12-01"}},
		{"/deliveries/new", url.Values{"due": {"2026-12-01"}, "quantity": {"1250"}}, []string{"1 Dec 2026", "1250"}},
		{"/admin/settings", url.Values{"payments": {"stripe"}, "second-factor": {"MANAGER"}}, []string{"Stripe: charge customers", "Required for admins and managers"}},
	} {
		stranger := b.browser(t)
		tt.form.Set("once", b.store.NewToken())
		login := hiddenFields(stranger.post(tt.path, tt.form).body)
		login.Set("username", "admin")
		login.Set("password", password)
		page := stranger.post("/login", login).body
		for _, want := range tt.want {
			if !strings.Contains(page, `<dd dir="auto" class="lines">`+want+`</dd>`) {
				t.Errorf("%s: got no %q in %s", tt.path, want, content(page))
			}
		}
		for name, values := range tt.form {
			if got := hiddenFields(page).Get(name); name != "once" && got != values[0] {
				t.Errorf("%s: got %s %q, want %q", tt.path, name, got, values[0])
			}
		}
	}
}

// TestForm_KeptMasksCards submits payments in browsers without a session. The page after
// sign-in must show only the last digits of card numbers. It must show the whole
// reference of a bank transfer. A payment with a masked number must be rejected.
func TestForm_KeptMasksCards(t *testing.T) {
	b := open(t, openOrder()...)
	for _, tt := range []struct {
		form         url.Values
		want, reject string
	}{
		{url.Values{"rest-method": {"Visa"}, "rest-reference": {"4111 1111 1111 1111"}, "rest-amount": {"1"}}, "•••• 1111", "Enter only the last four digits"},
		{url.Values{"rest-method": {"Cash"}, "rest-reference": {"4111 1111 1111 1111"}, "rest-amount": {"1"}}, "•••• 1111", "Enter a reference without a number"},
		{url.Values{"voucher-kind": {"GiftCard"}, "voucher-code": {"4111 1111 1111 1111"}, "voucher-amount": {"1"}}, "•••• 1111", "Enter the code of the gift card or discount"},
		{url.Values{"rest-method": {"BankTransfer"}, "rest-reference": {"RF18 5390 0754 7035"}, "rest-amount": {"1"}}, "RF18 5390 0754 7035", ""},
	} {
		stranger := b.browser(t)
		tt.form.Set("version", "1")
		tt.form.Set("once", b.store.NewToken())
		login := hiddenFields(stranger.post("/invoices/iopen/pay", tt.form).body)
		login.Set("username", "support")
		login.Set("password", password)
		page := stranger.post("/login", login).body
		if strings.Contains(page, "4111 1111") || !strings.Contains(page, tt.want) {
			t.Errorf("%v: got the card number, or not %q: %s", tt.form, tt.want, content(page))
		}
		sent := stranger.post("/invoices/iopen/pay", hiddenFields(page))
		if (sent.status == http.StatusSeeOther) != (tt.reject == "") || !strings.Contains(sent.body, tt.reject) {
			t.Errorf("%v: got status %d, want it sent or rejected with %q: %s", tt.form, sent.status, tt.reject, content(sent.body))
		}
	}
}
