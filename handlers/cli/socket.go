package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// socketName is the name of the server's socket. While a server holds the data folder it listens on a socket in it, on which
// it speaks the DynamoDB API. Whoever is started beside it takes the SDK's
// client with this socket under it, so the store works on both alike.
const socketName = "stockroom.sock"

// maxSocketPath is how long the path of a socket may be: systems allow 104 or
// 108 bytes with the zero at the end.
const maxSocketPath = 100

// answerTime is how long a server may take to say that it is there.
const answerTime = 2 * time.Second

// errNoServer says that nobody listens on the socket.
var errNoServer = errors.New("no server listens")

// listenSocket listens on the socket of the data folder, which this process
// must hold: a socket that is there already was left by one that was killed.
// It is made in a folder of its own that nobody else can enter, and put in
// its place when its mode is set, so that at no moment others may connect.
func listenSocket(path string) (net.Listener, error) {
	if connection, err := dial(context.Background(), path); err == nil {
		return nil, errors.Join(fmt.Errorf("another process listens on %s: stop it, or name another folder with -data", path), connection.Close())
	}
	private, err := os.MkdirTemp(filepath.Dir(path), "socket-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(private)
	var listener *net.UnixListener
	made := filepath.Join(private, "s")
	err = throughShort(made, func(short string) error {
		listener, err = net.ListenUnix("unix", &net.UnixAddr{Name: short, Net: "unix"})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the folder %s cannot hold a socket: %w", filepath.Dir(path), err)
	}
	listener.SetUnlinkOnClose(false)
	if err := errors.Join(os.Chmod(made, 0o600), os.Rename(made, path)); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return &socketListener{listener, path}, nil
}

// socketListener takes its socket away when it closes.
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
	err = throughShort(path, func(short string) error {
		connection, err = new(net.Dialer).DialContext(ctx, "unix", short)
		return err
	})
	return connection, err
}

// throughShort uses the path of a socket by a name that is short enough for
// the system: where it is not, by way of a symbolic link to its folder.
func throughShort(path string, use func(short string) error) error {
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

// dialServer opens the backend of a server that holds the data folder. It is
// errNoServer where nobody listens, another error where somebody listens who
// does not answer.
func dialServer(ctx context.Context, path string) (*backend, error) {
	transport := &http.Transport{
		DialContext:         func(ctx context.Context, _, _ string) (net.Conn, error) { return dial(ctx, path) },
		MaxIdleConnsPerHost: parallel,
	}
	client := &http.Client{Transport: transport}
	if err := asks(ctx, client); err != nil {
		transport.CloseIdleConnections()
		var network *net.OpError
		if errors.As(err, &network) && network.Op == "dial" {
			return nil, errNoServer
		}
		return nil, fmt.Errorf("the process that listens on %s does not answer: stop it, or name another folder with -data", path)
	}
	return &backend{
		DB: dynamodb.New(dynamodb.Options{
			BaseEndpoint: aws.String(socketURL),
			Region:       "embedded",
			// The socket's mode says who may; the API wants any signature.
			Credentials: credentials.NewStaticCredentialsProvider("socket", "socket", ""),
			HTTPClient:  client,
		}),
		server: client,
		close:  func() error { transport.CloseIdleConnections(); return nil },
	}, nil
}

// socketURL stands for whatever the socket leads to.
const socketURL = "http://localhost"

func asks(ctx context.Context, client *http.Client) error {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
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
