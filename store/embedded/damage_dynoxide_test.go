package embedded_test

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// dynoxideVariable is the environment variable with the path of Dynoxide, another engine
// with the DynamoDB API.
const dynoxideVariable = "STOCKROOM_TEST_DYNOXIDE"

// TestDamage_OfDynoxide damages files of Dynoxide in the same ways as
// TestDamage_IsNeverSilent, and logs how many files gave wrong answers.
func TestDamage_OfDynoxide(t *testing.T) {
	program := os.Getenv(dynoxideVariable)
	if program == "" {
		t.Skipf("%s is not set", dynoxideVariable)
	}
	const items = 400
	path := filepath.Join(t.TempDir(), "items.db")
	want := make([]item, items)
	for i := range want {
		want[i] = damageItem(i)
	}
	server := startDynoxide(t, program, path)
	if server.client == nil {
		t.Fatal("the server did not start")
	}
	table := shopTable()
	table.LocalSecondaryIndexes = nil
	create(t, server.client, table)
	put(t, server.client, want...)
	server.stop(t, syscall.SIGTERM)
	if _, err := os.Stat(path + "-wal"); err == nil {
		t.Fatal("the stopped server left a write-ahead log, want all data in one file")
	}
	intact, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	use := *seed
	if use == 0 {
		use = rand.Uint64()
	}
	t.Logf("-seed %d, %d items, file of %d bytes", use, items, len(intact))
	random := rand.New(rand.NewPCG(use, 0))
	d := newDamager(random, sqliteFile(intact), len(intact))
	read := func(data []byte) (found answers, wrong string) {
		if err := errors.Join(os.RemoveAll(path+"-wal"), os.RemoveAll(path+"-shm"), os.WriteFile(path, data, 0o600)); err != nil {
			t.Fatal(err)
		}
		found.want = want
		server := startDynoxide(t, program, path)
		defer server.stop(t, syscall.SIGKILL)
		if server.client == nil {
			found.errors++
			return found, ""
		}
		wrong = found.readItems(t, server.client, random, 1, found.failed)
		return found, wrong
	}
	if found, wrong := read(intact); found.errors > 0 || wrong != "" {
		t.Fatalf("intact file: got %d errors and %q, want none", found.errors, wrong)
	}
	files, unanswered, affected, unaffected, silent := 0, 0, 0, 0, 0
	for round := range *damages {
		data := append([]byte(nil), intact...)
		what, length := d.damage(data)
		if length == 0 {
			continue
		}
		files++
		switch found, wrong := read(data[:length]); {
		case wrong != "":
			silent++
			t.Logf("round %d: %s: %s", round, what, wrong)
		case found.right == 0:
			unanswered++
		case found.errors > 0:
			affected++
		default:
			unaffected++
		}
	}
	t.Logf("of %d damaged files: %d gave no right answer, %d gave some errors, %d gave only right answers, %d gave wrong answers",
		files, unanswered, affected, unaffected, silent)
}

// dynoxide is a running server.
type dynoxide struct {
	command *exec.Cmd
	exited  chan struct{}
	client  client // nil if the server did not start
}

// startDynoxide starts a server, and waits until it accepts connections or its process
// ends.
func startDynoxide(t *testing.T, program, path string) dynoxide {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_, port, err := net.SplitHostPort(address)
	if err := errors.Join(err, listener.Close()); err != nil {
		t.Fatal(err)
	}
	d := dynoxide{command: exec.CommandContext(t.Context(), program, "--port", port, "--db-path", path), exited: make(chan struct{})}
	if err := d.command.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(d.exited)
		_ = d.command.Wait()
	}()
	for range 1000 {
		select {
		case <-d.exited:
			return d
		case <-time.After(10 * time.Millisecond):
		}
		if connection, err := net.Dial("tcp", address); err == nil {
			_ = connection.Close()
			d.client = dynamodb.New(dynamodb.Options{
				BaseEndpoint: aws.String("http://" + address), Region: "us-east-1", Retryer: aws.NopRetryer{},
				Credentials: credentials.NewStaticCredentialsProvider("test", "test", ""), HTTPClient: &impatient{client: http.Client{Timeout: 10 * time.Second}},
			})
			return d
		}
	}
	return d
}

func (d dynoxide) stop(t *testing.T, signal os.Signal) {
	t.Helper()
	if err := d.command.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	<-d.exited
}

// impatient is an HTTP client. After one request without an answer in time, it fails all
// requests immediately, because a server that hangs would delay each of them.
type impatient struct {
	client http.Client
	err    error
}

func (c *impatient) Do(r *http.Request) (*http.Response, error) {
	if c.err != nil {
		return nil, c.err
	}
	response, err := c.client.Do(r)
	if os.IsTimeout(err) {
		c.err = err
	}
	return response, err
}

// sqliteFile is the content of a SQLite file. Its format is described at
// https://www.sqlite.org/fileformat2.html.
type sqliteFile []byte

// Kinds of pages.
const (
	sqliteIndexBranch = 2
	sqliteTableBranch = 5
	sqliteIndexLeaf   = 10
	sqliteTableLeaf   = 13
)

func (f sqliteFile) page(at int) []byte          { return f[at : at+filePage] }
func (f sqliteFile) header() (pages, length int) { return 1, 100 }

func (f sqliteFile) isTree(page int) bool {
	return f.isBranch(page) || f[page] == sqliteIndexLeaf || f[page] == sqliteTableLeaf
}

func (f sqliteFile) isBranch(page int) bool {
	return f[page] == sqliteIndexBranch || f[page] == sqliteTableBranch
}

func (f sqliteFile) elements(page int) (at, size, count int) {
	at = page + 8
	if f.isBranch(page) {
		at = page + 12
	}
	return at, 2, int(binary.BigEndian.Uint16(f[page+3:]))
}

// key returns the position and length of the first bytes of a cell, which contain the
// key.
func (f sqliteFile) key(page, element int) (at, length int) {
	first, size, _ := f.elements(page)
	at = int(binary.BigEndian.Uint16(f[first+size*element:]))
	length = 64
	if f[page] == sqliteTableBranch {
		length = 5 // the number of a page, and at least one byte of a row number
	}
	return page + at, min(length, filePage-at)
}
