package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"stockroom/store/embedded"
)

// maintenance contains the operations on the whole embedded store. If this process has
// opened the store, it runs them. Otherwise, the server that has opened the store runs
// them.
type maintenance interface {
	// Backup writes a consistent snapshot of the store.
	Backup(ctx context.Context, w io.Writer) error
	// Check calls report with a sentence for each problem of the store.
	Check(ctx context.Context, report func(problem string)) error
	// Compact removes unused space from the file.
	Compact(ctx context.Context) (embedded.CompactResult, error)
}

// Paths of the maintenance requests. Only the socket serves them, because only the user who
// runs the server can connect to it.
const (
	backupPath  = "/stockroom/backup"
	checkPath   = "/stockroom/check"
	compactPath = "/stockroom/compact"
)

func (c *call) withMaintenance(ctx context.Context, run func(maintenance) error) error {
	return c.withBackend(ctx, false, func(b *backend) error {
		return run(b.maintenance())
	})
}

// maintenance returns the operations on the embedded store.
func (b *backend) maintenance() maintenance {
	if b.engine != nil {
		return b.engine
	}
	return remoteMaintenance{b.server}
}

// maintenanceHandler serves maintenance requests on the socket. It passes all other
// requests to the DynamoDB API.
func maintenanceHandler(engine *embedded.DB, api http.Handler) http.Handler {
	failed := func(r *http.Request, err error) {
		if r.Context().Err() == nil { // otherwise the client has disconnected
			engine.Log().Error("command failed", "path", r.URL.Path, "error", err)
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/", api)
	mux.HandleFunc("GET "+backupPath, func(w http.ResponseWriter, r *http.Request) {
		clearWriteDeadline(w)
		counted := countingWriter{w: w}
		if err := engine.Backup(r.Context(), &counted); err != nil {
			failed(r, err)
			if counted.size == 0 {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			panic(http.ErrAbortHandler) // close the connection, to tell the client that the backup is incomplete
		}
	})
	mux.HandleFunc("GET "+checkPath, func(w http.ResponseWriter, r *http.Request) {
		clearWriteDeadline(w)
		lines := json.NewEncoder(w)
		var writeErr error
		err := engine.Check(r.Context(), func(problem string) { writeErr = errors.Join(writeErr, lines.Encode(checkLine{Problem: problem})) })
		if err := errors.Join(err, writeErr); err != nil {
			failed(r, err)
			panic(http.ErrAbortHandler)
		}
		_ = lines.Encode(checkLine{Done: true}) // if this fails, the client misses the last line and reports an error
	})
	mux.HandleFunc("POST "+compactPath, func(w http.ResponseWriter, r *http.Request) {
		clearWriteDeadline(w)
		result, err := engine.Compact(r.Context())
		answer := compactAnswer{Result: result}
		if err != nil {
			failed(r, err)
			answer.Problem = err.Error()
		}
		_ = json.NewEncoder(w).Encode(answer) // if encoding fails, the client reports an error
	})
	return mux
}

// compactAnswer is the response to a request to compact.
type compactAnswer struct {
	Result  embedded.CompactResult
	Problem string
}

// clearWriteDeadline removes the deadline for writing the response, because a large store
// needs more time. It ignores errors: the response then ends at the deadline, and the
// client reports that.
func clearWriteDeadline(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
}

// checkLine is a line of the response to a check.
type checkLine struct {
	Problem string `json:",omitempty"`
	Done    bool   `json:",omitempty"` // marks the last line
}

// remoteMaintenance sends maintenance requests to the server that has opened the store.
type remoteMaintenance struct{ server *http.Client }

var errCutOff = errors.New("the server closed the connection early; see its log")

func (r remoteMaintenance) Backup(ctx context.Context, w io.Writer) error {
	return r.get(ctx, backupPath, func(body io.Reader) error {
		_, err := io.Copy(w, body)
		return err
	})
}

func (r remoteMaintenance) Check(ctx context.Context, report func(problem string)) error {
	return r.get(ctx, checkPath, func(body io.Reader) error {
		for lines := json.NewDecoder(bufio.NewReader(body)); ; {
			var line checkLine
			if err := lines.Decode(&line); err != nil || line.Done {
				return err
			}
			report(line.Problem)
		}
	})
}

func (r remoteMaintenance) Compact(ctx context.Context) (embedded.CompactResult, error) {
	var answer compactAnswer
	err := r.do(ctx, http.MethodPost, compactPath, func(body io.Reader) error { return json.NewDecoder(body).Decode(&answer) })
	if err == nil && answer.Problem != "" {
		err = errors.New(answer.Problem)
	}
	return answer.Result, err
}

func (r remoteMaintenance) get(ctx context.Context, path string, read func(io.Reader) error) error {
	return r.do(ctx, http.MethodGet, path, read)
}

// maxProblem is the maximum length of the text of an error that a server sends, in bytes.
const maxProblem = 4 << 10

func (r remoteMaintenance) do(ctx context.Context, method, path string, read func(io.Reader) error) (err error) {
	request, err := http.NewRequestWithContext(ctx, method, socketURL+path, nil)
	if err != nil {
		return err
	}
	response, err := r.server.Do(request)
	if errors.Is(err, io.EOF) {
		return errCutOff
	}
	if err != nil {
		return err
	}
	defer closeJoin(response.Body, &err)
	if response.StatusCode == http.StatusInternalServerError {
		problem, err := io.ReadAll(io.LimitReader(response.Body, maxProblem))
		return errors.Join(errors.New(strings.TrimSpace(string(problem))), err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server answered %s: check that it has the same version as this program", response.Status)
	}
	if err := read(response.Body); errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errCutOff
	} else if err != nil {
		return err
	}
	return nil
}
