package icon

import (
	"github.com/srwiley/rasterx"
	"golang.org/x/image/math/fixed"
)

var origin fixed.Point26_6

// nothing draws nothing.
type nothing struct{ rasterx.Scanner }

func (nothing) Line(fixed.Point26_6) {}
