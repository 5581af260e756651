package handlers

import (
	"net/http"
	"slices"
	"sync"

	"stockroom/store"
	"stockroom/views"
	"stockroom/views/ui"
	"stockroom/web"
)

// Limit and estimate of sizes in keptContents, in bytes.
const (
	maxKeptContent = 8 << 20
	contentKeySize = 100 // estimated size of an entry without its strings
)

// keptContents is a cache of the contents of pages. It contains only pages that were
// requested at least twice. It is cleared when it is full, when the table or the settings
// change, and at the end of each minute. The frame around a content, such as the menu, is
// not cached.
type keptContents struct {
	mu    sync.Mutex
	as    tableState
	size  int                         // bytes of HTML and keys
	pages map[contentKey]*keptContent // nil value for a page that was requested once
}

// contentKey identifies the content of a page for a user. As long as the tableState is the
// same, this content changes only in its saved views and form tokens.
type contentKey struct {
	user    string // because the content may contain cursors, which are signed for the user
	role    store.Role
	scope   string
	address string // path and query string
}

type keptContent struct {
	title  string
	tabs   []views.SavedTab
	tokens []string // form tokens in html
	html   ui.Kept
}

// get returns the content of a page, or nil. It also reports whether the page was
// requested before in this state. If not, the caller must not call put: most pages are
// not requested again before the state changes.
func (k *keptContents) get(key contentKey, state tableState) (c *keptContent, again bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.as == state {
		c, again = k.pages[key]
	}
	if !again {
		k.set(key, state, nil)
	}
	return c, again
}

// put caches a content that was read in this state.
func (k *keptContents) put(key contentKey, state tableState, c *keptContent) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.set(key, state, c)
}

func (k *keptContents) set(key contentKey, state tableState, c *keptContent) {
	size := contentKeySize + len(key.user) + len(key.scope) + len(key.address)
	if c != nil {
		size += c.html.Size()
	}
	if k.as != state || k.size+size > maxKeptContent {
		k.as, k.size, k.pages = state, 0, map[contentKey]*keptContent{}
	}
	if size <= maxKeptContent {
		k.size += size
		k.pages[key] = c
	}
}

// keepContent returns a handler that takes the content of a page from the cache if it
// cannot have changed. The content must depend only on the user, the address, the items in
// the table, the settings and the minute. The route still checks the user's permission.
func keepContent(present func(*request) error) func(*request) error {
	return func(r *request) error {
		state := r.tableState()
		if !state.known || !r.mayKeepContent() {
			return present(r)
		}
		key := contentKey{r.user.Name, r.user.Role, r.user.Scope(), r.Request().RequestURI}
		kept, again := r.site.contents.get(key, state)
		if !again {
			return present(r)
		}
		if kept != nil {
			if p := r.page(kept.title); slices.Equal(p.Views, kept.tabs) {
				return r.show(views.KeptPage(p, kept.withTokens(r.newFormToken)))
			}
		}
		r.keep = &keptContent{}
		if err := present(r); err != nil {
			return err
		}
		if r.keep != nil && r.Response().Status == http.StatusOK && r.tableState() == state {
			r.keep.removeUnusedTokens()
			r.site.contents.put(key, state, r.keep)
		}
		return nil
	}
}

// mayKeepContent reports whether the content of this request may be cached.
func (r *request) mayKeepContent() bool {
	changed := r.earlier != nil             // the page after a change also shows items that are not in an index yet; see store.ReadAfter
	showsItems := r.trace.KeepItems         // the footer shows the items that the content reads
	address := r.Request().RequestURI != "" // the program itself makes requests without an address, to email lists
	owner := web.AccessToken(r.Context) == nil && !web.IsViewing(r.Context)
	return address && owner && !changed && !showsItems && !r.wantsFile()
}

// withTokens returns the HTML with new form tokens. Replacing a token changes no other
// text, because signed tokens are unique.
func (c *keptContent) withTokens(newToken func() string) ui.Kept {
	html := c.html
	for _, token := range c.tokens {
		html = html.Replace(token, newToken())
	}
	return html
}

func (c *keptContent) removeUnusedTokens() {
	c.tokens = slices.DeleteFunc(c.tokens, func(token string) bool { return !c.html.Contains(token) })
}
