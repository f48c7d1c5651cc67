import type { Block } from './backend';

// What a request shows of a call or of a server's question, and the user's answer to any request.

export interface ShownCall {
  tool: string;
  title: string;
  description: string;
  arguments: string;
  inputSchema: string;
  definition: string;
  previous: string;
  edited: boolean;
  refusedBefore: boolean;
}

export interface ShownQuestion {
  via: 'request' | 'input' | 'task' | 'error';
  tool: string; // whose call it belongs to, '' if that cannot be told
  message: string;
  schema: string; // of a form
  params: string; // as received
  reply: string; // as it would be sent, '' until it was written
  address?: ShownAddress | null; // that would be opened
  sample?: ShownSample | null; // that a model should answer
}

/** A URL: before, domain and after are the whole of it. */
export interface ShownAddress {
  before: string;
  domain: string;
  after: string;
  registered: string; // the domain in ASCII
  unicode: string; // how the host displays, if that is not what is in ASCII
  strange: { letter: string; code: string; script: string }[];
  secure: boolean;
  times: number; // that the user has opened an address there
  lastTime: string; // '' = never
}

/** A block of a message. Beside those of results there are uses of tools, and what they gave: its blocks follow. */
export type MessageBlock = Omit<Block, 'kind'> & { kind: Block['kind'] | 'toolUse' | 'toolResult' };

/** What a server would have a model answer. */
export interface ShownSample {
  system: string;
  messages: { role: string; blocks: MessageBlock[] }[];
  hints: string[]; // names of models, the dearest first
  cost: number; // 0–1, -1 = not stated; so are the next two
  speed: number;
  intelligence: number;
  maxTokens: number;
  temperature: string; // '' = not stated
  stops: string[];
  context: string; // includeContext, '' = none
  tools: { name: string; title: string; description: string; inputSchema: string }[];
  toolChoice: 'auto' | 'required' | 'none';
  metadata: string; // raw JSON, '' = none
  left: number; // bytes that are too many to show
}

/** Where an address that was opened stands. */
export interface ShownVisit {
  goes: boolean; // what was asked for is made again when the user has finished
  completed: boolean; // the server says that it is done
  failed: boolean; // the browser could not be opened
}

export interface AnswerInput {
  allow: boolean;
  decline: boolean; // of a question: no, rather than not decided
  reason: string;
  stop: boolean;
}
