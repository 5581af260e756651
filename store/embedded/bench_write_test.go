package embedded_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"go.etcd.io/bbolt"
)

// plain is the baseline for the benchmark of writes. It writes as many keys as the engine
// and values of the same size, but directly with bbolt. Like the engine, it commits
// waiting writes together.
type plain struct {
	bolt     *bbolt.DB
	requests chan plainPut
}

type plainPut struct {
	keys  [3][]byte // keys in the table and in two indexes
	value []byte
	done  chan error
}

func openPlain(b *testing.B) *plain {
	bolt, err := bbolt.Open(filepath.Join(b.TempDir(), "plain"), 0o600, &bbolt.Options{FreelistType: bbolt.FreelistMapType, InitialMmapSize: 1 << 30})
	if err != nil {
		b.Fatal(err)
	}
	p := &plain{bolt: bolt, requests: make(chan plainPut, 256)}
	b.Cleanup(func() {
		close(p.requests)
		if err := bolt.Close(); err != nil {
			b.Error(err)
		}
	})
	go p.commit()
	return p
}

func (p *plain) commit() {
	for first := range p.requests {
		batch := []plainPut{first}
		for len(p.requests) > 0 {
			batch = append(batch, <-p.requests)
		}
		err := p.bolt.Update(func(tx *bbolt.Tx) error {
			for i, name := range []string{"items", "index1", "index2"} {
				bucket, err := tx.CreateBucketIfNotExists([]byte(name))
				if err != nil {
					return err
				}
				for _, put := range batch {
					if err := bucket.Put(put.keys[i], put.value); err != nil {
						return err
					}
				}
			}
			return nil
		})
		for _, put := range batch {
			put.done <- err
		}
	}
}

func (p *plain) put(i int) error {
	value := make([]byte, 458) // size of an encoded order
	done := make(chan error, 1)
	p.requests <- plainPut{[3][]byte{
		fmt.Appendf(nil, "c#%05d o#%08d", i/40, i),
		fmt.Appendf(nil, "S%04d o#%08d c#%05d o#%08d", i%997, i, i/40, i),
		fmt.Appendf(nil, "S%04d %04d c#%05d o#%08d", i%997, i%5000, i/40, i),
	}, value, done}
	return <-done
}

// BenchmarkDurableWrites measures writes with one and with 32 concurrent writers: new
// orders of random customers, updates of random items, the baseline plain, and appending
// to a file. ns/op is the duration of one write divided by the number of writers.
func BenchmarkDurableWrites(b *testing.B) {
	db := open(b, b.TempDir())
	create(b, db, benchTable())
	load(b, db, orders(benchItems())...)
	bolt := openPlain(b)
	var wait sync.WaitGroup
	for writer := range 64 {
		wait.Go(func() {
			for i := writer; i < benchItems(); i += 64 {
				if err := bolt.put(i); err != nil {
					b.Error(err)
				}
			}
		})
	}
	wait.Wait()
	var next atomic.Int64
	next.Store(int64(benchItems()))
	newOrder := func() int { return int(next.Add(1))*1_000_003%100_000_000 + rand.IntN(2) }
	for _, writers := range []int{1, 32} {
		for name, write := range map[string]func() error{
			"engine": func() error {
				_, err := db.PutItem(b.Context(), &dynamodb.PutItemInput{TableName: aws.String(shop), Item: order(newOrder())})
				return err
			},
			"engine, update": func() error {
				_, err := db.UpdateItem(b.Context(), &dynamodb.UpdateItemInput{
					TableName: aws.String(shop), Key: key("stock", fmt.Sprint(rand.IntN(benchItems()))), UpdateExpression: aws.String("ADD Quantity :one"),
					ExpressionAttributeValues: item{":one": n(1)}, ReturnValues: types.ReturnValueUpdatedNew,
				})
				return err
			},
			"plain bbolt": func() error {
				i := newOrder()
				order(i) // create the item without using it, because the benchmarks of the engine include this time
				return bolt.put(i)
			},
		} {
			b.Run(fmt.Sprintf("%s, %d writers", name, writers), func(b *testing.B) {
				var left atomic.Int64
				left.Store(int64(b.N))
				var wait sync.WaitGroup
				for range writers {
					wait.Go(func() {
						for left.Add(-1) >= 0 {
							if err := write(); err != nil {
								b.Error(err)
								return
							}
						}
					})
				}
				wait.Wait()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
			})
		}
	}
	b.Run("append and fsync, 1 writer", func(b *testing.B) {
		f, err := os.Create(filepath.Join(b.TempDir(), "log"))
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		for b.Loop() {
			if _, err := f.Write(make([]byte, 458)); err != nil {
				b.Fatal(err)
			}
			if err := f.Sync(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
