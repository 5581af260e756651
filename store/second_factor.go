package store

import (
	"encoding/json"
	"time"

	"stockroom/store/table"
)

// Factor is how a user proved their identity in addition to the password.
type Factor string

// The factors. A passkey needs no password, because the device checks a PIN, a
// fingerprint or a face.
const (
	NoFactor       Factor = "" // the user proved their identity only with the password
	FactorApp      Factor = "app"
	FactorPasskey  Factor = "passkey"
	FactorRecovery Factor = "recovery code"
	FactorProvider Factor = "provider" // the identity provider checked a second factor
)

// The maximum number of passkeys of a user, and the maximum length of their names in
// characters.
const (
	MaxPasskeys    = 10
	maxPasskeyName = 60
)

// SecondFactor holds the secrets of a user's second factor: an authenticator app,
// passkeys and recovery codes. It is in use only if User.SecondFactor is set.
type SecondFactor struct {
	User     string
	Handle   string    // identifies the user to authenticators; random, so that it contains no name
	Secret   string    // secret of the authenticator app, in base32; "" without an app
	LastCode time.Time // start of the newest time step whose code was used
	Recovery []string  // hashes of the unused recovery codes
	Passkeys []Passkey
	Answered []string // answered challenges, each as "expiry hash"; see UsePasskey
	Version  int
}

// Passkey is a credential of a user. Only the public key is stored.
type Passkey struct {
	ID        string // base64url
	PublicKey []byte // COSE key
	Name      string // chosen by the user
	Count     uint32 // signature counter; 0 if the authenticator has none
	Synced    bool   // the passkey can be synced to other devices
	Created   time.Time
	Used      time.Time `json:",omitzero"`
}

func (*SecondFactor) EntityType() string { return "secondFactor" }

func (f *SecondFactor) KeyValue(name string) string {
	switch name {
	case "name":
		return f.User
	case "handle":
		return f.Handle
	}
	return ""
}

func (f *SecondFactor) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "user#", &f.User)
	a.Text("Handle", &f.Handle)
	a.Text("Secret", &f.Secret)
	a.Time("LastCode", &f.LastCode)
	a.Texts("Recovery", &f.Recovery)
	passkeysAttribute(a, &f.Passkeys)
	a.Texts("Answered", &f.Answered)
	a.Version(&f.Version)
}

// passkeysAttribute encodes or decodes passkeys as a list of strings in JSON format.
func passkeysAttribute(a *table.Attributes, passkeys *[]Passkey) {
	const name = "Passkeys"
	texts := make([]string, len(*passkeys))
	for i, p := range *passkeys {
		text, _ := json.Marshal(p) // never fails
		texts[i] = string(text)
	}
	a.Texts(name, &texts)
	if !a.Decoding() {
		return
	}
	*passkeys = nil
	for _, text := range texts {
		var p Passkey
		if json.Unmarshal([]byte(text), &p) != nil {
			a.Damaged(name, "JSON")
			return
		}
		*passkeys = append(*passkeys, p)
	}
}

// IsSet reports whether the user can sign in with the factor.
func (f *SecondFactor) IsSet() bool { return f.Secret != "" || len(f.Passkeys) > 0 }

// HasApp reports whether the user has set up an authenticator app.
func (f *SecondFactor) HasApp() bool { return f != nil && f.Secret != "" }

func (f *SecondFactor) passkey(id string) *Passkey {
	for i := range f.Passkeys {
		if f.Passkeys[i].ID == id {
			return &f.Passkeys[i]
		}
	}
	return nil
}

// describe returns a sentence for the history, or "" for NoFactor.
func (f Factor) describe() string {
	switch f {
	case FactorApp:
		return "With an authenticator app."
	case FactorPasskey:
		return "With a passkey."
	case FactorRecovery:
		return "With a recovery code."
	case FactorProvider:
		return "With a second factor, checked by the identity provider."
	}
	return ""
}

// FactorRule says which users must have a second factor.
type FactorRule string

// The values of FactorRule.
const (
	FactorOptional FactorRule = ""
	FactorAdmins   FactorRule = "ADMIN"
	FactorManagers FactorRule = "MANAGER" // admins and managers
	FactorEveryone FactorRule = "ALL"
)

// RequiresFactor reports whether users with a role must have a second factor. If the
// rule is unknown, all users must have one.
func (s Settings) RequiresFactor(role Role) bool {
	switch s.SecondFactor {
	case FactorOptional:
		return false
	case FactorAdmins:
		return role == Admin
	case FactorManagers:
		return role == Admin || role == Manager
	}
	return true
}
