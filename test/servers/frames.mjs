// Checks every frame that Gatehouse sent: node frames.mjs TRACE...
//
// A trace is JSON lines, of which those with {server, dir, frame} count. Each outgoing frame is validated twice: against
// the official JSON Schema of the revision that it was sent in (schema/, from the specification's repository), and
// against the schemas of the official TypeScript SDK. Both are independent of our engine, and so is the reading of the revision: from the frame's
// own _meta, otherwise from the answer to initialize. Written is {revisions, sent, faults} for each trace; the exit code
// is 0.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import * as core from '@modelcontextprotocol/core';
import * as skills from '@modelcontextprotocol/core/ext/skills';

const LEGACY = '2025-11-25'; // what initialize is offered in
const TASKS = 'ext-tasks-draft';
const VERSION = 'io.modelcontextprotocol/protocolVersion';

// The result of each request that a server may send.
const RESULTS = {
    ping: 'EmptyResult',
    'roots/list': 'ListRootsResult',
    'sampling/createMessage': 'CreateMessageResult',
    'elicitation/create': 'ElicitResult',
    'tasks/get': 'GetTaskResult',
    'tasks/result': 'GetTaskPayloadResult',
    'tasks/list': 'ListTasksResult',
    'tasks/cancel': 'CancelTaskResult',
    // Only in the text of 2024-11-05, which says no more of their results.
    'roots/add': 'EmptyResult',
    'roots/remove': 'EmptyResult',
};

// Methods that no official JSON Schema has, and what stands in.
const BESIDE = {
    'resources/search': 'JSONRPCRequest', // only in the text of 2024-11-05
    'skills/list': 'JSONRPCRequest', // an extension; the SDK has its schema
};
const SDK_BESIDE = { 'skills/list': skills.ListSkillsRequestParamsSchema };

const sdkMethods = new Map(
    Object.values(core).flatMap((schema) => [...(schema.shape?.method?.def?.values ?? [])].map((m) => [m, schema])),
);

const books = new Map(); // revision → {validate(definition, value), byMethod}

function book(revision) {
    if (!books.has(revision)) books.set(revision, openBook(revision));
    return books.get(revision);
}

function openBook(revision) {
    const text = readFileSync(new URL(`schema/${revision}.json`, import.meta.url), 'utf8');
    // What a form may hold: the specification's schema.ts says "number", which became "integer" on the way to JSON.
    const schema = JSON.parse(text.replace(/"string",\s*"integer",\s*"boolean"/g, '"string", "number", "boolean"'));
    const key = schema.$defs ? '$defs' : 'definitions';
    const ajv = new (schema.$defs ? Ajv2020 : Ajv)({ strict: false, allErrors: true });
    addFormats(ajv);
    ajv.addFormat('byte', true); // base64, which the SDK's schemas check
    ajv.addSchema(schema, 'mcp');
    const byMethod = new Map();
    for (const [name, def] of Object.entries(schema[key])) {
        for (const part of [def, ...(def.allOf ?? [])]) {
            const method = part.properties?.method?.const;
            if (method && !byMethod.has(method)) byMethod.set(method, name);
        }
    }
    return {
        byMethod,
        has: (name) => name in schema[key],
        faults(name, value) {
            const validate = ajv.getSchema(`mcp#/${key}/${name}`);
            if (validate(value)) return [];
            return validate.errors.map((e) => `${name}${e.instancePath} ${e.message}`);
        },
    };
}

function sdkFaults(name, schema, value) {
    const parsed = schema.safeParse(value);
    if (parsed.success) return [];
    return parsed.error.issues.map((i) => `SDK ${name}: ${i.path.join('/')} ${i.message}`);
}

// A conversation is what was said with one server so far.
class Conversation {
    revision = LEGACY;
    offered = new Set(); // ids of our initialize requests
    probes = new Map(); // id of our server/discover → its revision
    agreed = new Set(); // revisions that the server's answer to one of these has settled
    asked = new Map(); // id of a request of the server → the request

    hear(frame) {
        if (frame.method && 'id' in frame) this.asked.set(JSON.stringify(frame.id), frame);
        if (this.offered.has(JSON.stringify(frame.id)) && frame.result?.protocolVersion) {
            this.revision = frame.result.protocolVersion;
            this.agreed.add(this.revision);
        }
        const probed = this.probes.get(JSON.stringify(frame.id));
        if (frame.result?.supportedVersions?.includes(probed)) this.agreed.add(probed);
    }

    // say returns the revision of an outgoing frame and what is wrong with it.
    say(frame) {
        const own = frame?.params?._meta?.[VERSION];
        if (own) this.revision = own;
        if (frame?.method === 'server/discover') this.probes.set(JSON.stringify(frame.id), own);
        if (frame?.method === 'initialize') {
            this.offered.add(JSON.stringify(frame.id));
            return [frame.params?.protocolVersion, this.message(frame, book(LEGACY))];
        }
        const known = this.revision === '2024-10-07' ? '2024-11-05' : this.revision; // it has no schema of its own
        return [this.revision, this.message(frame, book(known))];
    }

    message(frame, spec) {
        const faults = [...spec.faults('JSONRPCMessage', frame), ...sdkFaults('JSONRPCMessage', core.JSONRPCMessageSchema, frame)];
        if (Array.isArray(frame)) return ['a batch', ...faults];
        if (frame.method) return [...faults, ...this.request(frame, spec)];
        const asked = this.asked.get(JSON.stringify(frame.id));
        if (!asked && frame.id !== null) return [...faults, `an answer to ${JSON.stringify(frame.id)}, which nobody asked`];
        if (frame.error || !asked) return faults;
        const name = asked.params?.task && frame.result?.task ? 'CreateTaskResult' : RESULTS[asked.method];
        if (!name) return [...faults, `a result for ${asked.method}, which no schema knows`];
        const sdk = core[`${name}Schema`];
        return [...faults, ...spec.faults(name, frame.result), ...(sdk ? sdkFaults(name, sdk, frame.result) : [])];
    }

    request(frame, spec) {
        const { method } = frame;
        let name = spec.byMethod.get(method) ?? BESIDE[method];
        if (!name && this.revision >= '2026') {
            spec = book(TASKS);
            name = spec.byMethod.get(method);
        }
        if (!name || !spec.has(name)) return [`${method} is not of revision ${this.revision}`];
        const sdk = SDK_BESIDE[method] ? [SDK_BESIDE[method], frame.params ?? {}] : [sdkMethods.get(method), frame];
        return [...spec.faults(name, frame), ...(sdk[0] ? sdkFaults(method, ...sdk) : [])];
    }
}

function check(trace) {
    const conversations = new Map();
    const revisions = new Set();
    const faults = [];
    let sent = 0;
    for (const text of readFileSync(trace, 'utf8').split('\n').filter(Boolean)) {
        const { server, dir, frame } = JSON.parse(text);
        if (frame === undefined) continue; // HTTP, a mark, a fault
        if (!conversations.has(server)) conversations.set(server, new Conversation());
        const conversation = conversations.get(server);
        if (dir === 'in') {
            if (frame && typeof frame === 'object') [frame].flat().forEach((f) => conversation.hear(f));
            continue;
        }
        sent++;
        const [revision, wrong] = conversation.say(frame);
        if (!['initialize', 'server/discover'].includes(frame.method)) revisions.add(revision);
        if (wrong.length > 0) faults.push({ revision, frame, faults: wrong });
    }
    for (const { agreed } of conversations.values()) agreed.forEach((revision) => revisions.add(revision));
    return { revisions: [...revisions], sent, faults };
}

console.log(JSON.stringify(process.argv.slice(2).map(check)));
