package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"stockroom/web"
)

// drainTime is how long requests that are under way may go on when the
// program is to stop.
const drainTime = 10 * time.Second

// servers are all that listen in this process.
type servers struct {
	log    *slog.Logger
	all    []*http.Server
	failed chan error
}

func newServers(log *slog.Logger) *servers { return &servers{log: log, failed: make(chan error, 1)} }

// start serves what arrives at the listener, until Close.
func (s *servers) start(listener net.Listener, handler http.Handler) {
	server := web.NewServer(handler, s.log)
	s.all = append(s.all, server)
	go func() {
		err := server.Serve(listener)
		if errors.Is(err, http.ErrServerClosed) {
			return
		}
		select {
		case s.failed <- fmt.Errorf("the server at %s stopped: %w", listener.Addr(), err):
		default: // the first to fail stops all the others
		}
	}()
}

// wait returns when ctx ends, or when a server fails.
func (s *servers) wait(ctx context.Context) error {
	select {
	case err := <-s.failed:
		return err
	case <-ctx.Done():
		s.log.Info("stopping", "within", drainTime)
		return nil
	}
}

// Close takes no more requests and waits for those under way.
func (s *servers) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), drainTime)
	defer cancel()
	var failed error
	for _, server := range s.all {
		err := server.Shutdown(ctx)
		if errors.Is(err, context.DeadlineExceeded) {
			err = errors.Join(fmt.Errorf("requests took longer than %s and were cut off", drainTime), server.Close())
		}
		failed = errors.Join(failed, err)
	}
	return failed
}
