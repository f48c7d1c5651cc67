// Risk is computed by Gatehouse; these are its words. Findings are keyed by the code that mcphost/consent gives.

export const risk = {
  classes: { read: 'Reads', write: 'Writes', destroy: 'Destructive', leave: 'Leaves', unknown: 'Unknown' },
} as const;
