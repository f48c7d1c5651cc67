// What a person reads when a call to the Go side fails. Keys are BackendError.code; detail is appended as data.

export const errors = {
  title: 'That did not work',
  withDetail: (text: string, detail: string) => (detail ? `${text} (${detail})` : text),
  codes: {
    internal: 'Gatehouse ran into a fault of its own. The details are in the report.',
    unknown: 'Gatehouse cannot say why. The details are in the report.',
  },
} as const;
