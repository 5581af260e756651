package store

import (
	"slices"
	"strings"

	"stockroom/store/table"
)

// Role is what a user is to the business.
type Role string

// The roles, from the least to the most.
const (
	Viewer  Role = "viewer"  // staff who browse
	Support Role = "support" // looks up orders, calls customers back
	Manager Role = "manager" // in charge of warehouses and stores
	Admin   Role = "admin"   // owner, operations
)

// Roles are all of them.
var Roles = []Role{Viewer, Support, Manager, Admin}

// RoleChoices names them in a sentence: viewer, support, manager or admin.
func RoleChoices() string {
	names := make([]string, len(Roles))
	for i, role := range Roles {
		names[i] = string(role)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Permission is what a page, an export or a job asks for.
type Permission string

// The permissions. Every route names one; what a permission means for whose
// places is the scope's matter.
const (
	Nobody        Permission = ""             // not granted to anyone: a route that forgot to say
	Anyone        Permission = "anyone"       // also without logging in
	SignedIn      Permission = "signed in"    // whoever is logged in, for what is their own
	Browse        Permission = "browse"       // read the shop
	ReadStaff     Permission = "read staff"   // what is private of employees: phones, hire date, department, manager
	RankStaff     Permission = "rank staff"   // the account reps of all places
	WatchPlaces   Permission = "watch places" // be shown first what runs out and what is due back
	WriteNotes    Permission = "write notes"
	TakeReturns   Permission = "take returns"
	RetryPayments Permission = "retry payments" // and send reminders again
	ChangeStock   Permission = "change stock"   // of the warehouses in one's charge
	Ship          Permission = "ship"           // from the warehouses in one's charge
	RunRentals    Permission = "run rentals"    // of the stores in one's charge
	Sell          Permission = "sell"           // take, cancel and bill orders, edit customers and products
	Administer    Permission = "administer"
)

// granted says which roles have a permission.
var granted = map[Permission][]Role{
	Browse:        {Viewer, Support, Manager, Admin},
	ReadStaff:     {Manager, Admin},
	RankStaff:     {Viewer, Support, Admin},
	WatchPlaces:   {Viewer, Manager, Admin},
	WriteNotes:    {Support, Manager, Admin},
	TakeReturns:   {Support, Manager, Admin},
	RetryPayments: {Support, Admin},
	ChangeStock:   {Manager, Admin},
	Ship:          {Manager, Admin},
	RunRentals:    {Manager, Admin},
	Sell:          {Admin},
	Administer:    {Admin},
}

// May says whether the user has a permission. A nil user is nobody in
// particular.
func (u *User) May(p Permission) bool {
	switch p {
	case Anyone:
		return true
	case SignedIn:
		return u != nil
	}
	return u != nil && slices.Contains(granted[p], u.Role)
}

// InCharge says whether a warehouse's stock, shipments and staff are this
// user's to see: a manager has their own warehouses, everybody else reads all.
func (u *User) InCharge(warehouseID string) bool {
	return u.Role != Manager || slices.Contains(u.Warehouses, warehouseID)
}

// InChargeOfAll says that no place is closed to this user, so that nothing
// which a page names has to be looked up before it can lead there.
func (u *User) InChargeOfAll() bool { return u.Role != Manager }

// InChargeOfStore is InCharge for a store that rents kayaks out.
func (u *User) InChargeOfStore(storeID string) bool {
	return u.Role != Manager || slices.Contains(u.Stores, storeID)
}

// User is somebody who logs in.
type User struct {
	Name       string
	Role       Role
	Warehouses []string `json:",omitempty"` // those a manager is in charge of
	Stores     []string `json:",omitempty"`
	Hash       string   `json:"-"` // of the password
	MustChange bool     // the password was made by the program
	Disabled   bool
	Version    int
}

// EntityType implements Entity.
func (*User) EntityType() string { return "user" }

// KeyValue implements Entity.
func (u *User) KeyValue(name string) string {
	if name == "name" {
		return u.Name
	}
	return ""
}

func (u *User) attributes(a *table.Attributes) {
	a.FromKey(table.AttrPK, "user#", &u.Name)
	a.Text("Role", (*string)(&u.Role))
	a.Texts("Warehouses", &u.Warehouses)
	a.Texts("Stores", &u.Stores)
	a.Text("PasswordHash", &u.Hash)
	a.Flag("MustChange", &u.MustChange)
	a.Flag("Disabled", &u.Disabled)
	a.Version(&u.Version)
}
