package handlers

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/storetest"
)

// disconnectingDB calls a function after a user was read for the first time. At that
// time, the server has not checked the password yet.
type disconnectingDB struct {
	store.DB
	after func(context.Context)
	once  sync.Once
}

func (db *disconnectingDB) GetItem(ctx context.Context, in *dynamodb.GetItemInput, options ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	out, err := db.DB.GetItem(ctx, in, options...)
	if pk, ok := in.Key["PK"].(*types.AttributeValueMemberS); ok && strings.HasPrefix(pk.Value, "user#") {
		db.once.Do(func() { db.after(ctx) })
	}
	return out, err
}

// TestSignIn_RecordsFailureOfDisconnectedClient disconnects while the server checks a
// wrong password. The history must contain the failed attempt.
func TestSignIn_RecordsFailureOfDisconnectedClient(t *testing.T) {
	t.Parallel()
	clock := storetest.NewClock()
	opened, disconnected := make(chan net.Conn, 1), make(chan struct{})
	db := &disconnectingDB{DB: shopImage.Embedded(t, clock), after: func(ctx context.Context) {
		_ = (<-opened).Close()
		<-ctx.Done()
		close(disconnected)
	}}
	b := serveTable(t, db, clock)
	connection, err := net.Dial("tcp", b.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	opened <- connection
	form := url.Values{"username": {"viewer"}, "password": {"wrong"}}.Encode()
	if _, err := fmt.Fprintf(connection, "POST /login HTTP/1.1\r\nHost: %s\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\n\r\n%s", b.Listener.Addr(), len(form), form); err != nil {
		t.Fatal(err)
	}
	<-disconnected
	b.handling.Wait()
	want := "viewer | Sign-in failed | 127.0.0.1"
	if got := b.history(t, "", "user.sign_in_failed"); !slices.Equal(got, []string{want}) {
		t.Errorf("got the failures %q, want %q", got, want)
	}
}
