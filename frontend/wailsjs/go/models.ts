export namespace app {
	
	export class AnswerInput {
	    allow: boolean;
	    decline: boolean;
	    reason: string;
	    stop: boolean;
	
	    static createFrom(source: any = {}) {
	        return new AnswerInput(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.allow = source["allow"];
	        this.decline = source["decline"];
	        this.reason = source["reason"];
	        this.stop = source["stop"];
	    }
	}
	export class Attachment {
	    id: string;
	    kind: string;
	    serverId: string;
	    serverName: string;
	    title: string;
	    origin: string;
	    bytes: number;
	    parts: number;
	    sent: boolean;
	
	    static createFrom(source: any = {}) {
	        return new Attachment(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.kind = source["kind"];
	        this.serverId = source["serverId"];
	        this.serverName = source["serverName"];
	        this.title = source["title"];
	        this.origin = source["origin"];
	        this.bytes = source["bytes"];
	        this.parts = source["parts"];
	        this.sent = source["sent"];
	    }
	}
	export class Block {
	    kind: string;
	    text: string;
	    mimeType: string;
	    data: string;
	    uri: string;
	    name: string;
	    bytes: number;
	    note: string;
	    detail: string;
	    audience: string[];
	
	    static createFrom(source: any = {}) {
	        return new Block(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.text = source["text"];
	        this.mimeType = source["mimeType"];
	        this.data = source["data"];
	        this.uri = source["uri"];
	        this.name = source["name"];
	        this.bytes = source["bytes"];
	        this.note = source["note"];
	        this.detail = source["detail"];
	        this.audience = source["audience"];
	    }
	}
	export class PromptMessage {
	    role: string;
	    block: Block;
	
	    static createFrom(source: any = {}) {
	        return new PromptMessage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.role = source["role"];
	        this.block = this.convertValues(source["block"], Block);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class AttachmentContent {
	    messages: PromptMessage[];
	    truncated: number;
	
	    static createFrom(source: any = {}) {
	        return new AttachmentContent(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.messages = this.convertValues(source["messages"], PromptMessage);
	        this.truncated = source["truncated"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Authority {
	    subject: string;
	    until: string;
	
	    static createFrom(source: any = {}) {
	        return new Authority(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.subject = source["subject"];
	        this.until = source["until"];
	    }
	}
	
	export class Progress {
	    done: number;
	    total: number;
	    message: string;
	
	    static createFrom(source: any = {}) {
	        return new Progress(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.done = source["done"];
	        this.total = source["total"];
	        this.message = source["message"];
	    }
	}
	export class CallView {
	    id: string;
	    serverId: string;
	    serverName: string;
	    tool: string;
	    arguments: string;
	    state: string;
	    startedAt: string;
	    durationMs: number;
	    progress?: Progress;
	    blocks: Block[];
	    structured: string;
	    structuredProblem: string;
	    raw: string;
	    error: string;
	    errorCode: number;
	    fault: string;
	    decision: string;
	    by: string;
	    reason: string;
	    edited: boolean;
	    truncated: number;
	    unrecorded: boolean;
	
	    static createFrom(source: any = {}) {
	        return new CallView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.serverId = source["serverId"];
	        this.serverName = source["serverName"];
	        this.tool = source["tool"];
	        this.arguments = source["arguments"];
	        this.state = source["state"];
	        this.startedAt = source["startedAt"];
	        this.durationMs = source["durationMs"];
	        this.progress = this.convertValues(source["progress"], Progress);
	        this.blocks = this.convertValues(source["blocks"], Block);
	        this.structured = source["structured"];
	        this.structuredProblem = source["structuredProblem"];
	        this.raw = source["raw"];
	        this.error = source["error"];
	        this.errorCode = source["errorCode"];
	        this.fault = source["fault"];
	        this.decision = source["decision"];
	        this.by = source["by"];
	        this.reason = source["reason"];
	        this.edited = source["edited"];
	        this.truncated = source["truncated"];
	        this.unrecorded = source["unrecorded"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ChatItem {
	    id: string;
	    role: string;
	    text: string;
	    streaming: boolean;
	    at: string;
	    call?: CallView;
	    note: string;
	    attached: Attachment[];
	
	    static createFrom(source: any = {}) {
	        return new ChatItem(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.role = source["role"];
	        this.text = source["text"];
	        this.streaming = source["streaming"];
	        this.at = source["at"];
	        this.call = this.convertValues(source["call"], CallView);
	        this.note = source["note"];
	        this.attached = this.convertValues(source["attached"], Attachment);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ChatRow {
	    id: string;
	    title: string;
	    busy: boolean;
	    waiting: string;
	
	    static createFrom(source: any = {}) {
	        return new ChatRow(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.title = source["title"];
	        this.busy = source["busy"];
	        this.waiting = source["waiting"];
	    }
	}
	export class ChatView {
	    id: string;
	    title: string;
	    model: string;
	    manual: boolean;
	    busy: boolean;
	    waiting: string;
	    items: ChatItem[];
	
	    static createFrom(source: any = {}) {
	        return new ChatView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.title = source["title"];
	        this.model = source["model"];
	        this.manual = source["manual"];
	        this.busy = source["busy"];
	        this.waiting = source["waiting"];
	        this.items = this.convertValues(source["items"], ChatItem);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class CompletionList {
	    state: string;
	    values: string[];
	    total: number;
	    more: boolean;
	
	    static createFrom(source: any = {}) {
	        return new CompletionList(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.state = source["state"];
	        this.values = source["values"];
	        this.total = source["total"];
	        this.more = source["more"];
	    }
	}
	export class CompletionQuery {
	    serverId: string;
	    kind: string;
	    name: string;
	    argument: string;
	    value: string;
	    settled: Record<string, string>;
	
	    static createFrom(source: any = {}) {
	        return new CompletionQuery(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.serverId = source["serverId"];
	        this.kind = source["kind"];
	        this.name = source["name"];
	        this.argument = source["argument"];
	        this.value = source["value"];
	        this.settled = source["settled"];
	    }
	}
	export class RemoteServer {
	    id: string;
	    name: string;
	    host: string;
	
	    static createFrom(source: any = {}) {
	        return new RemoteServer(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.host = source["host"];
	    }
	}
	export class DataReport {
	    databaseBytes: number;
	    backupBytes: number;
	    servers: number;
	    decisions: number;
	    calls: number;
	    definitions: number;
	    secrets: number;
	    remote: RemoteServer[];
	
	    static createFrom(source: any = {}) {
	        return new DataReport(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.databaseBytes = source["databaseBytes"];
	        this.backupBytes = source["backupBytes"];
	        this.servers = source["servers"];
	        this.decisions = source["decisions"];
	        this.calls = source["calls"];
	        this.definitions = source["definitions"];
	        this.secrets = source["secrets"];
	        this.remote = this.convertValues(source["remote"], RemoteServer);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Draft {
	    line: string;
	    bytes: number;
	    digest: string;
	    problems: consent.Problem[];
	    risk: consent.Risk;
	    gate: string;
	
	    static createFrom(source: any = {}) {
	        return new Draft(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.line = source["line"];
	        this.bytes = source["bytes"];
	        this.digest = source["digest"];
	        this.problems = this.convertValues(source["problems"], consent.Problem);
	        this.risk = this.convertValues(source["risk"], consent.Risk);
	        this.gate = source["gate"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class FieldProblem {
	    field: string;
	    code: string;
	    detail: string;
	
	    static createFrom(source: any = {}) {
	        return new FieldProblem(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.field = source["field"];
	        this.code = source["code"];
	        this.detail = source["detail"];
	    }
	}
	export class DraftCheck {
	    resolved: string;
	    argv: string[];
	    problems: FieldProblem[];
	    findings: consent.Finding[];
	    looksSecret: string[];
	    authorities: Authority[];
	
	    static createFrom(source: any = {}) {
	        return new DraftCheck(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.resolved = source["resolved"];
	        this.argv = source["argv"];
	        this.problems = this.convertValues(source["problems"], FieldProblem);
	        this.findings = this.convertValues(source["findings"], consent.Finding);
	        this.looksSecret = source["looksSecret"];
	        this.authorities = this.convertValues(source["authorities"], Authority);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Excerpt {
	    first: string[];
	    leftOut: number;
	    last: string[];
	
	    static createFrom(source: any = {}) {
	        return new Excerpt(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.first = source["first"];
	        this.leftOut = source["leftOut"];
	        this.last = source["last"];
	    }
	}
	export class Failure {
	    code: string;
	    message: string;
	    exitCode: number;
	    signal: string;
	    stderr: Excerpt;
	    searched: string[];
	    hint: string;
	    at: string;
	
	    static createFrom(source: any = {}) {
	        return new Failure(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.code = source["code"];
	        this.message = source["message"];
	        this.exitCode = source["exitCode"];
	        this.signal = source["signal"];
	        this.stderr = this.convertValues(source["stderr"], Excerpt);
	        this.searched = source["searched"];
	        this.hint = source["hint"];
	        this.at = source["at"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class ResourceRow {
	    uri: string;
	    name: string;
	    title: string;
	    description: string;
	    mimeType: string;
	    size: number;
	    audience: string[];
	    priority: number;
	    lastModified: string;
	    problem: string;
	    type: string;
	    metadata: string;
	
	    static createFrom(source: any = {}) {
	        return new ResourceRow(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.uri = source["uri"];
	        this.name = source["name"];
	        this.title = source["title"];
	        this.description = source["description"];
	        this.mimeType = source["mimeType"];
	        this.size = source["size"];
	        this.audience = source["audience"];
	        this.priority = source["priority"];
	        this.lastModified = source["lastModified"];
	        this.problem = source["problem"];
	        this.type = source["type"];
	        this.metadata = source["metadata"];
	    }
	}
	export class FoundResources {
	    resources: ResourceRow[];
	    warning: string;
	
	    static createFrom(source: any = {}) {
	        return new FoundResources(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.resources = this.convertValues(source["resources"], ResourceRow);
	        this.warning = source["warning"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class HistoryEvent {
	    at: string;
	    code: string;
	    detail: string;
	
	    static createFrom(source: any = {}) {
	        return new HistoryEvent(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.at = source["at"];
	        this.code = source["code"];
	        this.detail = source["detail"];
	    }
	}
	export class HistoryDetail {
	    id: string;
	    at: string;
	    serverId: string;
	    serverName: string;
	    kind: string;
	    what: string;
	    risk: string;
	    decision: string;
	    edited: boolean;
	    by: string;
	    outcome: string;
	    durationMs: number;
	    call: string;
	    digest: string;
	    actor: string;
	    reason: string;
	    original: string;
	    shown: string;
	    asked: string;
	    result: string;
	    error: string;
	    events: HistoryEvent[];
	
	    static createFrom(source: any = {}) {
	        return new HistoryDetail(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.at = source["at"];
	        this.serverId = source["serverId"];
	        this.serverName = source["serverName"];
	        this.kind = source["kind"];
	        this.what = source["what"];
	        this.risk = source["risk"];
	        this.decision = source["decision"];
	        this.edited = source["edited"];
	        this.by = source["by"];
	        this.outcome = source["outcome"];
	        this.durationMs = source["durationMs"];
	        this.call = source["call"];
	        this.digest = source["digest"];
	        this.actor = source["actor"];
	        this.reason = source["reason"];
	        this.original = source["original"];
	        this.shown = source["shown"];
	        this.asked = source["asked"];
	        this.result = source["result"];
	        this.error = source["error"];
	        this.events = this.convertValues(source["events"], HistoryEvent);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class HistoryNumbers {
	    asked: number;
	    composed: number;
	    byRule: number;
	    denied: number;
	    edited: number;
	
	    static createFrom(source: any = {}) {
	        return new HistoryNumbers(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.asked = source["asked"];
	        this.composed = source["composed"];
	        this.byRule = source["byRule"];
	        this.denied = source["denied"];
	        this.edited = source["edited"];
	    }
	}
	export class HistoryRow {
	    id: string;
	    at: string;
	    serverId: string;
	    serverName: string;
	    kind: string;
	    what: string;
	    risk: string;
	    decision: string;
	    edited: boolean;
	    by: string;
	    outcome: string;
	    durationMs: number;
	
	    static createFrom(source: any = {}) {
	        return new HistoryRow(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.at = source["at"];
	        this.serverId = source["serverId"];
	        this.serverName = source["serverName"];
	        this.kind = source["kind"];
	        this.what = source["what"];
	        this.risk = source["risk"];
	        this.decision = source["decision"];
	        this.edited = source["edited"];
	        this.by = source["by"];
	        this.outcome = source["outcome"];
	        this.durationMs = source["durationMs"];
	    }
	}
	export class HistoryPage {
	    total: number;
	    rows: HistoryRow[];
	    next: string;
	
	    static createFrom(source: any = {}) {
	        return new HistoryPage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.total = source["total"];
	        this.rows = this.convertValues(source["rows"], HistoryRow);
	        this.next = source["next"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class HistoryQuery {
	    before: string;
	    limit: number;
	    serverId: string;
	    text: string;
	    decision: string;
	
	    static createFrom(source: any = {}) {
	        return new HistoryQuery(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.before = source["before"];
	        this.limit = source["limit"];
	        this.serverId = source["serverId"];
	        this.text = source["text"];
	        this.decision = source["decision"];
	    }
	}
	
	export class Instructions {
	    text: string;
	    digest: string;
	    review: string;
	    off: boolean;
	    previous: string;
	    reviewedAt: string;
	    findings: consent.Finding[];
	
	    static createFrom(source: any = {}) {
	        return new Instructions(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.text = source["text"];
	        this.digest = source["digest"];
	        this.review = source["review"];
	        this.off = source["off"];
	        this.previous = source["previous"];
	        this.reviewedAt = source["reviewedAt"];
	        this.findings = this.convertValues(source["findings"], consent.Finding);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Work {
	    kind: string;
	    server: string;
	    tool: string;
	    since: string;
	
	    static createFrom(source: any = {}) {
	        return new Work(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.server = source["server"];
	        this.tool = source["tool"];
	        this.since = source["since"];
	    }
	}
	export class Leaving {
	    state: string;
	    work: Work[];
	
	    static createFrom(source: any = {}) {
	        return new Leaving(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.state = source["state"];
	        this.work = this.convertValues(source["work"], Work);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class LogLine {
	    seq: number;
	    at: string;
	    stream: string;
	    text: string;
	    level: string;
	    logger: string;
	    data: string;
	
	    static createFrom(source: any = {}) {
	        return new LogLine(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.seq = source["seq"];
	        this.at = source["at"];
	        this.stream = source["stream"];
	        this.text = source["text"];
	        this.level = source["level"];
	        this.logger = source["logger"];
	        this.data = source["data"];
	    }
	}
	export class NetworkSettings {
	    proxy: string;
	    address: string;
	    except: string;
	    authorities: string[];
	
	    static createFrom(source: any = {}) {
	        return new NetworkSettings(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.proxy = source["proxy"];
	        this.address = source["address"];
	        this.except = source["except"];
	        this.authorities = source["authorities"];
	    }
	}
	export class NetworkView {
	    proxy: string;
	    address: string;
	    except: string;
	    authorities: string[];
	    environment: boolean;
	    believed: Authority[];
	    problem: string;
	
	    static createFrom(source: any = {}) {
	        return new NetworkView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.proxy = source["proxy"];
	        this.address = source["address"];
	        this.except = source["except"];
	        this.authorities = source["authorities"];
	        this.environment = source["environment"];
	        this.believed = this.convertValues(source["believed"], Authority);
	        this.problem = source["problem"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Notice {
	    code: string;
	    detail: string;
	
	    static createFrom(source: any = {}) {
	        return new Notice(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.code = source["code"];
	        this.detail = source["detail"];
	    }
	}
	export class NoticeWords {
	    call: string;
	    launch: string;
	    form: string;
	    many: string;
	    body: string;
	    open: string;
	
	    static createFrom(source: any = {}) {
	        return new NoticeWords(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.call = source["call"];
	        this.launch = source["launch"];
	        this.form = source["form"];
	        this.many = source["many"];
	        this.body = source["body"];
	        this.open = source["open"];
	    }
	}
	export class OfferedTool {
	    name: string;
	    title: string;
	    description: string;
	    inputSchema: string;
	
	    static createFrom(source: any = {}) {
	        return new OfferedTool(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.title = source["title"];
	        this.description = source["description"];
	        this.inputSchema = source["inputSchema"];
	    }
	}
	export class ShownVisit {
	    goes: boolean;
	    completed: boolean;
	    failed: boolean;
	
	    static createFrom(source: any = {}) {
	        return new ShownVisit(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.goes = source["goes"];
	        this.completed = source["completed"];
	        this.failed = source["failed"];
	    }
	}
	export class ShownMessage {
	    role: string;
	    blocks: Block[];
	
	    static createFrom(source: any = {}) {
	        return new ShownMessage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.role = source["role"];
	        this.blocks = this.convertValues(source["blocks"], Block);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ShownSample {
	    system: string;
	    messages: ShownMessage[];
	    hints: string[];
	    cost: number;
	    speed: number;
	    intelligence: number;
	    maxTokens: number;
	    temperature: string;
	    stops: string[];
	    context: string;
	    tools: OfferedTool[];
	    toolChoice: string;
	    metadata: string;
	    left: number;
	
	    static createFrom(source: any = {}) {
	        return new ShownSample(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.system = source["system"];
	        this.messages = this.convertValues(source["messages"], ShownMessage);
	        this.hints = source["hints"];
	        this.cost = source["cost"];
	        this.speed = source["speed"];
	        this.intelligence = source["intelligence"];
	        this.maxTokens = source["maxTokens"];
	        this.temperature = source["temperature"];
	        this.stops = source["stops"];
	        this.context = source["context"];
	        this.tools = this.convertValues(source["tools"], OfferedTool);
	        this.toolChoice = source["toolChoice"];
	        this.metadata = source["metadata"];
	        this.left = source["left"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class StrangeLetter {
	    letter: string;
	    code: string;
	    script: string;
	
	    static createFrom(source: any = {}) {
	        return new StrangeLetter(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.letter = source["letter"];
	        this.code = source["code"];
	        this.script = source["script"];
	    }
	}
	export class ShownAddress {
	    before: string;
	    domain: string;
	    after: string;
	    registered: string;
	    unicode: string;
	    strange: StrangeLetter[];
	    secure: boolean;
	    times: number;
	    lastTime: string;
	
	    static createFrom(source: any = {}) {
	        return new ShownAddress(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.before = source["before"];
	        this.domain = source["domain"];
	        this.after = source["after"];
	        this.registered = source["registered"];
	        this.unicode = source["unicode"];
	        this.strange = this.convertValues(source["strange"], StrangeLetter);
	        this.secure = source["secure"];
	        this.times = source["times"];
	        this.lastTime = source["lastTime"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ShownQuestion {
	    via: string;
	    tool: string;
	    message: string;
	    schema: string;
	    params: string;
	    reply: string;
	    address?: ShownAddress;
	    sample?: ShownSample;
	
	    static createFrom(source: any = {}) {
	        return new ShownQuestion(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.via = source["via"];
	        this.tool = source["tool"];
	        this.message = source["message"];
	        this.schema = source["schema"];
	        this.params = source["params"];
	        this.reply = source["reply"];
	        this.address = this.convertValues(source["address"], ShownAddress);
	        this.sample = this.convertValues(source["sample"], ShownSample);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ShownCall {
	    tool: string;
	    title: string;
	    description: string;
	    arguments: string;
	    inputSchema: string;
	    definition: string;
	    previous: string;
	    edited: boolean;
	    refusedBefore: boolean;
	
	    static createFrom(source: any = {}) {
	        return new ShownCall(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.tool = source["tool"];
	        this.title = source["title"];
	        this.description = source["description"];
	        this.arguments = source["arguments"];
	        this.inputSchema = source["inputSchema"];
	        this.definition = source["definition"];
	        this.previous = source["previous"];
	        this.edited = source["edited"];
	        this.refusedBefore = source["refusedBefore"];
	    }
	}
	export class ShownVariable {
	    name: string;
	    value: string;
	    ref: string;
	    danger: boolean;
	
	    static createFrom(source: any = {}) {
	        return new ShownVariable(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.value = source["value"];
	        this.ref = source["ref"];
	        this.danger = source["danger"];
	    }
	}
	export class ShownLaunch {
	    transport: string;
	    command: string;
	    args: string[];
	    dir: string;
	    env: ShownVariable[];
	    url: string;
	    headers: ShownVariable[];
	    inherited: string[];
	
	    static createFrom(source: any = {}) {
	        return new ShownLaunch(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.transport = source["transport"];
	        this.command = source["command"];
	        this.args = source["args"];
	        this.dir = source["dir"];
	        this.env = this.convertValues(source["env"], ShownVariable);
	        this.url = source["url"];
	        this.headers = this.convertValues(source["headers"], ShownVariable);
	        this.inherited = source["inherited"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ShownActor {
	    kind: string;
	    name: string;
	    chat: string;
	
	    static createFrom(source: any = {}) {
	        return new ShownActor(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.kind = source["kind"];
	        this.name = source["name"];
	        this.chat = source["chat"];
	    }
	}
	export class ShownServer {
	    id: string;
	    alias: string;
	    claimed: string;
	    origin: string;
	
	    static createFrom(source: any = {}) {
	        return new ShownServer(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.alias = source["alias"];
	        this.claimed = source["claimed"];
	        this.origin = source["origin"];
	    }
	}
	export class PendingItem {
	    id: string;
	    kind: string;
	    digest: string;
	    call: string;
	    at: string;
	    server: ShownServer;
	    actor: ShownActor;
	    risk: consent.Risk;
	    problems: consent.Problem[];
	    hidden: number;
	    launch?: ShownLaunch;
	    before?: ShownLaunch;
	    toolCall?: ShownCall;
	    question?: ShownQuestion;
	    visit?: ShownVisit;
	
	    static createFrom(source: any = {}) {
	        return new PendingItem(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.kind = source["kind"];
	        this.digest = source["digest"];
	        this.call = source["call"];
	        this.at = source["at"];
	        this.server = this.convertValues(source["server"], ShownServer);
	        this.actor = this.convertValues(source["actor"], ShownActor);
	        this.risk = this.convertValues(source["risk"], consent.Risk);
	        this.problems = this.convertValues(source["problems"], consent.Problem);
	        this.hidden = source["hidden"];
	        this.launch = this.convertValues(source["launch"], ShownLaunch);
	        this.before = this.convertValues(source["before"], ShownLaunch);
	        this.toolCall = this.convertValues(source["toolCall"], ShownCall);
	        this.question = this.convertValues(source["question"], ShownQuestion);
	        this.visit = this.convertValues(source["visit"], ShownVisit);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Profile {
	    id: string;
	    name: string;
	    servers: string[];
	
	    static createFrom(source: any = {}) {
	        return new Profile(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.servers = source["servers"];
	    }
	}
	export class RunningCall {
	    id: string;
	    serverName: string;
	    tool: string;
	    state: string;
	
	    static createFrom(source: any = {}) {
	        return new RunningCall(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.serverName = source["serverName"];
	        this.tool = source["tool"];
	        this.state = source["state"];
	    }
	}
	export class ProfileChange {
	    id: string;
	    running: RunningCall[];
	
	    static createFrom(source: any = {}) {
	        return new ProfileChange(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.running = this.convertValues(source["running"], RunningCall);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ProfileList {
	    current: string;
	    profiles: Profile[];
	
	    static createFrom(source: any = {}) {
	        return new ProfileList(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.current = source["current"];
	        this.profiles = this.convertValues(source["profiles"], Profile);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class PromptArgument {
	    name: string;
	    title: string;
	    description: string;
	    required: boolean;
	
	    static createFrom(source: any = {}) {
	        return new PromptArgument(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.title = source["title"];
	        this.description = source["description"];
	        this.required = source["required"];
	    }
	}
	export class PromptRow {
	    name: string;
	    title: string;
	    description: string;
	    arguments: PromptArgument[];
	    problem: string;
	
	    static createFrom(source: any = {}) {
	        return new PromptRow(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.title = source["title"];
	        this.description = source["description"];
	        this.arguments = this.convertValues(source["arguments"], PromptArgument);
	        this.problem = source["problem"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class PromptList {
	    offered: boolean;
	    prompts: PromptRow[];
	    warning: string;
	    stale: string;
	    completion: string;
	
	    static createFrom(source: any = {}) {
	        return new PromptList(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.offered = source["offered"];
	        this.prompts = this.convertValues(source["prompts"], PromptRow);
	        this.warning = source["warning"];
	        this.stale = source["stale"];
	        this.completion = source["completion"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class PromptPreview {
	    id: string;
	    at: string;
	    durationMs: number;
	    description: string;
	    bytes: number;
	    messages: PromptMessage[];
	    truncated: number;
	    hidden: number;
	
	    static createFrom(source: any = {}) {
	        return new PromptPreview(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.at = source["at"];
	        this.durationMs = source["durationMs"];
	        this.description = source["description"];
	        this.bytes = source["bytes"];
	        this.messages = this.convertValues(source["messages"], PromptMessage);
	        this.truncated = source["truncated"];
	        this.hidden = source["hidden"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	export class ResourceContent {
	    at: string;
	    durationMs: number;
	    bytes: number;
	    blocks: Block[];
	    truncated: number;
	
	    static createFrom(source: any = {}) {
	        return new ResourceContent(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.at = source["at"];
	        this.durationMs = source["durationMs"];
	        this.bytes = source["bytes"];
	        this.blocks = this.convertValues(source["blocks"], Block);
	        this.truncated = source["truncated"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class TemplateVariable {
	    name: string;
	    optional: boolean;
	
	    static createFrom(source: any = {}) {
	        return new TemplateVariable(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.optional = source["optional"];
	    }
	}
	export class ResourceTemplate {
	    uriTemplate: string;
	    title: string;
	    description: string;
	    mimeType: string;
	    variables: TemplateVariable[];
	    problem: string;
	    type: string;
	
	    static createFrom(source: any = {}) {
	        return new ResourceTemplate(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.uriTemplate = source["uriTemplate"];
	        this.title = source["title"];
	        this.description = source["description"];
	        this.mimeType = source["mimeType"];
	        this.variables = this.convertValues(source["variables"], TemplateVariable);
	        this.problem = source["problem"];
	        this.type = source["type"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ResourceList {
	    offered: boolean;
	    resources: ResourceRow[];
	    templates: ResourceTemplate[];
	    warning: string;
	    stale: string;
	    subscribe: boolean;
	    metadata: boolean;
	    live: string[];
	    completion: string;
	    search: boolean;
	
	    static createFrom(source: any = {}) {
	        return new ResourceList(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.offered = source["offered"];
	        this.resources = this.convertValues(source["resources"], ResourceRow);
	        this.templates = this.convertValues(source["templates"], ResourceTemplate);
	        this.warning = source["warning"];
	        this.stale = source["stale"];
	        this.subscribe = source["subscribe"];
	        this.metadata = source["metadata"];
	        this.live = source["live"];
	        this.completion = source["completion"];
	        this.search = source["search"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	export class RootRow {
	    id: string;
	    path: string;
	    name: string;
	    uri: string;
	    type: string;
	    readOnly: boolean;
	    missing: boolean;
	    home: boolean;
	    servers: Record<string, string>;
	
	    static createFrom(source: any = {}) {
	        return new RootRow(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.path = source["path"];
	        this.name = source["name"];
	        this.uri = source["uri"];
	        this.type = source["type"];
	        this.readOnly = source["readOnly"];
	        this.missing = source["missing"];
	        this.home = source["home"];
	        this.servers = source["servers"];
	    }
	}
	
	export class Seal {
	    picture: string;
	    word: string;
	
	    static createFrom(source: any = {}) {
	        return new Seal(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.picture = source["picture"];
	        this.word = source["word"];
	    }
	}
	export class ServerDefaults {
	    inactiveMin: number;
	    totalMin: number;
	    inFlight: number;
	    openSec: number;
	    restart: boolean;
	    resume: boolean;
	
	    static createFrom(source: any = {}) {
	        return new ServerDefaults(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.inactiveMin = source["inactiveMin"];
	        this.totalMin = source["totalMin"];
	        this.inFlight = source["inFlight"];
	        this.openSec = source["openSec"];
	        this.restart = source["restart"];
	        this.resume = source["resume"];
	    }
	}
	export class ServerDefaultsView {
	    now: ServerDefaults;
	    usual: ServerDefaults;
	    least: ServerDefaults;
	    most: ServerDefaults;
	
	    static createFrom(source: any = {}) {
	        return new ServerDefaultsView(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.now = this.convertValues(source["now"], ServerDefaults);
	        this.usual = this.convertValues(source["usual"], ServerDefaults);
	        this.least = this.convertValues(source["least"], ServerDefaults);
	        this.most = this.convertValues(source["most"], ServerDefaults);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class Variable {
	    name: string;
	    value: string;
	    ref: string;
	    secret?: string;
	
	    static createFrom(source: any = {}) {
	        return new Variable(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.value = source["value"];
	        this.ref = source["ref"];
	        this.secret = source["secret"];
	    }
	}
	export class ServerDraft {
	    id: string;
	    name: string;
	    transport: string;
	    command: string;
	    args: string[];
	    dir: string;
	    env: Variable[];
	    url: string;
	    headers: Variable[];
	    era: string;
	    inactiveMin: number;
	    totalMin: number;
	    authorities: string[];
	
	    static createFrom(source: any = {}) {
	        return new ServerDraft(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.transport = source["transport"];
	        this.command = source["command"];
	        this.args = source["args"];
	        this.dir = source["dir"];
	        this.env = this.convertValues(source["env"], Variable);
	        this.url = source["url"];
	        this.headers = this.convertValues(source["headers"], Variable);
	        this.era = source["era"];
	        this.inactiveMin = source["inactiveMin"];
	        this.totalMin = source["totalMin"];
	        this.authorities = source["authorities"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ServerDetail {
	    id: string;
	    name: string;
	    transport: string;
	    origin: string;
	    status: string;
	    since: string;
	    crashes: number;
	    revision: string;
	    tools: number;
	    changedTools: number;
	    review: string;
	    latencyMs: number;
	    aside: boolean;
	    draft: ServerDraft;
	    command: string;
	    claimedName: string;
	    claimedTitle: string;
	    claimedVersion: string;
	    inherited: string[];
	    approvedAt: string;
	    approvedDigest: string;
	    failure?: Failure;
	    noise: number;
	    toolsWarning: string;
	    logs: boolean;
	    logLevel: string;
	    knownEra: string;
	    knownWire: string;
	    knownSince: string;
	    instructions: Instructions;
	
	    static createFrom(source: any = {}) {
	        return new ServerDetail(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.transport = source["transport"];
	        this.origin = source["origin"];
	        this.status = source["status"];
	        this.since = source["since"];
	        this.crashes = source["crashes"];
	        this.revision = source["revision"];
	        this.tools = source["tools"];
	        this.changedTools = source["changedTools"];
	        this.review = source["review"];
	        this.latencyMs = source["latencyMs"];
	        this.aside = source["aside"];
	        this.draft = this.convertValues(source["draft"], ServerDraft);
	        this.command = source["command"];
	        this.claimedName = source["claimedName"];
	        this.claimedTitle = source["claimedTitle"];
	        this.claimedVersion = source["claimedVersion"];
	        this.inherited = source["inherited"];
	        this.approvedAt = source["approvedAt"];
	        this.approvedDigest = source["approvedDigest"];
	        this.failure = this.convertValues(source["failure"], Failure);
	        this.noise = source["noise"];
	        this.toolsWarning = source["toolsWarning"];
	        this.logs = source["logs"];
	        this.logLevel = source["logLevel"];
	        this.knownEra = source["knownEra"];
	        this.knownWire = source["knownWire"];
	        this.knownSince = source["knownSince"];
	        this.instructions = this.convertValues(source["instructions"], Instructions);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class ServerRow {
	    id: string;
	    name: string;
	    transport: string;
	    origin: string;
	    status: string;
	    since: string;
	    crashes: number;
	    revision: string;
	    tools: number;
	    changedTools: number;
	    review: string;
	    latencyMs: number;
	    aside: boolean;
	
	    static createFrom(source: any = {}) {
	        return new ServerRow(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.id = source["id"];
	        this.name = source["name"];
	        this.transport = source["transport"];
	        this.origin = source["origin"];
	        this.status = source["status"];
	        this.since = source["since"];
	        this.crashes = source["crashes"];
	        this.revision = source["revision"];
	        this.tools = source["tools"];
	        this.changedTools = source["changedTools"];
	        this.review = source["review"];
	        this.latencyMs = source["latencyMs"];
	        this.aside = source["aside"];
	    }
	}
	
	
	
	
	
	
	
	
	
	
	export class State {
	    version: string;
	    dataDir: string;
	    theme: string;
	    textSize: number;
	    language: string;
	    systemLanguage: string;
	    firstRun: boolean;
	    seal: Seal;
	    armingMs: number;
	    notices: Notice[];
	    windowControls: boolean;
	    program: string[];
	    logLevel: string;
	    goVersion: string;
	    notify: string;
	
	    static createFrom(source: any = {}) {
	        return new State(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.version = source["version"];
	        this.dataDir = source["dataDir"];
	        this.theme = source["theme"];
	        this.textSize = source["textSize"];
	        this.language = source["language"];
	        this.systemLanguage = source["systemLanguage"];
	        this.firstRun = source["firstRun"];
	        this.seal = this.convertValues(source["seal"], Seal);
	        this.armingMs = source["armingMs"];
	        this.notices = this.convertValues(source["notices"], Notice);
	        this.windowControls = source["windowControls"];
	        this.program = source["program"];
	        this.logLevel = source["logLevel"];
	        this.goVersion = source["goVersion"];
	        this.notify = source["notify"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class TaskEvent {
	    at: string;
	    status: string;
	    message: string;
	
	    static createFrom(source: any = {}) {
	        return new TaskEvent(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.at = source["at"];
	        this.status = source["status"];
	        this.message = source["message"];
	    }
	}
	export class TaskRow {
	    call: string;
	    task: string;
	    serverId: string;
	    serverName: string;
	    tool: string;
	    arguments: string;
	    state: string;
	    status: string;
	    message: string;
	    createdAt: string;
	    updatedAt: string;
	    since: string;
	    endedAt: string;
	    expiresAt: string;
	    pollMs: number;
	    progress?: Progress;
	    overdue: boolean;
	    connected: boolean;
	    kept: boolean;
	    resumed: boolean;
	    cancelAsked: string;
	    revision: string;
	    extension: boolean;
	    decision: string;
	    by: string;
	    decidedAt: string;
	    result: string;
	    error: string;
	    events: TaskEvent[];
	
	    static createFrom(source: any = {}) {
	        return new TaskRow(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.call = source["call"];
	        this.task = source["task"];
	        this.serverId = source["serverId"];
	        this.serverName = source["serverName"];
	        this.tool = source["tool"];
	        this.arguments = source["arguments"];
	        this.state = source["state"];
	        this.status = source["status"];
	        this.message = source["message"];
	        this.createdAt = source["createdAt"];
	        this.updatedAt = source["updatedAt"];
	        this.since = source["since"];
	        this.endedAt = source["endedAt"];
	        this.expiresAt = source["expiresAt"];
	        this.pollMs = source["pollMs"];
	        this.progress = this.convertValues(source["progress"], Progress);
	        this.overdue = source["overdue"];
	        this.connected = source["connected"];
	        this.kept = source["kept"];
	        this.resumed = source["resumed"];
	        this.cancelAsked = source["cancelAsked"];
	        this.revision = source["revision"];
	        this.extension = source["extension"];
	        this.decision = source["decision"];
	        this.by = source["by"];
	        this.decidedAt = source["decidedAt"];
	        this.result = source["result"];
	        this.error = source["error"];
	        this.events = this.convertValues(source["events"], TaskEvent);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	export class ToolTimes {
	    inactiveSec: number;
	    totalSec: number;
	
	    static createFrom(source: any = {}) {
	        return new ToolTimes(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.inactiveSec = source["inactiveSec"];
	        this.totalSec = source["totalSec"];
	    }
	}
	export class ToolDetail {
	    serverId: string;
	    serverName: string;
	    name: string;
	    title: string;
	    risk: string;
	    changed: boolean;
	    tokens: number;
	    lastUse: string;
	    lastOutcome: string;
	    taskSupport: string;
	    origin: string;
	    description: string;
	    inputSchema: string;
	    outputSchema: string;
	    definition: string;
	    previous: string;
	    pinnedAt: string;
	    annotations: string;
	    times: ToolTimes;
	    usualTimes: ToolTimes;
	
	    static createFrom(source: any = {}) {
	        return new ToolDetail(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.serverId = source["serverId"];
	        this.serverName = source["serverName"];
	        this.name = source["name"];
	        this.title = source["title"];
	        this.risk = source["risk"];
	        this.changed = source["changed"];
	        this.tokens = source["tokens"];
	        this.lastUse = source["lastUse"];
	        this.lastOutcome = source["lastOutcome"];
	        this.taskSupport = source["taskSupport"];
	        this.origin = source["origin"];
	        this.description = source["description"];
	        this.inputSchema = source["inputSchema"];
	        this.outputSchema = source["outputSchema"];
	        this.definition = source["definition"];
	        this.previous = source["previous"];
	        this.pinnedAt = source["pinnedAt"];
	        this.annotations = source["annotations"];
	        this.times = this.convertValues(source["times"], ToolTimes);
	        this.usualTimes = this.convertValues(source["usualTimes"], ToolTimes);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ToolRow {
	    serverId: string;
	    serverName: string;
	    name: string;
	    title: string;
	    risk: string;
	    changed: boolean;
	    tokens: number;
	    lastUse: string;
	    lastOutcome: string;
	    taskSupport: string;
	
	    static createFrom(source: any = {}) {
	        return new ToolRow(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.serverId = source["serverId"];
	        this.serverName = source["serverName"];
	        this.name = source["name"];
	        this.title = source["title"];
	        this.risk = source["risk"];
	        this.changed = source["changed"];
	        this.tokens = source["tokens"];
	        this.lastUse = source["lastUse"];
	        this.lastOutcome = source["lastOutcome"];
	        this.taskSupport = source["taskSupport"];
	    }
	}
	export class ToolPage {
	    total: number;
	    servers: number;
	    rows: ToolRow[];
	
	    static createFrom(source: any = {}) {
	        return new ToolPage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.total = source["total"];
	        this.servers = source["servers"];
	        this.rows = this.convertValues(source["rows"], ToolRow);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class ToolQuery {
	    text: string;
	    serverId: string;
	    offset: number;
	    limit: number;
	
	    static createFrom(source: any = {}) {
	        return new ToolQuery(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.text = source["text"];
	        this.serverId = source["serverId"];
	        this.offset = source["offset"];
	        this.limit = source["limit"];
	    }
	}
	
	
	export class TraceSchema {
	    revision: string;
	    definition: string;
	    missing: string;
	    problems: consent.Problem[];
	
	    static createFrom(source: any = {}) {
	        return new TraceSchema(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.revision = source["revision"];
	        this.definition = source["definition"];
	        this.missing = source["missing"];
	        this.problems = this.convertValues(source["problems"], consent.Problem);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class TraceHeader {
	    name: string;
	    value: string;
	
	    static createFrom(source: any = {}) {
	        return new TraceHeader(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.name = source["name"];
	        this.value = source["value"];
	    }
	}
	export class TraceExchange {
	    seq: number;
	    at: string;
	    dir: string;
	    method: string;
	    url: string;
	    status: number;
	    error: string;
	    headers: TraceHeader[];
	    event: string;
	    lastId: string;
	    retryMs: number;
	    data: string;
	
	    static createFrom(source: any = {}) {
	        return new TraceExchange(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.seq = source["seq"];
	        this.at = source["at"];
	        this.dir = source["dir"];
	        this.method = source["method"];
	        this.url = source["url"];
	        this.status = source["status"];
	        this.error = source["error"];
	        this.headers = this.convertValues(source["headers"], TraceHeader);
	        this.event = source["event"];
	        this.lastId = source["lastId"];
	        this.retryMs = source["retryMs"];
	        this.data = source["data"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class TraceRow {
	    seq: number;
	    serverId: string;
	    serverName: string;
	    connection: number;
	    at: string;
	    kind: string;
	    dir: string;
	    method: string;
	    asked: string;
	    name: string;
	    id: string;
	    bytes: number;
	    tookMs: number;
	    done: number;
	    total: number;
	    state: string;
	    problem: string;
	    code: string;
	    detail: string;
	    request: number;
	    reply: number;
	
	    static createFrom(source: any = {}) {
	        return new TraceRow(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.seq = source["seq"];
	        this.serverId = source["serverId"];
	        this.serverName = source["serverName"];
	        this.connection = source["connection"];
	        this.at = source["at"];
	        this.kind = source["kind"];
	        this.dir = source["dir"];
	        this.method = source["method"];
	        this.asked = source["asked"];
	        this.name = source["name"];
	        this.id = source["id"];
	        this.bytes = source["bytes"];
	        this.tookMs = source["tookMs"];
	        this.done = source["done"];
	        this.total = source["total"];
	        this.state = source["state"];
	        this.problem = source["problem"];
	        this.code = source["code"];
	        this.detail = source["detail"];
	        this.request = source["request"];
	        this.reply = source["reply"];
	    }
	}
	export class TraceDetail {
	    seq: number;
	    serverId: string;
	    serverName: string;
	    connection: number;
	    at: string;
	    kind: string;
	    dir: string;
	    method: string;
	    asked: string;
	    name: string;
	    id: string;
	    bytes: number;
	    tookMs: number;
	    done: number;
	    total: number;
	    state: string;
	    problem: string;
	    code: string;
	    detail: string;
	    request: number;
	    reply: number;
	    raw: string;
	    cut: number;
	    call: string;
	    related: TraceRow[];
	    exchanges: TraceExchange[];
	    schema?: TraceSchema;
	
	    static createFrom(source: any = {}) {
	        return new TraceDetail(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.seq = source["seq"];
	        this.serverId = source["serverId"];
	        this.serverName = source["serverName"];
	        this.connection = source["connection"];
	        this.at = source["at"];
	        this.kind = source["kind"];
	        this.dir = source["dir"];
	        this.method = source["method"];
	        this.asked = source["asked"];
	        this.name = source["name"];
	        this.id = source["id"];
	        this.bytes = source["bytes"];
	        this.tookMs = source["tookMs"];
	        this.done = source["done"];
	        this.total = source["total"];
	        this.state = source["state"];
	        this.problem = source["problem"];
	        this.code = source["code"];
	        this.detail = source["detail"];
	        this.request = source["request"];
	        this.reply = source["reply"];
	        this.raw = source["raw"];
	        this.cut = source["cut"];
	        this.call = source["call"];
	        this.related = this.convertValues(source["related"], TraceRow);
	        this.exchanges = this.convertValues(source["exchanges"], TraceExchange);
	        this.schema = this.convertValues(source["schema"], TraceSchema);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	
	
	export class TracePage {
	    total: number;
	    rows: TraceRow[];
	    problems: number;
	    messages: number;
	    bytes: number;
	    gone: number;
	    last: number;
	    medianMs: number;
	    slowestMs: number;
	    peer: string;
	    revision: string;
	
	    static createFrom(source: any = {}) {
	        return new TracePage(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.total = source["total"];
	        this.rows = this.convertValues(source["rows"], TraceRow);
	        this.problems = source["problems"];
	        this.messages = source["messages"];
	        this.bytes = source["bytes"];
	        this.gone = source["gone"];
	        this.last = source["last"];
	        this.medianMs = source["medianMs"];
	        this.slowestMs = source["slowestMs"];
	        this.peer = source["peer"];
	        this.revision = source["revision"];
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}
	export class TraceQuery {
	    serverId: string;
	    show: string;
	    kind: string;
	    text: string;
	    call: string;
	    until: number;
	    offset: number;
	    limit: number;
	
	    static createFrom(source: any = {}) {
	        return new TraceQuery(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.serverId = source["serverId"];
	        this.show = source["show"];
	        this.kind = source["kind"];
	        this.text = source["text"];
	        this.call = source["call"];
	        this.until = source["until"];
	        this.offset = source["offset"];
	        this.limit = source["limit"];
	    }
	}
	
	
	

}

export namespace consent {
	
	export class Finding {
	    code: string;
	    class: string;
	    pointer: string;
	    line: number;
	    start: number;
	    end: number;
	    detail: string;
	
	    static createFrom(source: any = {}) {
	        return new Finding(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.code = source["code"];
	        this.class = source["class"];
	        this.pointer = source["pointer"];
	        this.line = source["line"];
	        this.start = source["start"];
	        this.end = source["end"];
	        this.detail = source["detail"];
	    }
	}
	export class Problem {
	    pointer: string;
	    message: string;
	
	    static createFrom(source: any = {}) {
	        return new Problem(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.pointer = source["pointer"];
	        this.message = source["message"];
	    }
	}
	export class Risk {
	    class: string;
	    classes: string[];
	    high: boolean;
	    findings: Finding[];
	
	    static createFrom(source: any = {}) {
	        return new Risk(source);
	    }
	
	    constructor(source: any = {}) {
	        if ('string' === typeof source) source = JSON.parse(source);
	        this.class = source["class"];
	        this.classes = source["classes"];
	        this.high = source["high"];
	        this.findings = this.convertValues(source["findings"], Finding);
	    }
	
		convertValues(a: any, classs: any, asMap: boolean = false): any {
		    if (!a) {
		        return a;
		    }
		    if (a.slice && a.map) {
		        return (a as any[]).map(elem => this.convertValues(elem, classs));
		    } else if ("object" === typeof a) {
		        if (asMap) {
		            for (const key of Object.keys(a)) {
		                a[key] = new classs(a[key]);
		            }
		            return a;
		        }
		        return new classs(a);
		    }
		    return a;
		}
	}

}

