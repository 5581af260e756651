package web_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/store/storetest"
	"stockroom/web"
)

// BenchmarkRequest measures a request for an almost empty page, with and without a
// session.
func BenchmarkRequest(b *testing.B) {
	s := storetest.Open(b, storetest.NewClock())
	user := addUser(b, s, "kim")
	tools := web.New(web.Config{Store: s, Keys: [][]byte{[]byte("key")}, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	c, response := newRequest(tools)
	if err := tools.SignIn(c, user, store.NoFactor); err != nil {
		b.Fatal(err)
	}
	e := tools.Router()
	page := func(c echo.Context) error { return tools.Render(c, text("a page")) }
	e.GET("/anyone", page, tools.Require(store.Anyone))
	e.GET("/signed-in", page, tools.Require(store.Browse))
	site := tools.Protect(e)
	for _, path := range []string{"/anyone", "/signed-in"} {
		b.Run(path[1:], func(b *testing.B) {
			request := httptest.NewRequest(http.MethodGet, path, nil)
			request.AddCookie(response.Result().Cookies()[0])
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				site.ServeHTTP(w, request)
				if w.Code != http.StatusOK {
					b.Fatalf("%s: got %d", path, w.Code)
				}
			}
		})
	}
}
