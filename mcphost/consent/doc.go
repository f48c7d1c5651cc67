// Package consent is the gate between a wish and its effect. A side effect takes an [Approval]; only [Broker.Approve]
// mints one, after an [Asker] said yes to exactly these bytes and a [Journal] made the [Decision] durable.
//
//	Request ── Broker ── Asker: Queue (window), Script (policy, test), Refuse (nobody)
//	              │
//	           Journal: Decision, before the effect
//	              │
//	           Approval: one use, one digest
//
// It holds to these:
//
//   - Silence, error, panic, timeout, closed window, cancelled caller and a journal that cannot be read or written mean
//     no. There is no way around the gate.
//   - An Approval is for one [Digest] and one use. Edited arguments are other bytes: checked, judged and digested anew.
//   - The window is not trusted with the clock: an allow counts only when what it names was in view, unchanged, for the
//     arming delay ([Queue]). The one decision without a dialog is a press of Run on a call that the user composed
//     ([Queue.Confirm]), and only if [ComposedGate] has no objection.
//   - Risk is Gatehouse's own judgement ([LaunchRisk], [CallRisk], [ToolRisk]) by published tables: codes.go, verbs.go,
//     keys.go, commands.go, sql.go, places.go. What a server says may raise it and never lowers it. It helps the person
//     who decides; finding nothing does not mean that something is safe.
//   - Text from outside is [Untrusted]: shown with its hidden characters visible, stripped for a model, quoted for a log.
//
// The package is a leaf: standard library only, no window, no storage, no sentence for people.
package consent
