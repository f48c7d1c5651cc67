package protocol

// This file names the keys that the protocol reserves in _meta, and the types of results.

// Keys of _meta.
const (
	MetaRevision     = "io.modelcontextprotocol/protocolVersion"    // requests since 2026-07-28
	MetaCapabilities = "io.modelcontextprotocol/clientCapabilities" // requests since 2026-07-28
	MetaClient       = "io.modelcontextprotocol/clientInfo"         // requests since 2026-07-28
	MetaLogLevel     = "io.modelcontextprotocol/logLevel"           // requests since 2026-07-28
	MetaServer       = "io.modelcontextprotocol/serverInfo"         // results since 2026-07-28
	MetaSubscription = "io.modelcontextprotocol/subscriptionId"     // notifications since 2026-07-28
	MetaRelatedTask  = "io.modelcontextprotocol/related-task"       // 2025-11-25
)

// ExtensionTasks names the tasks extension of 2026-07-28.
const ExtensionTasks = "io.modelcontextprotocol/tasks"

// Types of a result since 2026-07-28. Absent is complete; an unknown one makes the result invalid.
const (
	ResultComplete      = "complete"
	ResultInputRequired = "input_required"
	ResultTask          = "task" // the tasks extension
)
