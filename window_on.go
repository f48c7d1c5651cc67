//go:build desktop || dev || bindings

package main

const hasWindow = true
