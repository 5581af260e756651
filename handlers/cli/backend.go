package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"stockroom/store"
	"stockroom/store/embedded"
)

// backend is whatever keeps the table, open.
type backend struct {
	store.DB
	engine *embedded.DB // where this process holds the data folder itself
	server *http.Client // where another one does: what leads to its socket
	close  func() error
}

// Close lets go of what the backend holds.
func (b *backend) Close() error { return b.close() }

// open opens the backend for a command: Amazon DynamoDB where it was asked
// for, else the server that holds the data folder, else the folder itself.
// Only a command that makes what is not there may create a store.
func (c *call) open(ctx context.Context, create bool) (*backend, error) {
	if c.dynamodb {
		return c.connect(ctx)
	}
	client, err := dialServer(ctx, c.socketPath())
	if err == nil {
		return client, nil
	}
	if !errors.Is(err, errNoServer) {
		return nil, err
	}
	if _, err := os.Stat(filepath.Join(c.data, embedded.FileName)); !create && errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no store in the folder %s: 'stockroom serve' makes one, -data names another folder", c.data)
	}
	held, err := c.hold()
	if errors.Is(err, embedded.ErrHeld) {
		return nil, fmt.Errorf("the folder %s is held by another process, which does not answer on %s: stop that process, or name another folder with -data", c.data, c.socketPath())
	}
	return held, err
}

func (c *call) socketPath() string { return filepath.Join(c.data, socketName) }

// hold opens the data folder in this process.
func (c *call) hold() (*backend, error) {
	engine, err := embedded.Open(c.data, c.clock, embedded.Options{})
	if err != nil {
		return nil, err
	}
	return &backend{DB: engine, engine: engine, close: engine.Close}, nil
}

// What the SDK does with requests that DynamoDB throttles. With its usual 3
// attempts, 2.8 % of the requests fail while 30 % are throttled; with these
// none do.
const (
	attempts   = 8
	maxBackoff = 2 * time.Second
)

// parallel is how many connections are kept open. The SDK's own 10 are fewer
// than the shards of one list.
const parallel = 64

// connect makes the AWS SDK's client. That there are credentials and a region
// is asked here, because without them every request fails the long way round.
func (c *call) connect(ctx context.Context) (*backend, error) {
	cfg, err := config.LoadDefaultConfig(ctx,
		config.WithRetryer(func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) {
				o.MaxAttempts, o.MaxBackoff = attempts, maxBackoff
			})
		}),
		config.WithHTTPClient(awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) {
			t.MaxIdleConnsPerHost = parallel
		})),
	)
	if err != nil {
		return nil, fmt.Errorf("the AWS configuration cannot be used: %w", err)
	}
	if cfg.Region == "" {
		return nil, errors.New("-dynamodb needs an AWS region: set AWS_REGION, or AWS_PROFILE to a profile that names one")
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		return nil, errors.New("-dynamodb finds no AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or log in with 'aws sso login'")
	}
	return &backend{DB: dynamodb.NewFromConfig(cfg), close: func() error { return nil }}, nil
}

// business opens the business in the backend's table. On the embedded store
// the table is made where it is missing and create is set; a table of Amazon
// DynamoDB costs money, so there it takes 'stockroom table create'.
func (c *call) business(ctx context.Context, b *backend, create bool) (*store.Store, error) {
	s := store.New(b.DB, c.table, c.clock)
	lacks, err := s.CheckTable(ctx)
	var missing *types.ResourceNotFoundException
	if errors.As(err, &missing) && create && !c.dynamodb {
		return s, c.makeTable(ctx, s)
	}
	if err != nil {
		return nil, err
	}
	if len(lacks) > 0 {
		return nil, fmt.Errorf("the table %s is not as it needs to be: %s 'stockroom table check' says all that it lacks", c.table, lacks[0])
	}
	return s, nil
}

// makeTable makes the table and, on the embedded store, the first settings:
// there one shard, because a file has no partitions that keys could be spread
// over and every further shard would be one more query a list.
func (c *call) makeTable(ctx context.Context, s *store.Store) error {
	if err := s.CreateTable(ctx); err != nil || c.dynamodb {
		return err
	}
	settings, err := s.Settings(ctx)
	if err != nil || settings.Version > 0 {
		return err
	}
	settings.Shards, settings.ShardsRead = 1, 1
	return s.SaveSettings(ctx, settings, store.Program)
}

// with runs a command on the backend and closes it again.
func (c *call) with(ctx context.Context, create bool, run func(*backend) error) (err error) {
	b, err := c.open(ctx, create)
	if err != nil {
		return err
	}
	defer release(b, &err)
	return run(b)
}

// withBusiness runs a command on the business in the table.
func (c *call) withBusiness(ctx context.Context, create bool, run func(*store.Store) error) error {
	return c.with(ctx, create, func(b *backend) error {
		s, err := c.business(ctx, b, create)
		if err != nil {
			return err
		}
		return run(s)
	})
}
