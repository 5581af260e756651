package store

import (
	"slices"
	"strings"
	"time"

	"stockroom/store/table"
)

// Role determines what a user may read and change.
type Role string

// The roles. granted lists their permissions.
const (
	Viewer  Role = "viewer"  // reads most records, and changes nothing
	Auditor Role = "auditor" // like viewer, and reads private details of employees and the history
	Support Role = "support" // sells, bills and helps customers
	Manager Role = "manager" // manages assigned warehouses and stores
	Admin   Role = "admin"   // owners and operators of the site
)

// Roles lists every role, in the order in which forms and messages show them.
var Roles = []Role{Viewer, Auditor, Support, Manager, Admin}

// RoleChoices returns the roles as part of a sentence, such as "viewer or admin".
func RoleChoices() string {
	names := make([]string, len(Roles))
	for i, role := range Roles {
		names[i] = string(role)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// Permission is required to open a route or to call a method of Access.
type Permission string

// The permissions. Every route requires one. Some permissions of managers apply only
// to their own warehouses and stores; see InCharge and InChargeOfStore.
const (
	Nobody        Permission = ""             // no one; the zero value, so that a route without a permission is forbidden
	Anyone        Permission = "anyone"       // everyone, even without signing in
	SignedIn      Permission = "signed in"    // every signed-in user, for their own data
	Browse        Permission = "browse"       // read all records that need no other permission
	ReadStaff     Permission = "read staff"   // see private details of employees: phones, address, hire date, department, manager
	RankStaff     Permission = "rank staff"   // see the ranking of all account reps
	WatchPlaces   Permission = "watch places" // on the page Today, see low stock, due kayaks, and news about counts, check-ins and bookings
	ReadHistory   Permission = "read history" // see all changes by all users
	WriteNotes    Permission = "write notes"
	EditCustomers Permission = "edit customers" // add, edit and close customers; add and edit people
	Sell          Permission = "sell"           // place, edit and cancel orders; record payments and returns; email documents and payment reminders
	Refund        Permission = "refund"         // refund up to Settings.RefundLimit per invoice
	RefundAny     Permission = "refund any"     // refund any amount
	Subscribe     Permission = "subscribe"      // create, change, pause, resume and cancel subscriptions; retry payments; list and resend emails
	ChangeStock   Permission = "change stock"   // change the stock of the user's own warehouses
	Ship          Permission = "ship"           // ship from the user's own warehouses
	RunRentals    Permission = "run rentals"    // book and rent out kayaks, edit kayaks, and manage employments, in the user's own stores
	ChangeMany    Permission = "change many"    // see and start bulk changes; each kind requires another permission, too
	SetUp         Permission = "set up"         // edit products, prices, warehouses, stores, employees, reference lists and quotas
	Administer    Permission = "administer"     // manage users, settings, jobs and data
)

var granted = map[Permission][]Role{
	Browse:        {Viewer, Auditor, Support, Manager, Admin},
	ReadStaff:     {Auditor, Manager, Admin},
	RankStaff:     {Viewer, Auditor, Support, Admin},
	WatchPlaces:   {Viewer, Auditor, Manager, Admin},
	ReadHistory:   {Auditor, Admin},
	WriteNotes:    {Support, Manager, Admin},
	EditCustomers: {Support, Manager, Admin},
	Sell:          {Support, Admin},
	Refund:        {Support, Admin},
	RefundAny:     {Admin},
	Subscribe:     {Support, Admin},
	ChangeStock:   {Manager, Admin},
	Ship:          {Manager, Admin},
	RunRentals:    {Manager, Admin},
	ChangeMany:    {Support, Manager, Admin},
	SetUp:         {Admin},
	Administer:    {Admin},
}

// RolesWith returns the roles with a permission, joined for a sentence, such as
// "support, admin". It returns "" if no role has the permission.
func RolesWith(p Permission) string {
	var names []string
	for _, role := range granted[p] {
		names = append(names, string(role))
	}
	return strings.Join(names, ", ")
}

// May reports whether the user has a permission. The user may be nil: someone who is
// not signed in.
func (u *User) May(p Permission) bool {
	switch p {
	case Anyone:
		return true
	case SignedIn:
		return u != nil
	}
	return u != nil && slices.Contains(granted[p], u.Role)
}

// InCharge reports whether the user may see the stock, shipments and staff of a
// warehouse. Managers may see only their own warehouses, and other roles all
// warehouses.
func (u *User) InCharge(warehouseID string) bool {
	return u.Role != Manager || slices.Contains(u.Warehouses, warehouseID)
}

// InChargeOfAll reports whether the user may see all warehouses and stores, so that
// pages can link to any of them.
func (u *User) InChargeOfAll() bool { return u.Role != Manager }

// MayInWarehouse reports whether the user has a permission in at least one warehouse.
func (u *User) MayInWarehouse(p Permission) bool {
	return u.May(p) && (u.InChargeOfAll() || len(u.Warehouses) > 0)
}

// InChargeOfStore is like InCharge, for a kayak store.
func (u *User) InChargeOfStore(storeID string) bool {
	return u.Role != Manager || slices.Contains(u.Stores, storeID)
}

// User is someone who signs in.
type User struct {
	Name         string
	Role         Role
	Warehouses   []string  `json:",omitempty"` // the warehouses of a manager
	Stores       []string  `json:",omitempty"`
	Hash         string    `json:"-"` // password hash
	MustChange   bool      // the password is a one-time password
	OneTimeUntil time.Time `json:"-"` // when the one-time password expires; its first session sets it to the current time
	Identity     string    `json:"-"` // hash of the ProviderIdentity with which the user signs in; "" for users with a password only
	SecondFactor bool      // the user has a second factor, and cannot sign in without it
	Disabled     bool
	Email        string `json:",omitempty"` // address for notices, saved views and password links; "" for none
	NoNotices    bool   `json:",omitempty"` // the user does not want daily notices
	Version      int
}

func (*User) EntityType() string { return "user" }

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
	a.Time("OneTimeUntil", &u.OneTimeUntil)
	a.Text("Identity", &u.Identity)
	a.Flag("SecondFactor", &u.SecondFactor)
	a.Flag("Disabled", &u.Disabled)
	a.Text("Email", &u.Email)
	a.Flag("NoNotices", &u.NoNotices)
	a.Version(&u.Version)
}

// OneTimeLife is how long a one-time password is valid.
const OneTimeLife = 24 * time.Hour

// setPassword replaces the user's password. A one-time password gets an expiry time.
func (s *Store) setPassword(u *User, password string, oneTime bool) {
	u.Hash, u.MustChange, u.OneTimeUntil = s.argon.hash(password), oneTime, time.Time{}
	if oneTime {
		u.OneTimeUntil = s.now().Add(OneTimeLife)
	}
}

// isExpired reports whether the user has a one-time password that has expired or was
// used.
func (u *User) isExpired(now time.Time) bool {
	return u.MustChange && !u.OneTimeUntil.IsZero() && !now.Before(u.OneTimeUntil)
}
