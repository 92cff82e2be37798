module steward.test/h2spec

go 1.21

require github.com/summerwind/h2spec v0.0.0-20200804131034-70ac22940108

require (
	github.com/fatih/color v0.0.0-20161025120501-bf82308e8c85 // indirect
	github.com/mattn/go-colorable v0.1.0 // indirect
	github.com/mattn/go-isatty v0.0.4 // indirect
	golang.org/x/net v0.0.0-20161104230106-55a3084c9119 // indirect
	golang.org/x/sys v0.28.0 // indirect
)
