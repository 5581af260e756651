package handlers

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/jobs"
	"stockroom/store/key"
	"stockroom/store/storetest"
	"stockroom/views"
)

// viewEmails is a site with daily notices turned on. Its user support has an email
// address.
type viewEmails struct {
	*testing.T
	*backOffice
	lists   *ViewReader
	support *store.User
}

func newViewEmails(t *testing.T) *viewEmails {
	v := &viewEmails{T: t, backOffice: open(t, openOrder()...)}
	v.lists = NewViewReader(v.store)
	settings, err := v.store.Settings(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	settings.Notices = true
	if err := v.store.SaveSettings(t.Context(), settings, "test"); err != nil {
		t.Fatal(err)
	}
	v.support = v.withAddress("support")
	return v
}

// withAddress sets an email address for a user, and returns the changed user.
func (v *viewEmails) withAddress(name string) *store.User {
	v.Helper()
	user, err := v.admin().User(v.Context(), name)
	if err != nil {
		v.Fatal(err)
	}
	changed, err := v.store.As(user).ChangeOwnEmail(v.Context(), store.OwnEmail{Email: name + "@example.com", Version: user.Version, Token: v.store.NewToken()})
	if err != nil {
		v.Fatal(err)
	}
	return changed
}

func (v *viewEmails) must(err error) {
	v.Helper()
	if err != nil {
		v.Fatal(err)
	}
}

func (v *viewEmails) admin() store.Access {
	return v.store.As(&store.User{Name: "admin", Role: store.Admin})
}

// save saves a view, sets how often it is emailed to its owner, and returns the ID of
// the view.
func (v *viewEmails) save(owner *store.User, name, path string, frequency store.ViewFrequency) string {
	v.Helper()
	a := v.store.As(owner)
	if err := a.SaveView(v.Context(), store.SavedView{Name: name, Path: path}, false, v.store.NewToken()); err != nil {
		v.Fatal(err)
	}
	saved, err := a.CurrentSavedViews(v.Context())
	if err != nil {
		v.Fatal(err)
	}
	for _, view := range saved.Own {
		if view.Name != name {
			continue
		}
		if err := a.SetViewEmail(v.Context(), view.ID, frequency, view.Version, v.store.NewToken()); err != nil {
			v.Fatal(err)
		}
		return view.ID
	}
	v.Fatalf("got no view %s", name)
	return ""
}

// run runs the daily notices on two servers, one after the other. It returns the number
// of notices that the second one reports as done.
func (v *viewEmails) run(day time.Time) int {
	v.Helper()
	done := 0
	for range 2 {
		runner := jobs.New(jobs.Config{Store: v.store, Processor: jobs.Record{}, Log: slog.New(slog.DiscardHandler), ViewIsEmpty: v.lists.IsEmpty})
		report, err := runner.Run(v.Context(), jobs.RunRequest{Job: store.NoticesJob, Date: day})
		if err != nil || report.Failed > 0 {
			v.Fatalf("run of the notices: got %+v, %v, want no failures", report, err)
		}
		done = report.Done
		if err := runner.Close(); err != nil {
			v.Fatal(err)
		}
	}
	return done
}

// queued returns the number of emails with saved views in the outbox, by user.
func (v *viewEmails) queued() map[string]int {
	v.Helper()
	found := map[string]int{}
	for e, err := range store.Each(func(p store.Page) (store.List[store.Email], error) {
		return v.admin().Emails(v.Context(), store.EmailQueued, p)
	}) {
		if err != nil {
			v.Fatal(err)
		}
		if e.Kind == store.EmailSavedView {
			found[e.User]++
		}
	}
	return found
}

var saturday = storetest.Day(2026, time.November, 21)

func TestViewEmail_SendsRowsOnce(t *testing.T) {
	v := newViewEmails(t)
	v.save(v.support, "My <open> orders", "/orders?status=OPEN", store.ViewDaily)
	v.save(v.support, "Nothing", "/orders?status=OPEN&from=2001-01-01&to=2001-01-02", store.ViewDaily)
	v.save(v.support, "On Mondays", "/orders", store.ViewWeekly)
	v.save(v.support, "Never", "/invoices", store.ViewNever)
	admin := v.as(t, "admin")
	page := admin.get("/jobs/notices/2026-11-21/dry-run?show=views")
	for _, want := range []string{"support@example.com", "My &lt;open&gt; orders, unless the list is empty", "Nothing, unless"} {
		if !strings.Contains(page.body, want) {
			t.Errorf("dry run: got status %d without %q", page.status, want)
		}
	}
	if strings.Contains(page.body, "On Mondays") || strings.Contains(page.body, "Never,") {
		t.Error("dry run: got a view that is not sent on this day")
	}
	v.run(saturday)
	if got := v.queued(); got["support"] != 1 {
		t.Fatalf("got emails %v, want one to support", got)
	}
	if page := admin.get("/jobs/notices/2026-11-21/dry-run?show=views"); strings.Contains(page.body, "open&gt; orders") {
		t.Error("dry run: got a view that was already sent")
	}
	sent := 0
	for _, e := range deliverable(v) {
		if e.Kind != store.EmailSavedView {
			continue
		}
		sent++
		m, err := RenderEmail(v.store, v.lists, "https://shop.example")(t.Context(), &e)
		if err != nil || m.To != "support@example.com" || m.Subject != "My <open> orders on 21 Nov 2026" {
			t.Fatalf("got %q to %s, %v; want the list", m.Subject, m.To, err)
		}
		for _, want := range []string{"list My <open> orders", "https://shop.example/orders?status=OPEN", " · Open · ", "Order ID"} {
			if !strings.Contains(m.Text, want) {
				t.Errorf("got no %q in\n%s", want, m.Text)
			}
		}
		if !strings.Contains(m.HTML, ">Open</td>") {
			t.Errorf("got no status of an order in\n%s", m.HTML)
		}
		if strings.Contains(m.HTML, "<open>") || !strings.Contains(m.HTML, "&lt;open&gt;") {
			t.Errorf("got a name that is not escaped in\n%s", m.HTML)
		}
		if page := admin.get("/emails/" + e.ID); page.status != http.StatusOK || !strings.Contains(page.body, "My &lt;open&gt; orders on 21 Nov 2026") || strings.Contains(page.body, ">Open<") {
			t.Errorf("preview: got status %d, want the subject and no rows", page.status)
		}
	}
	if sent != 1 {
		t.Errorf("got %d emails to support, want 1", sent)
	}
	deliverEmails(t, v.backOffice, jobs.Delivery{Sent: len(deliverable(v))})
}

// TestViewEmail_UsesWordsOfPages emails lists with codes, such as PAID. The emails must
// contain the words of the pages instead, and the most important columns. The list of
// emails must show the names of the views, and the list of views must show their
// frequencies.
func TestViewEmail_UsesWordsOfPages(t *testing.T) {
	v := newViewEmails(t)
	want := map[string]string{
		"/orders":           "Order ID · Customer name · Date · Status · Total · Item count",
		"/invoices":         "Number · Customer name · Date · Status · Amount · Balance due",
		"/shipments":        "Shipment ID · Order ID · Warehouse name · Date · Status · Customer name",
		"/products":         "Name · Price · SKU · Category · On hand · Available",
		"/deliveries":       "Warehouse name · Name · Due · Supplier · Quantity · Open",
		"/transfers":        "Name · Source name · Target name · Sent · Quantity · In transit",
		"/stock/low":        "Warehouse name · Product ID · Name · Quantity · Reorder point",
		"/stores/s1/kayaks": "Kayak ID · Name · Kind · Daily rate · Condition · Status",
		"/customers/c01/statement?from=2026-11-01&to=today": "Day · Kind · Amount · Balance",
	}
	for path := range want {
		v.save(v.support, "List "+path, path, store.ViewDaily)
	}
	v.run(saturday)
	codes := regexp.MustCompile(`· [A-Z]+(_[A-Z]+)*( ·|\n)`)
	found := 0
	for _, e := range deliverable(v) {
		if e.Kind != store.EmailSavedView {
			continue
		}
		m, err := RenderEmail(v.store, v.lists, "")(t.Context(), &e)
		if err != nil {
			t.Fatal(err)
		}
		found++
		_, path, _ := strings.Cut(m.Subject, "List ")
		path, _, _ = strings.Cut(path, " on ")
		if !strings.Contains(m.Text, "\n"+want[path]+"\n") {
			t.Errorf("%s: got no columns %q: %s", path, want[path], m.Text)
		}
		if code := codes.FindString(strings.ReplaceAll(m.Text, " SKU ", " ")); code != "" {
			t.Errorf("%s: got the code %q: %s", path, code, m.Text)
		}
	}
	if found != len(want) {
		t.Errorf("got %d emails, want %d", found, len(want))
	}
	if page := v.as(t, "admin").get("/emails"); !strings.Contains(page.body, "Saved view List /orders</a>") {
		t.Errorf("got a list of emails without the name of a view: %s", content(page.body))
	}
	if page := v.as(t, "support").get("/views"); strings.Count(page.body, "<td>Daily</td>") != len(want) {
		t.Errorf("got a list of views without their frequencies: %s", content(page.body))
	}
}

// TestViewEmail_PrefersValuesToIDs emails a list with more columns than an email can
// have. The columns with IDs must be left out first.
func TestViewEmail_PrefersValuesToIDs(t *testing.T) {
	v := newViewEmails(t)
	v.save(v.support, "Invoices", "/invoices", store.ViewDaily)
	v.run(saturday)
	all := deliverable(v)
	n := slices.IndexFunc(all, func(e store.Email) bool { return e.Kind == store.EmailSavedView })
	if n < 0 {
		t.Fatal("got no email of the view")
	}
	m, err := RenderEmail(v.store, v.lists, "")(t.Context(), &all[n])
	if err != nil || !strings.Contains(m.Text, "Amount") || !strings.Contains(m.Text, "Status") || strings.Contains(m.Text, "Customer ID") {
		t.Errorf("got %v and\n%s\nwant amounts and states instead of IDs", err, m.Text)
	}
}

// deliverable returns the queued emails.
func deliverable(v *viewEmails) (all []store.Email) {
	v.Helper()
	for e, err := range store.Each(func(p store.Page) (store.List[store.Email], error) {
		return v.admin().Emails(v.Context(), store.EmailQueued, p)
	}) {
		if err != nil {
			v.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// TestViewEmail_UsesPresentRole saves several views. Only the view of the manager must be
// emailed. The others must not, for example because their owners may not open the list.
// If the manager is locked before the delivery, this email must not be sent either.
func TestViewEmail_UsesPresentRole(t *testing.T) {
	v := newViewEmails(t)
	manager, locked := v.withAddress("manager"), v.withAddress("viewer")
	v.save(manager, "Mine", "/warehouses/w1/stock", store.ViewDaily)
	v.save(locked, "Locked", "/orders", store.ViewDaily)
	v.save(v.support, "People", "/customers", store.ViewDaily)
	v.save(v.support, "Customers of a rep", "/employees/e01/customers", store.ViewDaily)
	v.save(v.support, "Gone", "/warehouses/none/stock", store.ViewDaily)
	v.save(v.support, "Unknown filter", "/orders?nope=1", store.ViewDaily)
	outsider := v.withAddress("outsider")
	v.save(outsider, "Other", "/warehouses/w1/stock", store.ViewDaily)
	if err := v.store.LockUser(t.Context(), "viewer", "test"); err != nil {
		t.Fatal(err)
	}
	v.run(saturday)
	if got := v.queued(); len(got) != 1 || got["manager"] != 1 {
		t.Errorf("got emails %v, want one to manager", got)
	}
	if err := v.store.LockUser(t.Context(), "manager", "test"); err != nil { // lock the user after the email was queued
		t.Fatal(err)
	}
	for _, e := range deliverable(v) {
		if e.Kind != store.EmailSavedView {
			continue
		}
		if message, err := RenderEmail(v.store, v.lists, "")(context.WithoutCancel(t.Context()), &e); err == nil {
			t.Errorf("got %q for a locked user, want an error", message.Text)
		}
	}
}

func TestViewEmail_IsWeekly(t *testing.T) {
	v := newViewEmails(t)
	v.save(v.support, "Orders", "/orders", store.ViewWeekly)
	v.run(saturday)
	if got := v.queued(); len(got) != 0 {
		t.Errorf("Saturday: got %v, want no email", got)
	}
	v.clock.Advance(48 * time.Hour)
	v.run(saturday.AddDate(0, 0, 2))
	if got := v.queued(); got["support"] != 1 {
		t.Errorf("Monday: got %v, want one email", got)
	}
}

func TestViewEmail_Form(t *testing.T) {
	v := newViewEmails(t)
	id := v.save(v.support, "Orders", "/orders", store.ViewNever)
	support := v.as(t, "support")
	path := "/views/own/" + id
	if page := support.get(path); !strings.Contains(page.body, "Email me this list") {
		t.Fatalf("got status %d, want the form", page.status)
	}
	form := url.Values{"email": {"DAILY"}, "version": {"1"}, "once": {support.token(path)}}
	for range 2 { // submit the same form twice
		support.post(path+"/email", form).want(t, http.StatusSeeOther)
	}
	if page := support.get(path).body; !strings.Contains(page, `value="DAILY" selected`) {
		t.Error("got another frequency, want daily")
	}
	support.post(path+"/email", url.Values{"email": {"never"}, "version": {"1"}}).want(t, http.StatusConflict)
	support.post(path+"/email", url.Values{"email": {"hourly"}, "version": {"2"}}).want(t, http.StatusUnprocessableEntity, "Choose one of the options.")
	v.as(t, "admin").post(path+"/email", url.Values{"email": {"never"}, "version": {"2"}}).want(t, http.StatusNotFound)
	support.post(path+"/email", url.Values{"email": {"never"}, "version": {"2"}}).want(t, http.StatusSeeOther)
	people := v.save(v.support, "People", "/customers", store.ViewNever)
	support.post("/views/own/"+people+"/email", url.Values{"email": {"DAILY"}, "version": {"1"}}).want(t, http.StatusUnprocessableEntity)
	viewer := v.as(t, "viewer")
	viewer.post("/views/new", url.Values{"name": {"Mine"}, "path": {"/orders"}}).want(t, http.StatusSeeOther)
	_, link, _ := strings.Cut(viewer.get("/views").body, `href="/views/own/`)
	link, _, _ = strings.Cut(link, `"`)
	viewer.post("/views/own/"+link+"/email", url.Values{"email": {"DAILY"}, "version": {"1"}}).want(t, http.StatusUnprocessableEntity, "Enter your email address on your account page first.")
}

// TestViewEmail_ChangedAfterQueueing changes the settings of users after their emails
// were queued. The emails must not be sent or retried.
func TestViewEmail_ChangedAfterQueueing(t *testing.T) {
	for name, test := range map[string]struct {
		change func(v *viewEmails, id string)
		want   string
	}{
		"never": {func(v *viewEmails, id string) {
			v.must(v.store.As(v.support).SetViewEmail(v.Context(), id, store.ViewNever, 2, v.store.NewToken()))
		}, "the user no longer gets this list on this day"},
		"deleted": {func(v *viewEmails, id string) {
			v.must(v.store.As(v.support).DeleteView(v.Context(), false, id, 2, v.store.NewToken()))
		}, "the saved view was deleted"},
		"locked": {func(v *viewEmails, _ string) {
			v.must(v.store.LockUser(v.Context(), "support", "test"))
		}, "the user is locked"},
		"other address": {func(v *viewEmails, _ string) {
			_, err := v.store.As(v.support).ChangeOwnEmail(v.Context(), store.OwnEmail{Email: "new@example.com", Version: v.support.Version, Token: v.store.NewToken()})
			v.must(err)
		}, "the email address of the user has changed"},
	} {
		t.Run(name, func(t *testing.T) {
			v := newViewEmails(t)
			id := v.save(v.support, "Orders", "/orders", store.ViewDaily)
			v.run(saturday)
			all := deliverable(v)
			var view store.Email
			for _, e := range all {
				if e.Kind == store.EmailSavedView {
					view = e
				}
			}
			test.change(v, id)
			deliverEmails(t, v.backOffice, jobs.Delivery{Sent: len(all) - 1, Failed: 1})
			e, err := v.admin().Email(t.Context(), view.ID)
			if err != nil || e.Status != store.EmailFailed || !strings.Contains(e.Response, test.want) {
				t.Errorf("got status %s and %q, %v; want FAILED and %q", e.Status, e.Response, err, test.want)
			}
		})
	}
}

// TestViewEmail_RoleChangedAfterQueueing changes the scope or the role of a manager whose
// emails are queued. Emails that the manager may no longer get must fail.
func TestViewEmail_RoleChangedAfterQueueing(t *testing.T) {
	for name, test := range map[string]struct {
		role  store.Role
		scope []string
		kind  store.EmailKind
		want  string
	}{
		"other warehouse": {store.Manager, []string{"w2"}, store.EmailSavedView, "could not be written"},
		"support":         {store.Support, nil, store.EmailManagerNotice, "the user no longer gets daily notices"},
	} {
		t.Run(name, func(t *testing.T) {
			v := newViewEmails(t)
			manager := v.withAddress("manager")
			manager, err := v.store.As(manager).ChangeOwnEmail(t.Context(), store.OwnEmail{Email: manager.Email, Notices: true, Version: manager.Version, Token: v.store.NewToken()})
			v.must(err)
			v.save(manager, "Mine", "/warehouses/w1/stock", store.ViewDaily)
			v.run(saturday)
			all := deliverable(v)
			v.must(v.admin().ChangeRole(t.Context(), "manager", manager.Version, test.role, test.scope, nil, v.store.NewToken()))
			deliverEmails(t, v.backOffice, jobs.Delivery{Sent: len(all) - 1, Failed: 1})
			failed := 0
			for _, queued := range all {
				e, err := v.admin().Email(t.Context(), queued.ID)
				v.must(err)
				if e.Status == store.EmailFailed && e.Kind == test.kind && strings.Contains(e.Response, test.want) {
					failed++
				}
			}
			if failed != 1 {
				t.Errorf("got %d failed emails of kind %s with %q, want 1", failed, test.kind, test.want)
			}
		})
	}
}

// TestViewEmail_UndoOfDeletion deletes a view and undoes the deletion. The view must be
// emailed again.
func TestViewEmail_UndoOfDeletion(t *testing.T) {
	v := newViewEmails(t)
	id := v.save(v.support, "Orders", "/orders", store.ViewWeekly)
	support := v.as(t, "support")
	support.post("/views/own/"+id+"/delete", url.Values{"version": {"2"}}).want(t, http.StatusSeeOther)
	deleted := newestEvent(t, v.backOffice, "user#support")
	undo := support.get(views.UndoPath(deleted.Partition, deleted.ID))
	undo.want(t, http.StatusOK, "Emails", "WEEKLY")
	form := formIn(undo)
	support.post("/undo", form).want(t, http.StatusSeeOther)
	restored, err := v.store.As(v.support).SavedView(t.Context(), false, id)
	if err != nil || restored.Email != store.ViewWeekly {
		t.Errorf("got %+v, %v; want the view with weekly emails", restored, err)
	}
}

// TestViewEmail_PanicFailsOneNotice causes a panic while the list of one view is read.
// The other view must still be emailed.
func TestViewEmail_PanicFailsOneNotice(t *testing.T) {
	v := newViewEmails(t)
	v.save(v.support, "Broken", "/invoices", store.ViewDaily)
	v.save(v.support, "Orders", "/orders", store.ViewDaily)
	runner := jobs.New(jobs.Config{
		Store: v.store, Processor: jobs.Record{}, Log: slog.New(slog.DiscardHandler),
		ViewIsEmpty: func(ctx context.Context, user *store.User, path string) (bool, error) {
			if path == "/invoices" {
				panic("broken item")
			}
			return v.lists.IsEmpty(ctx, user, path)
		},
	})
	defer runner.Close()
	report, err := runner.Run(t.Context(), jobs.RunRequest{Job: store.NoticesJob, Date: saturday})
	if err != nil || report.Failed != 1 {
		t.Errorf("got %+v, %v; want one failed notice", report, err)
	}
	if got := v.queued(); got["support"] != 1 {
		t.Errorf("got emails %v, want one to support", got)
	}
	v.as(t, "admin").get("/jobs/notices/2026-11-21").want(t, http.StatusOK, "failed because of a bug in Stockroom: broken item")
}

// TestViewEmail_RejectsUnreadableList turns on emails for lists that cannot be read, for
// example because of an unknown filter. The form must be rejected with the reason.
func TestViewEmail_RejectsUnreadableList(t *testing.T) {
	v := newViewEmails(t)
	support := v.as(t, "support")
	for path, want := range map[string]string{
		"/orders?nope=1":          "This page has no filter called “nope”.",
		"/orders?status=nonsense": "This list can&#39;t be emailed.",
		"/warehouses/none/stock":  "This list can&#39;t be emailed.",
	} {
		id := v.save(v.support, "View of "+path, path, store.ViewNever)
		form := url.Values{"email": {"DAILY"}, "version": {"1"}}
		support.post("/views/own/"+id+"/email", form).want(t, http.StatusUnprocessableEntity, want)
		form.Set("email", "never")
		support.post("/views/own/"+id+"/email", form).want(t, http.StatusSeeOther)
	}
}

// TestViewEmail_KeepsRequestBound turns on emails for a list of 25 years in which few
// orders match the filter. The form must not make more requests than the bound in its
// route.
func TestViewEmail_KeepsRequestBound(t *testing.T) {
	v := newViewEmails(t)
	support := v.as(t, "support")
	for _, row := range routes(http.NotFoundHandler()) {
		if row.path != "/views/:whose/:id/email" {
			continue
		}
		id := v.save(v.support, "Years", "/orders?from=2001-01-01&status=CANCELLED", store.ViewNever)
		before := v.db.requests.Load()
		support.post("/views/own/"+id+"/email", url.Values{"email": {"DAILY"}, "version": {"1"}}).want(t, http.StatusSeeOther)
		bound := row.reads.requests + row.reads.shard*key.DefaultShards
		if got := int(v.db.requests.Load() - before); got > bound {
			t.Errorf("got %d table requests, want at most %d", got, bound)
		}
		return
	}
	t.Error("got no route for emails of a view")
}

// TestViewEmail_ReadsSomePages reads a list of 50 years without orders, as the daily
// notices do. The number of requests must be limited.
func TestViewEmail_ReadsSomePages(t *testing.T) {
	v := newViewEmails(t)
	before := v.db.requests.Load()
	empty, err := v.lists.IsEmpty(t.Context(), v.support, "/orders?from=1971-01-01&to=2020-01-01")
	bound := int64(2 + maxViewPages*(listReads+3*key.DefaultShards))
	if got := v.db.requests.Load() - before; err != nil || !empty || got > bound {
		t.Errorf("got %v, %v and %d requests, want an empty list and at most %d", empty, err, got, bound)
	}
}

// TestViewEmail_OfIDWithSpace checks that an email can read the list of a product whose
// ID contains a space.
func TestViewEmail_OfIDWithSpace(t *testing.T) {
	b := open(t, &store.Product{ID: "sea kayak", Name: "Sea kayak", Version: 1}, &store.WarehouseItem{ProductID: "sea kayak", WarehouseID: "w1", Quantity: 3, Version: 1})
	empty, err := NewViewReader(b.store).IsEmpty(t.Context(), &store.User{Name: "viewer", Role: store.Viewer}, "/products/sea%20kayak/stock")
	if err != nil || empty {
		t.Errorf("got %v, %v, want the rows of the list", empty, err)
	}
}
