package handlers

import (
	"context"

	"stockroom/store"
	"stockroom/views"
)

// newsPart returns the part of the page Today with the news since the user's last visit.
func (r *request) newsPart() todayPart {
	return todayPart{name: "Since your last visit", cost: newsRequests, own: true, read: showOf(
		func(ctx context.Context) (store.News, error) {
			news, err := r.shop.News(ctx)
			if news.Failure != nil {
				r.site.tools.LogFailure(r.Context, "a visit could not be stored", news.Failure)
			}
			return news, err
		},
		func(page *views.Today, news store.News) { page.News = &news })}
}

// dismissNews hides the news that the form's page showed.
func dismissNews(r *request) error {
	form, err := r.readForm(views.NewestNewsParam)
	if err != nil {
		return err
	}
	if err := r.shop.DismissNews(r.ctx(), form.Get(views.NewestNewsParam)); err != nil {
		return err
	}
	r.site.parts.remove(r.partKey(r.newsPart()))
	return r.redirectWithFlash("Dismissed.", "/")
}
