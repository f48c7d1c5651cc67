// Empty is a Wails app with nothing in it: what a window costs by itself.
package main

import (
	"log"
	"testing/fstest"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
)

const page = `<!doctype html><html><head><title>Empty</title></head><body style="background:#3366cc;color:#fff">Empty</body></html>`

func main() {
	err := wails.Run(&options.App{
		Title: "Empty", Width: 1280, Height: 820, Frameless: true,
		AssetServer: &assetserver.Options{Assets: fstest.MapFS{"index.html": {Data: []byte(page)}}},
		Linux:       &linux.Options{WebviewGpuPolicy: linux.WebviewGpuPolicyNever},
	})
	if err != nil {
		log.Fatal(err)
	}
}
