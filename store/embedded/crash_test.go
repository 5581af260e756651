package embedded_test

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded"
)

var crashes = flag.Int("crashes", 20, "number of times the crash test kills its writer")

// Some tests kill a process or inject faults into it. They run this test binary as a
// child process. These environment variables tell the child its task and its folder.
const (
	childVariable  = "STOCKROOM_TEST_CHILD"
	folderVariable = "STOCKROOM_TEST_FOLDER"
)

// childTask is a task of a child process. The child writes its error to standard
// error. childTasks returns the tasks that the operating system supports.
type childTask func(dir string) error

func TestMain(m *testing.M) {
	task, isChild := childTasks()[os.Getenv(childVariable)]
	if !isChild {
		if os.Getenv("GOGC") == "" {
			debug.SetGCPercent(300) // spends less time on garbage collection
		}
		os.Exit(m.Run())
	}
	if err := task(os.Getenv(folderVariable)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func child(t *testing.T, task, dir string) *exec.Cmd {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), binary)
	cmd.Env = append(os.Environ(), childVariable+"="+task, folderVariable+"="+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

const (
	crashPlaces = 6
	crashStock  = 50
)

// transferLoop transfers stock in a loop. Each transaction also adds a log item.
// When the transaction is acknowledged, transferLoop prints the key of the log item.
func transferLoop(dir string) error {
	return transfers(dir, func(*embedded.DB) error { select {} })
}

// transfers is like transferLoop, and runs a function at the same time. It ends when this
// function ends or a write fails.
func transfers(dir string, other func(*embedded.DB) error) error {
	db, err := embedded.Open(dir, newTestClock().now, embedded.Options{})
	if err != nil {
		return err
	}
	run := fmt.Sprint(rand.Uint64())
	var out sync.Mutex
	var wait sync.WaitGroup
	failed := make(chan error, 1)
	go func() { failed <- other(db) }()
	for writer := range 8 {
		wait.Go(func() {
			for i := 0; ; i++ {
				entry := fmt.Sprintf("%s-%d-%06d", run, writer, i)
				from, quantity := rand.IntN(crashPlaces), 1+rand.IntN(crashStock/2)
				to := (from + 1 + rand.IntN(crashPlaces-1)) % crashPlaces
				log := with(key("log", entry), "From", n(from), "To", n(to), "Quantity", n(quantity), "Status", s("LOG"), "Total", n(quantity))
				_, err := db.TransactWriteItems(context.Background(), &dynamodb.TransactWriteItemsInput{
					TransactItems: append(transfer(stockKey(from), stockKey(to), quantity), putOf(log, "attribute_not_exists(PK)")),
				})
				var cancelled *types.TransactionCanceledException
				if errors.As(err, &cancelled) {
					continue
				}
				if err != nil {
					failed <- err
					return
				}
				out.Lock()
				fmt.Println(entry)
				out.Unlock()
			}
		})
	}
	return <-failed
}

// TestCrash_KeepsAcknowledgedWrites kills a writer many times. No acknowledged
// transaction may be lost, and no transaction may be half applied.
func TestCrash_KeepsAcknowledgedWrites(t *testing.T) {
	killTransfers(t, "transfer", *crashes, shopTable())
}

// killTransfers starts a child with the given task, which writes like transferLoop, kills
// the child and then checks the store. It repeats this until a check fails, at most as
// often as kills says.
func killTransfers(t *testing.T, task string, kills int, table *dynamodb.CreateTableInput) (dir string) {
	t.Helper()
	dir = t.TempDir()
	db := open(t, dir)
	create(t, db, table)
	for i := range crashPlaces {
		put(t, db, with(stockKey(i), "Quantity", n(crashStock)))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	acknowledged := map[string]bool{}
	for round := range kills {
		before := len(acknowledged)
		killAfterDelay(t, child(t, task, dir), acknowledged)
		t.Logf("killed after %d acknowledged transactions", len(acknowledged)-before)
		db := open(t, dir)
		checkLog(t, db, acknowledged)
		if table.StreamSpecification != nil {
			checkReplay(t, db)
		}
		if found := problems(t, db); found != nil {
			t.Errorf("after %d kills: got problems %v, want none", round+1, found)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			return dir
		}
	}
	if len(acknowledged) == 0 {
		t.Error("got no acknowledged transaction, want some")
	}
	return dir
}

// killAfterDelay starts a writer, and kills it at a random time within 60 milliseconds
// after its first line. It adds to acknowledged each complete line that the writer has
// printed.
func killAfterDelay(t *testing.T, cmd *exec.Cmd, acknowledged map[string]bool) {
	t.Helper()
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(pipe)
	for first := true; ; first = false {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		acknowledged[strings.TrimSpace(line)] = true
		if first {
			time.AfterFunc(time.Duration(rand.IntN(60_000))*time.Microsecond, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // returns an error because the process was killed
}

// checkLog checks that every acknowledged log item exists, and that the stock
// matches all log items.
func checkLog(t *testing.T, db client, acknowledged map[string]bool) {
	t.Helper()
	stock := make([]int, crashPlaces)
	for i := range stock {
		stock[i] = crashStock
	}
	found := 0
	in := &dynamodb.QueryInput{
		TableName: aws.String(shop), KeyConditionExpression: aws.String("PK = :p"), ExpressionAttributeValues: item{":p": s("log")},
	}
	for {
		out, err := db.Query(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range out.Items {
			if acknowledged[entry["SK"].(*types.AttributeValueMemberS).Value] {
				found++
			}
			quantity := number(t, entry["Quantity"])
			stock[number(t, entry["From"])] -= quantity
			stock[number(t, entry["To"])] += quantity
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			break
		}
	}
	if found != len(acknowledged) {
		t.Errorf("got %d acknowledged transactions, want %d", found, len(acknowledged))
	}
	for i, want := range stock {
		if got := number(t, get(t, db, stockKey(i))["Quantity"]); got != want || got < 0 {
			t.Errorf("stock %d: got %d, want %d", i, got, want)
		}
	}
}

func number(t *testing.T, value types.AttributeValue) int {
	t.Helper()
	var parsed int
	if _, err := fmt.Sscan(value.(*types.AttributeValueMemberN).Value, &parsed); err != nil {
		t.Fatal(err)
	}
	return parsed
}
