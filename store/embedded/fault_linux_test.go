package embedded_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"golang.org/x/sys/unix"

	"stockroom/store/embedded"
)

func childTasks() map[string]childTask {
	return map[string]childTask{"transfer": transferLoop, "address space": useLittleAddressSpace, "compact": compactLoop, "reopen": reopenLoop, "failing sync": writeWithFailingSync, "full disk": writeToFullDisk}
}

// failSyncs makes all further calls of fsync and fdatasync in this process fail with
// EIO.
func failSyncs() error {
	const loadCall = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	const jumpIf = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	const ret = unix.BPF_RET | unix.BPF_K
	program := []unix.SockFilter{
		{Code: loadCall},
		{Code: jumpIf, K: unix.SYS_FDATASYNC, Jt: 2},
		{Code: jumpIf, K: unix.SYS_FSYNC, Jt: 1},
		{Code: ret, K: unix.SECCOMP_RET_ALLOW},
		{Code: ret, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EIO)},
	}
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no new privileges: %w", err)
	}
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&filter)))
	if errno != 0 {
		return fmt.Errorf("seccomp: %w", errno)
	}
	return nil
}

// tryPut writes an item, and prints its key if the write is acknowledged.
func tryPut(db *embedded.DB, k item) error {
	_, err := db.PutItem(context.Background(), &dynamodb.PutItemInput{TableName: aws.String(shop), Item: k})
	if err == nil {
		fmt.Println(show(k["SK"]))
	}
	return err
}

// checkRead reads the item that was written before the fault.
func checkRead(db *embedded.DB) error {
	out, err := db.GetItem(context.Background(), &dynamodb.GetItemInput{TableName: aws.String(shop), Key: key("a", "before")})
	if err == nil && out.Item == nil {
		err = errors.New("the item written before the fault is missing")
	}
	return err
}

func writeWithFailingSync(dir string) error {
	db, err := embedded.Open(dir, newTestClock().now, embedded.Options{})
	if err != nil {
		return err
	}
	if err := tryPut(db, key("a", "before")); err != nil {
		return err
	}
	if err := failSyncs(); err != nil {
		return err
	}
	for i := range 3 {
		if err := tryPut(db, key("a", fmt.Sprint("unsynced ", i))); !errors.Is(err, unix.EIO) {
			return fmt.Errorf("write %d: got %w, want EIO", i, err)
		}
	}
	return checkRead(db)
}

func writeToFullDisk(dir string) error {
	db, err := embedded.Open(dir, newTestClock().now, embedded.Options{})
	if err != nil {
		return err
	}
	if err := tryPut(db, key("a", "before")); err != nil {
		return err
	}
	info, err := os.Stat(file(dir))
	if err != nil {
		return err
	}
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	full := unix.Rlimit{Cur: uint64(info.Size()), Max: limit.Max}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &full); err != nil {
		return err
	}
	large := s(strings.Repeat("x", 390<<10))
	for i := 0; err == nil; i++ {
		err = tryPut(db, with(key("large", fmt.Sprint("large ", i)), "Data", large))
	}
	if !errors.Is(err, unix.EFBIG) && !strings.Contains(err.Error(), unix.EFBIG.Error()) {
		return fmt.Errorf("write beyond the limit: got %w, want EFBIG", err)
	}
	if err := checkRead(db); err != nil {
		return err
	}
	if err := tryPut(db, key("a", "small enough")); err != nil {
		return fmt.Errorf("write within the limit: %w", err)
	}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		return err
	}
	if err := tryPut(db, with(key("large", "at last"), "Data", large)); err != nil {
		return fmt.Errorf("write after raising the limit: %w", err)
	}
	return db.Close()
}

