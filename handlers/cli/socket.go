package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"stockroom/store/embedded"
)

// socketName is the name of the server's socket in the data folder. Only one process can
// open the data folder. While a server has it open, other commands use the store through
// this socket, which serves the DynamoDB API.
const socketName = "stockroom.sock"

// maxSocketPath is the maximum length of a socket's path, in bytes. The limit of the
// operating system is 104 or 108 bytes, including the zero byte at the end; see unix(7).
const maxSocketPath = 100

// pingTimeout limits the request that checks whether a server answers.
const pingTimeout = 2 * time.Second

// errNoServer means that no process listens on the socket.
var errNoServer = errors.New("no server is running")

// errNoAnswer means that a process listens on the socket, but does not answer within
// pingTimeout.
var errNoAnswer = errors.New("does not answer")

// listenSocket listens on a socket at path in the data folder, which this process must have
// opened. It replaces the socket of a process that was killed. It creates the socket in a
// private folder, sets its mode, and then moves it to path, so that other users can never
// connect.
func listenSocket(path string) (net.Listener, error) {
	if connection, err := dial(context.Background(), path); err == nil {
		return nil, errors.Join(fmt.Errorf("another process listens on %s: stop it, or choose another folder with -data", path), connection.Close())
	}
	private, err := os.MkdirTemp(filepath.Dir(path), embedded.SocketPrefix)
	if err != nil {
		advice := "give this user access"
		if errors.Is(err, syscall.ENOSPC) {
			advice = "free some space"
		}
		return nil, fmt.Errorf("cannot write to the data folder %s: %w; %s, or choose another folder with -data", filepath.Dir(path), fileError(err), advice)
	}
	defer os.RemoveAll(private)
	var listener *net.UnixListener
	created := filepath.Join(private, "s")
	err = withShortPath(created, func(short string) error {
		listener, err = net.ListenUnix("unix", &net.UnixAddr{Name: short, Net: "unix"})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("cannot create a socket in the folder %s: %w", filepath.Dir(path), err)
	}
	listener.SetUnlinkOnClose(false)
	if err := errors.Join(os.Chmod(created, 0o600), os.Rename(created, path)); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return &socketListener{listener, path}, nil
}

// socketListener is a listener that removes the file of its socket when it is closed.
type socketListener struct {
	net.Listener
	path string
}

func (l *socketListener) Close() error {
	if err := l.Listener.Close(); err != nil {
		return err
	}
	return os.Remove(l.path)
}

func dial(ctx context.Context, path string) (connection net.Conn, err error) {
	err = withShortPath(path, func(short string) error {
		connection, err = new(net.Dialer).DialContext(ctx, "unix", short)
		return err
	})
	return connection, err
}

// withShortPath calls use with the path of a socket. If the path is too long for the
// operating system, it passes a path through a temporary symbolic link to the folder
// instead.
func withShortPath(path string, use func(short string) error) error {
	if len(path) <= maxSocketPath {
		return use(path)
	}
	folder, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return err
	}
	links, err := os.MkdirTemp("", "stockroom-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(links)
	link := filepath.Join(links, "data")
	if err := os.Symlink(folder, link); err != nil {
		return err
	}
	return use(filepath.Join(link, filepath.Base(path)))
}

// dialServer connects to the server that has opened the data folder. It returns
// errNoServer if no process listens on the socket, and an error that wraps errNoAnswer if a
// process listens but does not answer.
func dialServer(ctx context.Context, path string) (*backend, error) {
	transport := &http.Transport{
		DialContext:         func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, path) },
		MaxIdleConnsPerHost: maxIdleConns,
	}
	client := &http.Client{Transport: transport}
	if err := ping(ctx, client); err != nil {
		transport.CloseIdleConnections()
		if isDialError(err) {
			return nil, errNoServer
		}
		return nil, fmt.Errorf("the process that listens on %s %w: stop it, or choose another folder with -data", path, errNoAnswer)
	}
	return &backend{
		DB: dynamodb.New(dynamodb.Options{
			BaseEndpoint: aws.String(socketURL),
			Region:       "embedded",
			// The API requires a signature but accepts any key. The mode of the socket
			// controls access.
			Credentials: credentials.NewStaticCredentialsProvider("socket", "socket", ""),
			HTTPClient:  steadyClient{&http.Client{Transport: transport, Timeout: socketTimeout}},
		}),
		server: client,
		close:  func() error { transport.CloseIdleConnections(); return nil },
	}, nil
}

// isDialError reports whether a request failed because nothing accepted its connection.
func isDialError(err error) bool {
	var network *net.OpError
	return errors.As(err, &network) && network.Op == "dial"
}

// socketTimeout limits a table request over the socket.
const socketTimeout = time.Minute

// socketURL is the base URL of requests over the socket. The host in it is ignored.
const socketURL = "http://localhost"

func ping(ctx context.Context, client *http.Client) error {
	ctx, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, socketURL, nil)
	if err != nil {
		return err
	}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	return response.Body.Close()
}
