package store

import (
	"context"
	"slices"
	"strings"

	"stockroom/store/key"
)

// SavedViews contains the views in a user's menu: the user's own and the shared
// ones, each sorted by name.
type SavedViews struct{ Own, Shared []SavedView }

// SavedViews returns the views in the user's menu. They come from a cache and are at most
// viewsTTL old, so that most pages need no request for them.
func (a Access) SavedViews(ctx context.Context) (SavedViews, error) {
	var v SavedViews
	if err := a.require(SignedIn); err != nil {
		return v, err
	}
	var err error
	if v.Own, err = a.store.cachedViews(ctx, a.user.Name); err == nil {
		v.Shared, err = a.store.cachedViews(ctx, "")
	}
	return v, err
}

// CurrentSavedViews returns the views in the user's menu from the table instead of
// the cache.
func (a Access) CurrentSavedViews(ctx context.Context) (SavedViews, error) {
	if err := a.require(SignedIn); err != nil {
		return SavedViews{}, err
	}
	a.store.views.forget(a.user.Name)
	a.store.views.forget("")
	return a.SavedViews(ctx)
}

func (s *Store) cachedViews(ctx context.Context, owner string) ([]SavedView, error) {
	return s.views.get(owner, s.now(), func() ([]SavedView, error) { return s.readViews(ctx, owner) })
}

// readViews makes a consistent read of an owner's views, so that the cache gets no outdated
// views.
func (s *Store) readViews(ctx context.Context, owner string) ([]SavedView, error) {
	pattern, values := getOwnViews, key.Map{"user": owner}
	if owner == "" {
		pattern, values = getSharedViews, nil
	}
	items, err := s.table.Partition(ctx, pattern, values, true)
	views, err := decodeAll(items, err, decodeAs[SavedView])
	slices.SortFunc(views, func(a, b SavedView) int {
		return strings.Compare(key.Fold(a.Name)+" "+a.ID, key.Fold(b.Name)+" "+b.ID)
	})
	return views, err
}
