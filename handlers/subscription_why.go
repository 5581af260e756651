package handlers

import (
	"cmp"
	"errors"
	"time"

	"stockroom/store"
	"stockroom/views"
	"stockroom/web"
)

// showWhyCharged shows whether a subscription is charged on a day, by default today, and
// why.
func showWhyCharged(r *request) error {
	q, err := r.query("day")
	if err != nil {
		return err
	}
	s, err := r.shop.Subscription(r.ctx(), r.id(), r.param("subscription"), r.param("sku"))
	if err != nil {
		return err
	}
	day, err := r.shop.Today(r.ctx())
	if err != nil {
		return err
	}
	if text := q.Get("day"); text != "" {
		first, last, ok := web.ParseDays(text, r.now())
		if !ok || !first.Equal(last) {
			q.Fail("day", "Enter one day, such as 2026-11-21 or yesterday.")
		}
		day = first
	}
	p := views.WhyCharged{Subscription: *s}
	if len(q.Errors) == 0 {
		p.Answer, err = r.shop.WhyCharged(r.ctx(), s.AccountID, s.ID, s.SKU, day)
		var rejected *store.Error
		switch {
		case errors.As(err, &rejected) && rejected.Kind == store.Invalid:
			q.Fail("day", rejected.Message)
		case err != nil:
			return err
		}
	}
	p.Input = queryInput(q, "day")
	p.Input.Value = cmp.Or(p.Input.Value, day.Format(time.DateOnly))
	p.Page = r.page("Why was it charged?")
	return r.site.tools.RenderStatus(r.Context, q.Status(), views.WhyChargedPage(p))
}
