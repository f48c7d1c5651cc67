// Command scripted is the scripted MCP server as a program of its own, for tests that start it by command line:
// scripted SCENARIO.json
package main

import (
	"fmt"
	"os"

	"gatehouse/mcphost/mcphosttest"
)

func main() {
	mcphosttest.Main() // a grandchild starts this program again
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: scripted SCENARIO.json")
		os.Exit(2)
	}
	os.Exit(mcphosttest.RunFile(os.Args[1]))
}