// useLittleAddressSpace limits the address space to 1.5 GB more than the process uses,
// which is too little for the engine's usual mapping. All operations that map a file must
// still work.
func useLittleAddressSpace(dir string) error {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return err
	}
	var pages uint64
	if _, err := fmt.Sscan(string(text), &pages); err != nil {
		return err
	}
	limit := pages*uint64(os.Getpagesize()) + 1536<<20
	if err := unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
		return err
	}
	if _, err := unix.Mmap(-1, 0, 2<<30, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE); err == nil {
		return errors.New("the limit has no effect")
	}
	db, err := embedded.Open(dir, newTestClock().now, embedded.Options{})
	if err != nil {
		return err
	}
	large := s(strings.Repeat("x", 350<<10))
	for i := range 120 { // 42 MB in total
		if err := tryPut(db, with(key("large", fmt.Sprint("large ", i)), "Data", large)); err != nil {
			return err
		}
	}
	if _, err := db.Compact(context.Background()); err != nil {
		return err
	}
	if err := tryPut(db, key("a", "after Compact")); err != nil {
		return err
	}
	if err := db.Backup(context.Background(), io.Discard); err != nil {
		return err
	}
	return db.Close()
}

// TestOpen_LittleAddressSpace limits the address space. Open must use a smaller mapping
// instead of failing.
func TestOpen_LittleAddressSpace(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	create(t, db, shopTable())
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := child(t, "address space", dir).Output(); err != nil {
		t.Fatal(err)
	}
	db = open(t, dir)
	if get(t, db, key("large", "large 119")) == nil || get(t, db, key("a", "after Compact")) == nil {
		t.Error("an acknowledged write is missing, want all of them stored")
	}
}

func TestDiskFailure(t *testing.T) {
	for task, want := range map[string]struct{ acknowledged, absent []string }{
		"failing sync": {[]string{"before"}, []string{"unsynced 0", "unsynced 1", "unsynced 2"}},
		"full disk":    {[]string{"before", "small enough", "at last"}, nil},
	} {
		t.Run(task, func(t *testing.T) {
			dir := t.TempDir()
			db := open(t, dir)
			create(t, db, shopTable())
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			out, err := child(t, task, dir).Output()
			if err != nil {
				t.Fatal(err)
			}
			acknowledged := strings.Split(strings.TrimSpace(string(out)), "\n")
			db = open(t, dir)
			for _, name := range want.acknowledged {
				if !strings.Contains(string(out), name) {
					t.Errorf("got acknowledged writes %q, want %q among them", acknowledged, name)
				}
			}
			for _, name := range acknowledged {
				name = strings.Trim(name, `"`)
				if get(t, db, key("a", name)) == nil && get(t, db, key("large", name)) == nil {
					t.Errorf("got no acknowledged write %q, want it stored", name)
				}
			}
			for _, name := range want.absent {
				if strings.Contains(string(out), name) {
					t.Errorf("write %q was acknowledged without a sync, want an error", name)
				}
			}
			if found := problems(t, db); found != nil {
				t.Errorf("got problems %v, want none", found)
			}
		})
	}
}

// TestReopen_KeepsLock tries to lock the file as another process would, while the store
// reopens it. In the end, the file must be mapped only once.
func TestReopen_KeepsLock(t *testing.T) {
	dir := t.TempDir()
	db, log := openReopening(t, dir, fewAllocations)
	other, err := os.Open(file(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	lock := func() error { return unix.Flock(int(other.Fd()), unix.LOCK_EX|unix.LOCK_NB) }
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
			}
			if err := lock(); !errors.Is(err, unix.EWOULDBLOCK) {
				t.Errorf("lock: got error %v, want %v", err, unix.EWOULDBLOCK)
				return
			}
		}
	}()
	for i := 0; log.reopened.Load() < 20; i++ {
		put(t, db, with(key("a", fmt.Sprint(i%20)), "Status", s("OPEN"), "Total", n(i)))
	}
	close(stop)
	<-stopped
	waitFor(t, "end of the old mappings", func() bool {
		maps, err := os.ReadFile("/proc/self/maps")
		return err == nil && strings.Count(string(maps), file(dir)) == 1
	})
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := lock(); err != nil {
		t.Errorf("lock after Close: got error %v, want none", err)
	}
}
