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
}

export interface AnswerInput {
  allow: boolean;
  decline: boolean; // of a question: no, rather than not decided
  reason: string;
  stop: boolean;
}
