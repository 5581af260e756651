package web

import (
	"strconv"
	"strings"
	"time"

	"github.com/gorilla/securecookie"

	"stockroom/store"
)

// signInStepLife is how long a signed Step or app secret is valid. The user must enter
// the code within this time.
const signInStepLife = 10 * time.Minute

// Names with which values in forms are signed.
const (
	signedStep   = "sign-in step"
	signedSecret = "app secret"
)

func stepCodecs(keys [][]byte) []securecookie.Codec {
	codecs := make([]securecookie.Codec, len(keys))
	for i, key := range keys {
		codecs[i] = newCodec(key, signedStep, int(signInStepLife.Seconds()))
	}
	return codecs
}

// Step is the first step of a sign-in, before the code.
type Step struct {
	Name     string
	Version  int  // version of the user
	Provider bool // the identity provider authenticated the user; otherwise the password was right
}

// SignStep returns the step as signed text. The form for the code contains it.
func (t *Tools) SignStep(s Step) (string, error) {
	text := s.Name + "\n" + strconv.Itoa(s.Version)
	if s.Provider {
		text += "\nprovider"
	}
	return securecookie.EncodeMulti(signedStep, []byte(text), t.steps...)
}

// ReadStep decodes the result of SignStep. It returns the zero Step if the result is older
// than ten minutes or was not signed by this program.
func (t *Tools) ReadStep(text string) Step {
	var value []byte
	if securecookie.DecodeMulti(signedStep, text, &value, t.steps...) != nil {
		return Step{}
	}
	name, rest, _ := strings.Cut(string(value), "\n")
	number, _, provider := strings.Cut(rest, "\n")
	version, err := strconv.Atoi(number)
	if err != nil {
		return Step{}
	}
	return Step{Name: name, Version: version, Provider: provider}
}

// SignSecret returns the secret of an authenticator app that is being set up, signed for
// one user.
func (t *Tools) SignSecret(user *store.User, secret string) (string, error) {
	return securecookie.EncodeMulti(signedSecret, []byte(user.Name+"\n"+secret), t.steps...)
}

// ReadSecret decodes the result of SignSecret. It returns "" if the result is older than
// ten minutes, is for another user or was not signed by this program.
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
