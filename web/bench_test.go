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

// BenchmarkAround is what is around every page: a page that is nothing, for
// anyone and for somebody whose session is looked up.
func BenchmarkAround(b *testing.B) {
	s := storetest.Open(b, storetest.NewClock())
	user := added(b, s, "kim")
	tools := web.New(web.Config{Store: s, Keys: [][]byte{[]byte("key")}, Log: slog.New(slog.NewTextHandler(io.Discard, nil))})
	c, answer := visit(tools)
	if err := tools.LogIn(c, user); err != nil {
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
			request.AddCookie(answer.Result().Cookies()[0])
			b.ReportAllocs()
			for b.Loop() {
				w := httptest.NewRecorder()
				site.ServeHTTP(w, request)
				if w.Code != http.StatusOK {
					b.Fatalf("%s is %d", path, w.Code)
				}
			}
		})
	}
}
