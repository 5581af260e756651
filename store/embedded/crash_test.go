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
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store/embedded"
)

var crashes = flag.Int("crashes", 20, "how often the crash test kills its writer")

// A test that needs a process to kill or to harm runs this binary again, with
// the name of what the child is to do and its folder in the environment.
const (
	childVariable  = "STOCKROOM_TEST_CHILD"
	folderVariable = "STOCKROOM_TEST_FOLDER"
)

// childTask is what a child can do; its error is told to the parent. Which
// there are, childTasks says for each system.
type childTask func(dir string) error

func TestMain(m *testing.M) {
	task, isChild := childTasks()[os.Getenv(childVariable)]
	if !isChild {
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

// transferForever moves stock about, with an entry in a log in the same
// transaction, and prints the entry's key when it is acknowledged.
func transferForever(dir string) error {
	db, err := embedded.Open(dir, newTestClock().now, embedded.Options{})
	if err != nil {
		return err
	}
	run := fmt.Sprint(rand.Uint64())
	var out sync.Mutex
	var wait sync.WaitGroup
	failed := make(chan error, 1)
	for writer := range 8 {
		wait.Go(func() {
			for i := 0; ; i++ {
				entry := fmt.Sprintf("%s-%d-%06d", run, writer, i)
				from, quantity := rand.IntN(crashPlaces), 1+rand.IntN(crashStock/2)
				to := (from + 1 + rand.IntN(crashPlaces-1)) % crashPlaces
				log := with(key("log", entry), "From", n(from), "To", n(to), "Quantity", n(quantity), "Status", s("LOG"), "Total", n(quantity))
				_, err := db.TransactWriteItems(context.Background(), &dynamodb.TransactWriteItemsInput{
					TransactItems: append(move(place(from), place(to), quantity), putOf(log, "attribute_not_exists(PK)")),
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

// A process that is killed loses nothing that it acknowledged, and leaves no
// transaction half done.
func TestKilledWriterLosesNothing(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	create(t, db, shopTable())
	for i := range crashPlaces {
		put(t, db, with(place(i), "Quantity", n(crashStock)))
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	acknowledged := map[string]bool{}
	for round := range *crashes {
		before := len(acknowledged)
		killAtRandom(t, child(t, "transfer", dir), acknowledged)
		t.Logf("killed after %d acknowledged transactions", len(acknowledged)-before)
		db := open(t, dir)
		checkLog(t, db, acknowledged)
		if found := problems(t, db); found != nil {
			t.Errorf("after %d kills: %v", round+1, found)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if t.Failed() {
			return
		}
	}
	if len(acknowledged) == 0 {
		t.Error("nothing was ever acknowledged")
	}
}

// killAtRandom kills a writer some time after its first line and notes the
// whole lines that it wrote.
func killAtRandom(t *testing.T, cmd *exec.Cmd, acknowledged map[string]bool) {
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
	_ = cmd.Wait() // it was killed
}

// checkLog holds the stock against the log: every acknowledged entry is there,
// and the stock is what the entries that are there make of it.
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
		t.Errorf("%d of %d acknowledged transactions are there", found, len(acknowledged))
	}
	for i, want := range stock {
		if got := number(t, get(t, db, place(i))["Quantity"]); got != want || got < 0 {
			t.Errorf("place %d has %d, its log says %d", i, got, want)
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
