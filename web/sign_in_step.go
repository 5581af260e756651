package web

import (
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/securecookie"

	"stockroom/store"
)

// signInStepLife is how long a user can take to enter a code after the password.
const signInStepLife = 10 * time.Minute

// Names of the signed values of forms.
const (
	signedStep   = "sign-in step"
	signedSecret = "app secret"
)

func stepCodecs(keys [][]byte) []securecookie.Codec {
	codecs := make([]securecookie.Codec, len(keys))
	for i, key := range keys {
		codecs[i] = newCodec(key, "sign-in step", int(signInStepLife.Seconds()))
	}
	return codecs
}

// SignStep returns signed text that says that a user entered the right password. The form
// for the code contains it.
func (t *Tools) SignStep(user *store.User) (string, error) {
	return securecookie.EncodeMulti(signedStep, []byte(user.Name+"\n"+strconv.Itoa(user.Version)), t.steps...)
}

// ReadStep decodes the text of SignStep. It returns "" if the text is older than ten
// minutes or was not signed by this program.
func (t *Tools) ReadStep(text string) (name string, version int) {
	var value []byte
	if securecookie.DecodeMulti(signedStep, text, &value, t.steps...) != nil {
		return "", 0
	}
	name, number, _ := strings.Cut(string(value), "\n")
	version, err := strconv.Atoi(number)
	if err != nil {
		return "", 0
	}
	return name, version
}

// SignSecret returns the secret of an authenticator app that is being set up, signed for
// one user.
func (t *Tools) SignSecret(user *store.User, secret string) (string, error) {
	return securecookie.EncodeMulti(signedSecret, []byte(user.Name+"\n"+secret), t.steps...)
}

// ReadSecret decodes the text of SignSecret. It returns "" if the text is older than ten
// minutes, is for another user or was not signed by this program.
func (t *Tools) ReadSecret(user *store.User, text string) string {
	var value []byte
	if securecookie.DecodeMulti(signedSecret, text, &value, t.steps...) != nil {
		return ""
	}
	name, secret, _ := strings.Cut(string(value), "\n")
	if name != user.Name {
		return ""
	}
	return secret
}
