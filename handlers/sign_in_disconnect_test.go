package handlers

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

// disconnectingDB calls after once the table has returned a user. This is before the
// password is checked.
type disconnectingDB struct {
	store.DB
	after func(context.Context)
}

func (db *disconnectingDB) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	out, err := db.DB.GetItem(ctx, in, options...)
	if pk, ok := in.Key["PK"].(*types.AttributeValueMemberS); ok && db.after != nil && strings.HasPrefix(pk.Value, "user#") {
		db.after(ctx)
	}
	return out, err
}

// TestSignIn_RecordsFailureOfDisconnectedClient disconnects while the server checks a
// wrong password. The history contains the failure.
func TestSignIn_RecordsFailureOfDisconnectedClient(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	db := &disconnectingDB{DB: shopImage.Embedded(t, clock)}
	b := serveTable(t, db, clock)
	connection, err := net.Dial("tcp", b.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	db.after = func(ctx context.Context) {
		_ = connection.Close()
		select {
		case <-ctx.Done():
		case <-time.After(5 * time.Second):
		}
		db.after = nil
	}
	form := url.Values{"username": {"viewer"}, "password": {"wrong"}}.Encode()
	if _, err := fmt.Fprintf(connection, "POST /login HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", b.Listener.Addr(), len(form), form); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		if strings.Contains(b.log.String(), "route=/login") {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	want := "viewer | Sign-in failed | 127.0.0.1"
	if got := b.history(t, "", "user.sign_in_failed"); !slices.Equal(got, []string{want}) {
		t.Errorf("got the failures %q, want %q; log:\n%s", got, want, b.log)
	}
}
