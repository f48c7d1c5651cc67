export const consent = {} as const;
