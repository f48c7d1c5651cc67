package protocol

// This file names the methods of both eras.

// Requests of the host.
const (
	MethodInitialize             = "initialize"
	MethodDiscover               = "server/discover" // 2026-07-28
	MethodPing                   = "ping"            // both ways; until 2025-11-25
	MethodToolsList              = "tools/list"
	MethodToolsCall              = "tools/call"
	MethodResourcesList          = "resources/list"
	MethodResourcesTemplatesList = "resources/templates/list"
	MethodResourcesRead          = "resources/read"
	MethodResourcesSubscribe     = "resources/subscribe"
	MethodResourcesUnsubscribe   = "resources/unsubscribe"
	MethodResourcesSearch        = "resources/search" // text of 2024-11-05 only
	MethodPromptsList            = "prompts/list"
	MethodPromptsGet             = "prompts/get"
	MethodComplete               = "completion/complete"
	MethodSetLevel               = "logging/setLevel"     // until 2025-11-25
	MethodSubscriptionsListen    = "subscriptions/listen" // 2026-07-28
	MethodSkillsList             = "skills/list"          // extension
	MethodSkillsGet              = "skills/get"           // extension
)

// Requests of the server; from 2026-07-28 on they are input requests inside a result.
const (
	MethodCreateMessage = "sampling/createMessage"
	MethodElicit        = "elicitation/create"
	MethodRootsList     = "roots/list"
	MethodRootsAdd      = "roots/add"    // text of 2024-11-05 only
	MethodRootsRemove   = "roots/remove" // text of 2024-11-05 only
)

// Tasks: experimental in 2025-11-25 (both ways), an extension since.
const (
	MethodTasksGet    = "tasks/get"
	MethodTasksResult = "tasks/result" // 2025-11-25
	MethodTasksList   = "tasks/list"   // 2025-11-25
	MethodTasksCancel = "tasks/cancel"
	MethodTasksUpdate = "tasks/update" // extension
)

// Notifications.
const (
	NotificationInitialized              = "notifications/initialized"
	NotificationCancelled                = "notifications/cancelled"
	NotificationProgress                 = "notifications/progress"
	NotificationMessage                  = "notifications/message"
	NotificationToolsListChanged         = "notifications/tools/list_changed"
	NotificationPromptsListChanged       = "notifications/prompts/list_changed"
	NotificationResourcesListChanged     = "notifications/resources/list_changed"
	NotificationResourceUpdated          = "notifications/resources/updated"
	NotificationRootsListChanged         = "notifications/roots/list_changed"         // until 2025-11-25
	NotificationElicitationComplete      = "notifications/elicitation/complete"       // 2025-11-25
	NotificationTaskStatus               = "notifications/tasks/status"               // 2025-11-25
	NotificationTasks                    = "notifications/tasks"                      // extension
	NotificationSubscriptionsAcknowledge = "notifications/subscriptions/acknowledged" // 2026-07-28
)
