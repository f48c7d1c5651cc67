//go:build bindings

package main

// generating: this run only writes the TypeScript bindings and opens no window.
const generating = true
