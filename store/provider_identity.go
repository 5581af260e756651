package store

import (
	"time"

	"stockroom/store/table"
)

// ProviderIdentity connects a person's identity at the identity provider for single sign-on
// with a user. The identity determines the key of the item, so an identity cannot belong to
// two users.
type ProviderIdentity struct {
	Hash    string // hash of issuer and subject; see identityHash
	Issuer  string // URL of the provider
	Subject string // ID of the person at the provider
	User    string // user name
	Created time.Time
	Version int
}

func (*ProviderIdentity) EntityType() string { return "providerIdentity" }

func (i *ProviderIdentity) KeyValue(name string) string {
	if name == "hash" {
		return i.Hash
	}
	return ""
}

func (i *ProviderIdentity) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "identity#", &i.Hash)
	a.Text("Issuer", &i.Issuer)
	a.Text("Subject", &i.Subject)
	a.Text("User", &i.User)
	a.Time("Created", &i.Created)
	a.Version(&i.Version)
}

// identityHash returns a hash of an identity for keys. It is a hash because subjects can
// contain characters that keys must not contain.
func identityHash(issuer, subject string) string { return hashID(issuer + "\n" + subject) }
