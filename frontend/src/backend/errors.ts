// One error shape for the whole page. Go answers with a JSON string, because Wails would turn an object into
// "[object Object]"; anything that is not that string becomes code "unknown" with the text as detail.

import type { BackendError } from './backend';

export class BackendFailure extends Error implements BackendError {
  override readonly name = 'BackendFailure';

  constructor(
    readonly code: string,
    message: string,
    readonly detail = '',
  ) {
    super(message);
  }
}

export function failureFrom(cause: unknown): BackendFailure {
  if (cause instanceof BackendFailure) return cause;
  const text = cause instanceof Error ? cause.message : String(cause);
  try {
    const parsed: unknown = JSON.parse(text);
    if (isBackendError(parsed)) return new BackendFailure(parsed.code, parsed.message, parsed.detail);
  } catch {
    // Not ours: a fault below the Go services, or of the page itself.
  }
  return new BackendFailure('unknown', text, text);
}

function isBackendError(value: unknown): value is BackendError {
  if (typeof value !== 'object' || value === null) return false;
  return ['code', 'message', 'detail'].every((key) => typeof (value as Record<string, unknown>)[key] === 'string');
}
