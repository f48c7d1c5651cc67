//go:build !e2e

package main

import "os"

// closeInspector keeps WebKit's remote inspector shut: it would let any local process drive the window, in
// release builds too.
func closeInspector() {
	os.Unsetenv("WEBKIT_INSPECTOR_SERVER")
	os.Unsetenv("WEBKIT_INSPECTOR_HTTP_SERVER")
}
