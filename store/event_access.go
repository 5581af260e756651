package store

import (
	"context"
	"fmt"
	"net/netip"
	"strings"
)

type addressKey struct{}

// WithAddress returns a context with the address of the client. Some events of changes made
// with this context contain the address; see EventCode.hasAddress.
func WithAddress(ctx context.Context, address string) context.Context {
	return context.WithValue(ctx, addressKey{}, address)
}

// addressOf returns the address of the client, or "" if it is not an IP address.
func addressOf(ctx context.Context) string {
	text, _ := ctx.Value(addressKey{}).(string)
	ip, err := netip.ParseAddr(text)
	if err != nil {
		return ""
	}
	return ip.Unmap().WithZone("").String()
}

// eventReason returns why an import rejects an event, or "". Without this check, a file
// could falsify the history of imports, sign-ins and downloads. A file could also contain
// events with the keys of future failed sign-ins. The program could then not record these
// sign-ins.
func eventReason(e Entity) string {
	event, ok := e.(*Event)
	switch {
	case !ok:
		return ""
	case event.What.StaysInTable():
		return fmt.Sprintf("Events of imports, sign-ins and downloads can't be imported (this one is %s). Remove this row.", Quoted(event.What))
	case strings.HasPrefix(event.Partition, failedSignIns):
		return fmt.Sprintf("Events of failed sign-ins can't be imported (this one is about %s). Remove this row.", Quoted(event.Partition))
	}
	return ""
}

// describeAccess sets the address and the expiry time of an event, if events of its
// kind have them.
func (c *change) describeAccess(e *Event) {
	if e.Address == "" && e.What.hasAddress() {
		e.Address = c.address
	}
	if e.What.isAccess() {
		e.Expires = e.When.AddDate(0, 0, c.accessDays)
	}
}
