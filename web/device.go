package web

import (
	"crypto/rand"
	"net/netip"
	"slices"
	"strings"

	"github.com/gorilla/securecookie"
	"github.com/labstack/echo/v4"

	"stockroom/store"
)

// deviceCookie is the name of the cookie that lists the users who signed in from a browser.
const deviceCookie = "device"

// deviceMaxAge is the maximum age of the cookie after the last sign-in, in seconds.
const deviceMaxAge = 90 * 24 * 60 * 60

// maxDeviceUsers limits the number of users in one cookie. Colleagues who share a
// computer share the cookie.
const maxDeviceUsers = 5

// devices signs the device cookies. Failed sign-ins from a browser with such a cookie
// are counted separately. An attacker elsewhere therefore cannot lock out the users
// of this browser. See
// https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
type devices struct{ codecs []securecookie.Codec }

func newDevices(config Config) *devices {
	d := &devices{}
	for _, key := range config.Keys {
		d.codecs = append(d.codecs, newCodec(key, "device", deviceMaxAge))
	}
	return d
}

// SignInAttempt describes an attempt to sign in as a user. It contains the ID in the device
// cookie only if the user has signed in from this browser before.
func (t *Tools) SignInAttempt(c echo.Context, user string) store.SignInAttempt {
	a := store.SignInAttempt{Name: user, Network: networkOf(c.RealIP())}
	if id, users := t.device(c); slices.Contains(users, strings.ToLower(strings.TrimSpace(user))) {
		a.Device = id
	}
	return a
}

// networkOf returns the network of a client. Failed sign-ins are counted per network.
// The network is an IPv4 address or a /64 network of IPv6, because one client usually
// has a whole /64.
func networkOf(address string) string {
	ip, err := netip.ParseAddr(address)
	if err != nil || ip.Unmap().Is4() {
		return address
	}
	return netip.PrefixFrom(ip.WithZone(""), 64).Masked().String()
}

// device returns the ID in the device cookie and the users who signed in from this browser,
// latest first. If the cookie is missing or invalid, the ID is "".
func (t *Tools) device(c echo.Context) (id string, users []string) {
	cookie, err := t.readCookie(c, deviceCookie)
	if err != nil {
		return "", nil
	}
	var text []byte
	if securecookie.DecodeMulti(deviceCookie, cookie.Value, &text, t.devices.codecs...) != nil {
		return "", nil
	}
	parts := strings.Split(string(text), "\n")
	return parts[0], parts[1:]
}

func (t *Tools) setDevice(c echo.Context, user string) error {
	id, users := t.device(c)
	if id == "" {
		id = rand.Text()
	}
	users = slices.DeleteFunc(users, func(u string) bool { return u == user })
	users = slices.Insert(users, 0, user)
	users = users[:min(len(users), maxDeviceUsers)]
	value, err := securecookie.EncodeMulti(deviceCookie, []byte(strings.Join(append([]string{id}, users...), "\n")), t.devices.codecs...)
	if err != nil {
		return err
	}
	c.SetCookie(t.cookie(deviceCookie, value, deviceMaxAge))
	return nil
}
