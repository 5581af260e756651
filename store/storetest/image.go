package storetest

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"stockroom/store"
	"stockroom/store/embedded"
)

// Image is an embedded store with content that several tests start from. The first
// test prepares it, and each test gets a copy.
type Image struct {
	prepare func(testing.TB, *store.Store)
	once    sync.Once
	backup  []byte
}

// NewImage returns an image. The function prepare writes the content into an empty
// table.
func NewImage(prepare func(testing.TB, *store.Store)) *Image {
	return &Image{prepare: prepare}
}

// Embedded opens a copy of the image in a temporary folder.
func (i *Image) Embedded(t testing.TB, clock *Clock) *embedded.DB {
	t.Helper()
	i.once.Do(func() { i.backup = i.make(t) })
	if i.backup == nil {
		t.Fatal("the image was not prepared: see the first test that uses it")
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, embedded.FileName), i.backup, 0o600); err != nil {
		t.Fatal(err)
	}
	return EmbeddedAt(t, folder, clock)
}

// OnEachEngine is like the function OnEachEngine, but each table contains the items
// of the image.
func (i *Image) OnEachEngine(t *testing.T, test func(t *testing.T, s *store.Store, clock *Clock)) {
	i.OnEachTable(t, func(t *testing.T, db store.DB, table string, clock *Clock) {
		s := openExisting(db, table, clock)
		if _, err := s.Settings(t.Context()); err != nil { // caches the settings, so that tests count no request for them
			t.Fatal(err)
		}
		test(t, s, clock)
	})
}

// OnEachTable is like the function OnEachTable, but each table exists and contains the
// items of the image.
func (i *Image) OnEachTable(t *testing.T, test func(t *testing.T, db store.DB, table string, clock *Clock)) {
	onEachTable(t, i.Embedded, func(t *testing.T, db store.DB, table string, clock *Clock) {
		if _, copied := db.(*embedded.DB); !copied {
			i.prepare(t, OpenTable(t, db, table, clock))
		}
		test(t, db, table, clock)
	})
}

// make prepares the image. The clock starts a second before Now, so that IDs from
// tests sort after those in the image.
func (i *Image) make(t testing.TB) []byte {
	t.Helper()
	clock := NewClock()
	clock.Advance(-time.Second)
	db := Embedded(t, clock)
	i.prepare(t, OpenTable(t, db, TableName, clock))
	var backup bytes.Buffer
	if err := db.Backup(t.Context(), &backup); err != nil {
		t.Fatal(err)
	}
	return backup.Bytes()
}
