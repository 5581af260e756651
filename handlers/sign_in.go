package handlers

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"stockroom/store"
	"stockroom/store/key"
	"stockroom/views"
	"stockroom/web"
)

func askLogin(r *request) error {
	return r.show(views.LoginPage(views.Login{Page: r.page("Log in"), Next: r.next()}))
}

// logIn says the same whatever is wrong, and takes no more tries than the
// limit allows.
func logIn(r *request) error {
	form, err := web.ReadForm(r.Context, "username", "password")
	if err != nil {
		return err
	}
	tools, name := r.site.tools, form.Get("username")
	account := accountOf(name)
	if wait := tools.AttemptSignIn(account, r.RealIP()); wait > 0 {
		r.retryAfter(wait)
		return r.loginRefused(http.StatusTooManyRequests, name, waitSentence(wait))
	}
	user, err := r.site.store.Authenticate(r.ctx(), name, form.Get("password"))
	if store.KindOf(err) == store.Forbidden {
		return r.loginRefused(http.StatusUnprocessableEntity, name, "The name or the password is wrong.")
	}
	if err != nil {
		return err
	}
	tools.SignInSucceeded(account, r.RealIP())
	if err := tools.SignIn(r.Context, user); err != nil {
		return err
	}
	if user.MustChange {
		return web.Redirect(r.Context, "/account/password")
	}
	return web.Redirect(r.Context, web.LocalPath(r.QueryParam("next")))
}

func (r *request) loginRefused(status int, name, why string) error {
	return r.site.tools.RenderStatus(r.Context, status, views.LoginPage(views.Login{
		Page: r.page("Log in"), Next: r.next(), Username: name, Error: why,
	}))
}

// accountOf is the name under which tries at an account are counted: in lower
// case, as accounts are found, and no longer than a name can be.
func accountOf(name string) string {
	account := strings.ToLower(strings.TrimSpace(name))
	return account[:min(len(account), key.MaxID)]
}

// next is where to go on to after the log-in; "" is the first page.
func (r *request) next() string {
	if next := web.LocalPath(r.QueryParam("next")); next != "/" {
		return next
	}
	return ""
}

// retryAfter tells programs how long to wait, in whole seconds.
func (r *request) retryAfter(wait time.Duration) {
	r.Response().Header().Set(echo.HeaderRetryAfter, strconv.Itoa(int(math.Ceil(wait.Seconds()))))
}

func waitSentence(wait time.Duration) string {
	seconds := int(math.Ceil(wait.Seconds()))
	if seconds < 120 {
		return fmt.Sprintf("Too many wrong tries. Wait %d seconds and try again.", seconds)
	}
	return fmt.Sprintf("Too many wrong tries. Wait %d minutes and try again.", (seconds+59)/60)
}

func logOut(r *request) error {
	if err := r.site.tools.SignOut(r.Context); err != nil {
		return err
	}
	return r.done("You are logged out.", "/login")
}
