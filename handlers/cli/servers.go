package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"stockroom/web"
)

// shutdownTimeout limits how long Close waits for requests in progress.
const shutdownTimeout = 10 * time.Second

// servers runs the HTTP servers of this process.
type servers struct {
	log    *slog.Logger
	all    []*http.Server
	failed chan error
}

func newServers(log *slog.Logger) *servers { return &servers{log: log, failed: make(chan error, 1)} }

// start serves requests on a listener in the background, until Close is called.
func (s *servers) start(listener net.Listener, handler http.Handler) {
	server := web.NewServer(handler, s.log)
	s.all = append(s.all, server)
	go func() {
		err := server.Serve(listener)
		if errors.Is(err, http.ErrServerClosed) {
			return
		}
		select {
		case s.failed <- fmt.Errorf("server on %s failed: %w", listener.Addr(), err):
		default: // keep the error of the server that failed first
		}
	}()
}

// wait waits until ctx is cancelled or a server fails. It returns the error of the server.
func (s *servers) wait(ctx context.Context) error {
	select {
	case err := <-s.failed:
		return err
	case <-ctx.Done():
		s.log.Info("stopping", "timeout", shutdownTimeout)
		return nil
	}
}

// Close makes all servers stop accepting requests at once, and waits for the requests in
// progress. After shutdownTimeout, it aborts them.
func (s *servers) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), shutdownTimeout)
	defer cancel()
	failed := make([]error, len(s.all))
	var wait sync.WaitGroup
	for i, server := range s.all {
		wait.Go(func() {
			err := server.Shutdown(ctx)
			if errors.Is(err, context.DeadlineExceeded) {
				err = errors.Join(fmt.Errorf("requests took longer than %s and were aborted", shutdownTimeout), server.Close())
			}
			failed[i] = err
		})
	}
	wait.Wait()
	return errors.Join(failed...)
}
