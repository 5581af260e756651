package views

import (
	"strconv"

	"stockroom/store"
	"stockroom/views/ui"
)

// subscriptionsTable lists subscriptions with the day on which each is paid
// next. Of an account's own, the account is left out.
func subscriptionsTable(p *Page, caption string, rows []store.Subscription, ofOne bool) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Subscription</th>`)
		if !ofOne {
			t.HTML(`<th scope="col">Account</th>`)
		}
		t.HTML(`<th scope="col">Next payment</th><th scope="col" class="p3">Reminder</th>` +
			`<th scope="col" class="num">Amount</th><th scope="col" class="p2">Status</th></tr></thead><tbody>`)
		for i := range rows {
			t.subscriptionRow(&rows[i], ofOne)
		}
		t.HTML(`</tbody>`)
	})
}

func (t table) subscriptionRow(s *store.Subscription, ofOne bool) {
	t.HTML(`<tr><td class="name"><span dir="auto">`)
	t.Text(s.SKU)
	t.HTML(`</span><span class="sub">`)
	t.Text(s.ID)
	t.HTML(`</span><span class="sub m">`)
	t.Badge(subscriptionBadge(s.Status))
	t.HTML(`</span>`)
	if !ofOne {
		t.HTML(`</td><td>`)
		t.Link("/accounts/", s.AccountID, s.AccountID)
	}
	t.HTML(`</td><td>`)
	t.calendar(s.NextPaymentDate)
	if s.Attempt > 0 && s.Live() {
		t.HTML(`<span class="sub">next attempt `)
		t.calendar(s.NextAttemptDate)
		t.HTML(`</span>`)
	}
	t.HTML(`</td><td class="p3">`)
	t.calendar(s.NextReminderDate)
	t.HTML(`</td><td class="num">`)
	t.money(s.PaymentAmount)
	t.HTML(`</td><td class="p2">`)
	t.Badge(subscriptionBadge(s.Status))
	t.HTML(`</td></tr>`)
}

// receiptsTable lists receipts with the day on which each disappears.
func receiptsTable(p *Page, caption string, rows []store.Receipt) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Due</th><th scope="col" class="p2">SKU</th><th scope="col" class="p2">Subscription</th><th scope="col" class="p2">Processed</th>` +
			`<th scope="col" class="num">Amount</th><th scope="col">Deleted on</th></tr></thead><tbody>`)
		for i := range rows {
			r := &rows[i]
			t.HTML(`<tr><td>`)
			t.calendar(r.DueDate)
			t.HTML(`<span class="sub m" dir="auto">`)
			t.Text(r.SKU)
			t.HTML(`</span></td><td class="p2" dir="auto">`)
			t.Text(r.SKU)
			t.HTML(`</td><td class="p2">`)
			t.Text(r.SubscriptionID)
			t.HTML(`</td><td class="p2">`)
			t.time(r.ProcessedDate)
			t.HTML(`</td><td class="num">`)
			t.money(r.ProcessedAmount)
			t.HTML(`</td><td>`)
			t.day(r.Expires)
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

// plannedTable lists what a run would do.
func plannedTable(p *Page, caption string, rows []store.Planned) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Account</th><th scope="col" class="p2">Subscription</th><th scope="col">Action</th><th scope="col" class="num">Amount</th></tr></thead><tbody>`)
		for i := range rows {
			s := &rows[i]
			t.HTML(`<tr><td>`)
			t.Link("/accounts/", s.AccountID, s.AccountID)
			t.HTML(`<span class="sub m">`)
			t.Text(s.SKU)
			t.HTML(`</span></td><td class="p2"><span dir="auto">`)
			t.Text(s.SKU)
			t.HTML(`</span><span class="sub">`)
			t.Text(s.ID)
			t.HTML(`</span></td><td>`)
			t.Text(wouldBe(s))
			t.HTML(`</td><td class="num">`)
			t.money(s.Asking())
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

// wouldBe says what a run would do with a subscription.
func wouldBe(p *store.Planned) string {
	switch p.Step {
	case store.StepRemind:
		return "Send reminder for payment on " + calendar(p.Announced())
	case store.StepRepeat:
		return "Repeat payment attempt (outcome unknown)"
	case store.StepLookUp:
		return "Check payment attempt (outcome unknown)"
	}
	return "Charge payment due " + calendar(p.NextPaymentDate) + ", attempt " + strconv.Itoa(p.Attempt+1)
}

// runsTable lists days of a job.
func runsTable(p *Page, caption string, days []JobDay) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Day</th><th scope="col">State</th><th scope="col" class="num">Done</th><th scope="col" class="num p2">Declined</th>` +
			`<th scope="col" class="num">Failed</th><th scope="col" class="num p2">Amount</th><th scope="col" class="p3">By</th></tr></thead><tbody>`)
		for i := range days {
			day := &days[i]
			t.HTML(`<tr><td><a href="`)
			t.Address(JobPath(day.Job, day.Date))
			t.HTML(`">`)
			t.calendar(day.Date)
			t.HTML(`</a></td><td>`)
			t.State(jobBadge(day.State))
			t.HTML(`</td><td class="num">`)
			t.count(day.Done)
			t.HTML(`</td><td class="num p2">`)
			t.count(day.Declined)
			t.HTML(`</td><td class="num">`)
			t.count(day.Failed)
			t.HTML(`</td><td class="num p2">`)
			t.money(day.Amount)
			t.HTML(`</td><td class="p3" dir="auto">`)
			t.Text(day.By)
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}

// resultsTable lists what came of each account.
func resultsTable(p *Page, caption string, rows []store.JobResult) ui.Written {
	return tableOf(p, caption, func(t table) {
		t.HTML(`<thead><tr><th scope="col">Account</th><th scope="col" class="p2">Subscription</th><th scope="col">Result</th><th scope="col" class="num">Amount</th><th scope="col" class="p3">When</th></tr></thead><tbody>`)
		for i := range rows {
			r := &rows[i]
			t.HTML(`<tr><td>`)
			t.Link("/accounts/", r.AccountID, r.AccountID)
			t.HTML(`</td><td class="p2"><span dir="auto">`)
			t.Text(r.SKU)
			t.HTML(`</span><span class="sub">`)
			t.Text(r.SubscriptionID)
			t.HTML(`</span></td><td>`)
			t.State(outcomeBadge(r.Outcome))
			if r.Why != "" {
				t.HTML(`<span class="sub" dir="auto">`)
				t.Text(r.Why)
				t.HTML(`</span>`)
			}
			t.HTML(`</td><td class="num">`)
			t.money(r.Amount)
			t.HTML(`</td><td class="p3">`)
			t.time(r.When)
			t.HTML(`</td></tr>`)
		}
		t.HTML(`</tbody>`)
	})
}
