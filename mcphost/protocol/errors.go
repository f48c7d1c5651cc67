package protocol

// This file names the error codes that MCP adds to those of JSON-RPC.

// Error codes.
const (
	CodeUserRefused             = -1     // sampling and roots: the user said no
	CodeServerError             = -32000 // nothing in particular; also a refused roots/add
	CodeResourceNotFound        = -32002 // until 2025-11-25; -32602 since
	CodeHeaderMismatch          = -32020 // 2026-07-28
	CodeMissingClientCapability = -32021 // 2026-07-28
	CodeUnsupportedRevision     = -32022 // 2026-07-28, with data.supported
	CodeURLElicitationRequired  = -32042 // 2025-11-25
)

// ModernCode reports whether only a server of 2026-07-28 answers with this error code: it must not be taken for an
// older one (MCP 2026-07-28, "Backward Compatibility").
func ModernCode(code int64) bool {
	return code == CodeHeaderMismatch || code == CodeMissingClientCapability || code == CodeUnsupportedRevision
}
