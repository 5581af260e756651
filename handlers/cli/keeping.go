package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"stockroom/store/embedded"
)

// keeper looks after the embedded store as a whole: the engine itself, or the
// server that holds it.
type keeper interface {
	// Backup writes the store as it is at this moment.
	Backup(ctx context.Context, w io.Writer) error
	// Check reports what is wrong with the store, in sentences.
	Check(ctx context.Context, report func(problem string)) error
}

// What the socket answers besides the DynamoDB API. It is a socket for this
// user alone; an address that -dynamodb-addr names has none of it.
const (
	backupPath = "/stockroom/backup"
	checkPath  = "/stockroom/check"
)

// withKeeper runs a command on the embedded store as a whole.
func (c *call) withKeeper(ctx context.Context, run func(keeper) error) error {
	return c.with(ctx, false, func(b *backend) error {
		if b.engine != nil {
			return run(b.engine)
		}
		return run(besideServer{b.server})
	})
}

// keep answers a keeper beside the server on the socket, and passes on what
// asks for the table.
func keep(engine *embedded.DB, api http.Handler) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("/", api)
	mux.HandleFunc("GET "+backupPath, func(w http.ResponseWriter, r *http.Request) {
		takeTime(w)
		if err := engine.Backup(r.Context(), w); err != nil {
			panic(http.ErrAbortHandler) // half of a backup must not look whole
		}
	})
	mux.HandleFunc("GET "+checkPath, func(w http.ResponseWriter, r *http.Request) {
		takeTime(w)
		lines := json.NewEncoder(w)
		var failed error
		err := engine.Check(r.Context(), func(problem string) { failed = errors.Join(failed, lines.Encode(finding{Problem: problem})) })
		if errors.Join(err, failed) != nil {
			panic(http.ErrAbortHandler)
		}
		_ = lines.Encode(finding{Done: true}) // whoever asked misses it where it is lost
	})
	return mux
}

// takeTime lets an answer take as long as the store is large.
func takeTime(w http.ResponseWriter) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // a connection that cannot ends earlier, and is noticed
}

// finding is a line of what a check answers.
type finding struct {
	Problem string `json:",omitempty"`
	Done    bool   `json:",omitempty"` // nothing follows
}

// besideServer asks the server that holds the store.
type besideServer struct{ server *http.Client }

// errCutOff says that the server's answer did not come to its end.
var errCutOff = errors.New("the server broke off; its log says why")

// Backup implements keeper.
func (b besideServer) Backup(ctx context.Context, w io.Writer) error {
	return b.ask(ctx, backupPath, func(body io.Reader) error {
		_, err := io.Copy(w, body)
		return err
	})
}

// Check implements keeper.
func (b besideServer) Check(ctx context.Context, report func(problem string)) error {
	return b.ask(ctx, checkPath, func(body io.Reader) error {
		for lines := json.NewDecoder(bufio.NewReader(body)); ; {
			var f finding
			if err := lines.Decode(&f); err != nil || f.Done {
				return err
			}
			report(f.Problem)
		}
	})
}

func (b besideServer) ask(ctx context.Context, path string, read func(io.Reader) error) (err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, socketURL+path, nil)
	if err != nil {
		return err
	}
	response, err := b.server.Do(request)
	if err != nil {
		return err
	}
	defer release(response.Body, &err)
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("the server that holds the store answers %s: is it of this version?", response.Status)
	}
	if err := read(response.Body); errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return errCutOff
	} else if err != nil {
		return err
	}
	return nil
}
