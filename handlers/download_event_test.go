package handlers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store"
	"stockroom/store/storetest"
)

// failingDB executes the first queries, and calls end before the next query. If end returns
// an error, that query fails with the error.
type failingDB struct {
	store.DB
	end     func() error
	queries atomic.Int64
}

// queriesBefore is the number of queries before the failing one. After that many
// queries, a download of 3,000 products has already sent some rows.
const queriesBefore = 40

func (db *failingDB) Query(ctx context.Context, in *dynamodb.QueryInput, options ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	if db.queries.Add(1) == queriesBefore+1 {
		if err := db.end(); err != nil {
			return nil, err
		}
	}
	return db.DB.Query(ctx, in, options...)
}

// TestDownload_RecordsStoppedFile stops a download after a part of the file, with an
// error and with a panic. The history must contain the number of rows that were sent.
func TestDownload_RecordsStoppedFile(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func() error{
		"error": func() error { return errors.New("the table is gone") },
		"panic": func() error { panic("a defect") },
	} {
		t.Run(name, func(t *testing.T) {
			var products []store.Entity
			for i := range 3000 {
				products = append(products, &store.Product{ID: fmt.Sprintf("x%04d", i), Name: strings.Repeat("long ", 60) + fmt.Sprint(i), Version: 1})
			}
			clock := storetest.NewClock()
			db := &failingDB{DB: shopImage.Embedded(t, clock), end: end}
			b := serveTable(t, db, clock, products...)
			support := b.as(t, "support")
			r := support.request(http.MethodGet, "/products.csv", "")
			r.Header.Set("Accept-Encoding", "identity")
			if response, err := support.Do(r); err == nil {
				if _, err := io.Copy(io.Discard, response.Body); err == nil {
					t.Errorf("got the whole file after %d queries", db.queries.Load())
				}
				_ = response.Body.Close()
			}
			b.handling.Wait() // wait, because the event may be recorded after the response ends
			got := b.history(t, "by=support", "file.")
			want := regexp.MustCompile(`^support \| Download of /products.csv stopped \| 127.0.0.1 \| [1-9]\d+ rows$`)
			if len(got) != 1 || !want.MatchString(got[0]) {
				t.Errorf("after %d queries: got %q, want one stopped download with its rows", db.queries.Load(), got)
			}
		})
	}
}

// TestDownload_RecordsOneEventPerHour downloads a list and records several times. The
// history must contain one event for each hour, route, format and client address.
func TestDownload_RecordsOneEventPerHour(t *testing.T) {
	b := open(t)
	support := b.as(t, "support")
	rows := strings.Count(support.get("/warehouses.csv").body, "\n") - 1
	for range 9 {
		support.get("/warehouses.csv")
	}
	for _, id := range []string{"c01", "c02", "c03"} {
		support.get("/customers/" + id + ".json")
	}
	support.get("/warehouses.json")
	other := b.from(t, "127.0.0.9")
	other.signIn("support", password)
	other.get("/warehouses.csv")
	want := []string{
		fmt.Sprintf("support | Downloaded /warehouses.csv | 127.0.0.1 | 10 downloads with %d rows, the latest is shown", 10*rows),
		"support | Downloaded /customers/c03.json | 127.0.0.1 | 3 downloads, the latest is shown",
		fmt.Sprintf("support | Downloaded /warehouses.json | 127.0.0.1 | %d rows", rows),
		fmt.Sprintf("support | Downloaded /warehouses.csv | 127.0.0.9 | %d rows", rows),
	}
	b.expectHistory(t, "by=support", []string{"file."}, slices.Clone(want)...)
	b.clock.Advance(time.Hour)
	support = b.as(t, "support")
	support.get("/warehouses.csv")
	b.expectHistory(t, "by=support", []string{"file."}, append(want, fmt.Sprintf("support | Downloaded /warehouses.csv | 127.0.0.1 | %d rows", rows))...)
}
