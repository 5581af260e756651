package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/handlers"
	"stockroom/store"
	"stockroom/store/embedded"
)

// backend is the database that a command uses.
type backend struct {
	store.DB
	engine *embedded.DB // set only if this process has opened the data folder
	server *http.Client // client of the server that has opened the data folder; otherwise nil
	close  func() error
}

// Close closes the data folder, if this process has opened it, or the connections to the
// server that has.
func (b *backend) Close() error { return b.close() }

// open opens the backend of a command, as connect does. If no server runs, open opens the
// data folder in this process. If the folder contains no store, open creates one if create
// is true, and otherwise returns an error.
func (c *call) open(ctx context.Context, create bool) (*backend, error) {
	b, err := c.connect(ctx)
	if !errors.Is(err, errNoServer) {
		return b, err
	}
	if !create {
		if err := c.requireStore(); err != nil {
			return nil, err
		}
	}
	b, err = c.openFolder()
	if errors.Is(err, embedded.ErrInUse) {
		return nil, fmt.Errorf("the folder %s is in use by another process, which does not answer on %s: stop that process, or choose another folder with -data", c.data, c.socketPath())
	}
	return b, err
}

// connect connects to Amazon DynamoDB with -dynamodb, and otherwise to the server that has
// opened the data folder. It returns errNoServer if no server runs.
func (c *call) connect(ctx context.Context) (*backend, error) {
	if c.dynamodb {
		return c.connectDynamoDB(ctx)
	}
	return dialServer(ctx, c.socketPath())
}

// requireStore returns an error if the data folder contains no store.
func (c *call) requireStore() error {
	if _, err := os.Stat(filepath.Join(c.data, embedded.FileName)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the folder %s has no store: run 'stockroom serve' to create one, or choose another folder with -data", c.data)
	}
	return nil
}

func (c *call) socketPath() string { return filepath.Join(c.data, socketName) }

// openFolder opens the data folder in this process.
func (c *call) openFolder() (*backend, error) {
	engine, err := embedded.Open(c.data, c.clock, embedded.Options{Log: c.log})
	if err != nil {
		return nil, err
	}
	return &backend{DB: engine, engine: engine, close: engine.Close}, nil
}

// Retry settings for throttled requests. In a test that throttled 30 % of all requests,
// none failed with these settings. With the SDK's default of 3 attempts, 2.8 % failed.
// See https://docs.aws.amazon.com/sdkref/latest/guide/feature-retry-behavior.html
const (
	maxAttempts = 8
	maxBackoff  = 2 * time.Second

	// attemptTimeout limits one attempt, from connecting to reading the response.
	// DynamoDB normally answers within milliseconds. If a connection is dead, the
	// request timeout of a page still leaves time for a second attempt.
	attemptTimeout = 4 * time.Second
)

// maxIdleConns is the number of idle connections to the database that stay open.
// connectDynamoDB adds the maximum number of workers of a job. The SDK keeps only 10, but a
// list can query more shards than that at the same time.
const maxIdleConns = 64

// connectDynamoDB returns a client for Amazon DynamoDB. It returns an error if the region
// or the credentials are not set, because the SDK would retry the first request several
// times before it fails.
func (c *call) connectDynamoDB(ctx context.Context) (*backend, error) {
	cfg, err := config.LoadDefaultConfig(ctx,
		config.WithRetryer(func() aws.Retryer {
			return retry.NewStandard(func(o *retry.StandardOptions) {
				o.MaxAttempts, o.MaxBackoff = maxAttempts, maxBackoff
			})
		}),
		config.WithHTTPClient(awshttp.NewBuildableClient().WithTimeout(attemptTimeout).WithTransportOptions(func(t *http.Transport) {
			t.MaxIdleConnsPerHost = maxIdleConns + c.workers*store.MaxShards // a job has c.workers workers for each shard
			t.MaxIdleConns = t.MaxIdleConnsPerHost
		})),
	)
	if err != nil {
		return nil, fmt.Errorf("invalid AWS configuration: %w", err)
	}
	// Wrap the client after loading the configuration, because AWS_CA_BUNDLE requires a
	// BuildableClient.
	cfg.HTTPClient = steadyClient{cfg.HTTPClient}
	if cfg.Region == "" {
		return nil, errors.New("-dynamodb needs an AWS region: set AWS_REGION, or AWS_PROFILE to a profile with a region")
	}
	if _, err := cfg.Credentials.Retrieve(ctx); err != nil {
		return nil, errors.New("-dynamodb needs AWS credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or run 'aws sso login'")
	}
	return &backend{DB: dynamodb.NewFromConfig(cfg), close: func() error { return nil }}, nil
}

// openStore opens the store in the backend's table. If the table is missing and create
// is true, it creates the table, but only in the embedded store. On Amazon DynamoDB,
// only the command 'stockroom table create' creates a table, because it costs money.
func (c *call) openStore(ctx context.Context, b *backend, create bool) (*store.Store, error) {
	s := store.New(b.DB, c.table, c.clock)
	problems, building, err := s.CheckTable(ctx)
	if isMissingTable(err) && create && !c.dynamodb {
		return s, c.initTable(ctx, s)
	}
	if err != nil {
		return nil, c.missingTable(err)
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("table %s does not match the required schema: %s Run '%s' to see all problems", c.table, problems[0], c.fullCommand("table check"))
	}
	c.building = building
	for _, index := range building {
		c.log.Warn("DynamoDB is still creating an index. Until it is ready, some pages do not work or are incomplete", "index", index, "pages", strings.Join(handlers.PagesOfIndex(index), ", "))
	}
	return s, nil
}

// initTable creates the table. The embedded store gets one shard: it is a single file, so
// more shards would not make it faster, but each shard would add a query to every list.
func (c *call) initTable(ctx context.Context, s *store.Store) error {
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

func (c *call) withBackend(ctx context.Context, create bool, run func(*backend) error) (err error) {
	b, err := c.open(ctx, create)
	if err != nil {
		return err
	}
	defer closeJoin(b, &err)
	return run(b)
}

func (c *call) withStore(ctx context.Context, create bool, run func(*store.Store) error) error {
	return c.withBackend(ctx, create, func(b *backend) error {
		s, err := c.openStore(ctx, b, create)
		if err != nil {
			return err
		}
		return run(s)
	})
}

// withServer is like withStore, but never opens the data folder in this process. If no
// server has opened the folder, or if the server stops while the command runs, it returns
// errNoServer.
func (c *call) withServer(ctx context.Context, run func(*store.Store) error) (err error) {
	b, err := c.connect(ctx)
	if errors.Is(err, errNoServer) {
		if err := c.requireStore(); err != nil {
			return err
		}
	}
	if err != nil {
		return err
	}
	defer closeJoin(b, &err)
	s, err := c.openStore(ctx, b, false)
	if err == nil {
		err = run(s)
	}
	if !c.dynamodb && isDialError(err) {
		return errNoServer
	}
	return err
}
