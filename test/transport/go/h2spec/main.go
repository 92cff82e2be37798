// Holds an HTTP/2 server against the cases of h2spec 2.6, and prints a line of JSON for each: its id, what it does, what
// came of it, and, where it failed, what was expected and what happened.
//
//	h2spec HOST PORT [ID...]   the ids are those of sections or cases; without them all run
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/summerwind/h2spec/config"
	"github.com/summerwind/h2spec/generic"
	"github.com/summerwind/h2spec/hpack"
	"github.com/summerwind/h2spec/http2"
	"github.com/summerwind/h2spec/spec"
)

// patience is how long a case waits for each frame: what passes does not wait, however busy the machine is.
const patience = 5 * time.Second

// atOnce is how many cases run beside each other.
const atOnce = 32

type outcome struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Result string `json:"result"`
	Detail string `json:"detail,omitempty"`
}

func main() {
	port, err := strconv.Atoi(os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	// h2spec itself writes to stdout.
	out := json.NewEncoder(os.Stdout)
	os.Stdout = os.Stderr
	c := &config.Config{
		Host: os.Args[1], Port: port, Path: "/", Timeout: patience, MaxHeaderLen: 4000, Sections: os.Args[3:],
	}
	c.RunMode("") // Reads the sections, before cases do so at once.
	groups := []*spec.TestGroup{generic.Spec(), http2.Spec(), hpack.Spec()}
	var running sync.WaitGroup
	places := make(chan struct{}, atOnce)
	for _, group := range groups {
		start(c, group, &running, places)
	}
	running.Wait()
	for _, group := range groups {
		report(out, group)
	}
}

// start runs the cases of a group beside each other: each has a connection of its own, and most of the time goes into waiting.
func start(c *config.Config, group *spec.TestGroup, running *sync.WaitGroup, places chan struct{}) {
	for index, test := range group.Tests {
		running.Add(1)
		go func(test *spec.TestCase, number int) {
			defer running.Done()
			places <- struct{}{}
			defer func() { <-places }()
			if err := test.Test(c, number); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}(test, index+1)
	}
	for _, inner := range group.Groups {
		start(c, inner, running, places)
	}
}

func report(out *json.Encoder, group *spec.TestGroup) {
	for index, test := range group.Tests {
		if test.Result != nil {
			out.Encode(outcomeOf(fmt.Sprintf("%s/%d", group.ID(), index+1), test))
		}
	}
	for _, inner := range group.Groups {
		report(out, inner)
	}
}

func outcomeOf(id string, test *spec.TestCase) outcome {
	found := outcome{ID: id, Title: test.Desc, Result: "passed"}
	if test.Result.Skipped {
		found.Result = "skipped"
	}
	if test.Result.Failed {
		found.Result = "failed"
		found.Detail = test.Result.Error.Error()
		var detailed *spec.TestError
		if errors.As(test.Result.Error, &detailed) {
			found.Detail = fmt.Sprintf("expected %s; got %s", strings.Join(detailed.Expected, " or "), detailed.Actual)
		}
	}
	return found
}
