package store

import (
	"context"
	"slices"
	"strings"
)

// Prefixes of the target of ViewAs.
const (
	viewAsRole = "role:"
	viewAsUser = "user:"
)

// ViewAsRole returns the target for viewing the site as a role.
func ViewAsRole(role Role) string { return viewAsRole + string(role) }

// ViewAsUser returns the target for viewing the site as a user.
func ViewAsUser(name string) string { return viewAsUser + name }

// ViewableRoles lists the roles that an admin can view the site as: all except Admin
// and Manager. The view of a manager depends on the manager's own warehouses and
// stores.
var ViewableRoles = slices.DeleteFunc(slices.Clone(Roles), func(r Role) bool { return r == Manager || r == Admin })

// ViewAs records that the user views the site as another role or user. It returns NotFound
// for an unknown user, and Invalid for an unknown role or the user's own name. It can also
// return Forbidden.
func (a Access) ViewAs(ctx context.Context, target, token string) error {
	viewed, err := a.ViewedUser(ctx, target)
	if err != nil {
		return err
	}
	if applied, err := a.store.alreadyApplied(ctx, a.user.Partition(), token); applied || err != nil {
		return err
	}
	c, err := a.newUserChange(ctx, token)
	if err != nil {
		return err
	}
	c.recordEvent(Event{Partition: a.user.Partition(), What: EventSiteViewed, After: describeView(target, viewed)})
	return c.Commit(ctx)
}

// ViewedUser returns the user for a target of ViewAs. For a role, the result has this
// role and the name of the signed-in user.
func (a Access) ViewedUser(ctx context.Context, target string) (*User, error) {
	if err := a.require(Administer); err != nil {
		return nil, err
	}
	if role, ok := strings.CutPrefix(target, viewAsRole); ok && slices.Contains(ViewableRoles, Role(role)) {
		return &User{Name: a.user.Name, Role: Role(role)}, nil
	}
	name, ok := strings.CutPrefix(target, viewAsUser)
	if !ok || userName(name) == a.user.Name {
		return nil, fail(Invalid, "Choose a role, or another user.")
	}
	viewed, err := a.store.userForChange(ctx, name)
	if err != nil {
		return nil, err
	}
	shown := *viewed
	shown.MustChange = false
	return &shown, nil
}

func describeView(target string, viewed *User) string {
	if strings.HasPrefix(target, viewAsRole) {
		return "role " + string(viewed.Role)
	}
	return "user " + viewed.Name + ", " + viewed.describeRole()
}

// Viewing returns the store with the permissions of the user, but rejects all
// changes. It is for admins who view the site as someone else.
func (s *Store) Viewing(user *User) Access { return Access{store: s, user: user, readOnly: true} }

func errReadOnly() error {
	return fail(Forbidden, "You are viewing the site as someone else, so nothing can be changed. Stop viewing first.")
}
