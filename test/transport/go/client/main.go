// Calls a server of gRPC by grpc-go, the library that Terraform uses, with messages that are bytes as they are.
//
//	client unary  [flags] ADDRESS PATH   sends messages of -size bytes, -count in all, -at-once at a time; each must come back as it was sent
//	client stream [flags] ADDRESS PATH   sends one message of -size bytes, and takes what comes back
//	client session ADDRESS               makes the calls that stdin describes by lines of JSON, one after the other on one connection
//
// It prints one line of JSON: how many messages came back, their bytes, and the status of the call that ended last.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

// bytesCodec leaves messages as they are.
type bytesCodec struct{}

func (bytesCodec) Name() string { return "bytes" }

func (bytesCodec) Marshal(message any) ([]byte, error) { return *message.(*[]byte), nil }

func (bytesCodec) Unmarshal(data []byte, message any) error {
	*message.(*[]byte) = bytes.Clone(data)
	return nil
}

type outcome struct {
	Messages int64  `json:"messages"`
	Bytes    int64  `json:"bytes"`
	Code     string `json:"code"`
	Message  string `json:"message"`
}

var (
	size        = flag.Int("size", 100, "bytes of each message that is sent")
	count       = flag.Int("count", 1, "unary calls in all")
	atOnce      = flag.Int("at-once", 1, "unary calls at a time")
	deadline    = flag.Duration("deadline", 0, "how long the call may take; 0 is for ever")
	waitAfter   = flag.Int("wait-after", 0, "messages of a stream to take until a line comes on stdin")
	cancelAfter = flag.Int("cancel-after", 0, "messages of a stream to take until it is cancelled")
	window      = flag.Int("window", 0, "bytes of a stream that may come before they are taken; 0 leaves it to grpc-go")
)

func main() {
	kind := os.Args[1]
	flag.CommandLine.Parse(os.Args[2:])
	if kind == "session" {
		if err := session(flag.Arg(0)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	result, err := run(kind, flag.Arg(0), flag.Arg(1))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	json.NewEncoder(os.Stdout).Encode(result)
}

func connect(address string) (*grpc.ClientConn, error) {
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(
			grpc.ForceCodec(bytesCodec{}), grpc.MaxCallRecvMsgSize(1<<30), grpc.MaxCallSendMsgSize(1<<30),
		),
	}
	if *window > 0 {
		options = append(options,
			grpc.WithStaticStreamWindowSize(int32(*window)), grpc.WithStaticConnWindowSize(int32(*window)))
	}
	return grpc.NewClient(address, options...)
}

func run(kind, address, path string) (outcome, error) {
	connection, err := connect(address)
	if err != nil {
		return outcome{}, err
	}
	defer connection.Close()
	ctx := context.Background()
	if *deadline > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, *deadline)
		defer cancel()
	}
	switch kind {
	case "unary":
		return unary(ctx, connection, path)
	case "stream":
		return stream(ctx, connection, path)
	}
	return outcome{}, fmt.Errorf("there is no %q", kind)
}

// unary makes calls until one fails.
func unary(ctx context.Context, connection *grpc.ClientConn, path string) (outcome, error) {
	var begun, answered, received atomic.Int64
	var once sync.Once
	var failure error
	var callers sync.WaitGroup
	for range *atOnce {
		callers.Add(1)
		go func() {
			defer callers.Done()
			for number := begun.Add(1); number <= int64(*count); number = begun.Add(1) {
				request := numbered(number)
				var answer []byte
				err := connection.Invoke(ctx, path, &request, &answer)
				if err == nil && !bytes.Equal(request, answer) {
					err = errors.New("the answer is not what was sent")
				}
				if err != nil {
					once.Do(func() { failure = err })
					return
				}
				answered.Add(1)
				received.Add(int64(len(answer)))
			}
		}()
	}
	callers.Wait()
	return outcomeOf(answered.Load(), received.Load(), failure), nil
}

// numbered is a message that differs from those of other numbers, as far as its size lets it.
func numbered(number int64) []byte {
	message := make([]byte, max(*size, 8))
	for at := 0; at+8 <= len(message); at += 8 {
		binary.LittleEndian.PutUint64(message[at:], uint64(number)<<32|uint64(at))
	}
	return message[:*size]
}

// stream takes messages until the server or the flags end it.
func stream(ctx context.Context, connection *grpc.ClientConn, path string) (outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	opened, err := connection.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, path)
	if err != nil {
		return outcomeOf(0, 0, err), nil
	}
	request := numbered(1)
	if err := opened.SendMsg(&request); err != nil {
		return outcome{}, err
	}
	if err := opened.CloseSend(); err != nil {
		return outcome{}, err
	}
	var messages, received int64
	for {
		var answer []byte
		if err := opened.RecvMsg(&answer); err != nil {
			if err == io.EOF {
				err = nil
			}
			return outcomeOf(messages, received, err), nil
		}
		messages++
		received += int64(len(answer))
		if messages == int64(*waitAfter) {
			fmt.Println(`"waiting"`)
			if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
				return outcome{}, err
			}
		}
		if messages == int64(*cancelAfter) {
			cancel()
		}
	}
}

// call is one call of a session. It ends after CancelAfter messages, if that is not 0.
type call struct {
	Path        string `json:"path"`
	Message     []byte `json:"message"`
	CancelAfter int    `json:"cancelAfter"`
}

// answers are the messages that came back, and the status of the call.
type answers struct {
	Messages [][]byte `json:"messages"`
	Code     string   `json:"code"`
	Message  string   `json:"message"`
}

// session makes calls until stdin ends, and prints a line of JSON for each.
func session(address string) error {
	connection, err := connect(address)
	if err != nil {
		return err
	}
	defer connection.Close()
	lines := json.NewDecoder(os.Stdin)
	for {
		var next call
		if err := lines.Decode(&next); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		json.NewEncoder(os.Stdout).Encode(answer(connection, next))
	}
}

// answer makes one call. On the wire a single answer is a stream of one.
func answer(connection *grpc.ClientConn, next call) answers {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	found := answers{Messages: [][]byte{}}
	opened, err := connection.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, next.Path)
	if err == nil {
		err = opened.SendMsg(&next.Message)
	}
	if err == nil {
		err = opened.CloseSend()
	}
	for err == nil {
		var message []byte
		if err = opened.RecvMsg(&message); err == nil {
			// An empty message is an empty text in JSON, and not null.
			found.Messages = append(found.Messages, append([]byte{}, message...))
			if len(found.Messages) == next.CancelAfter {
				cancel()
			}
		}
	}
	if err == io.EOF {
		err = nil
	}
	said := status.Convert(err)
	found.Code, found.Message = said.Code().String(), said.Message()
	return found
}

func outcomeOf(messages, received int64, err error) outcome {
	// A status of nil is OK.
	said := status.Convert(err)
	return outcome{Messages: messages, Bytes: received, Code: said.Code().String(), Message: said.Message()}
}
