// Pictures of the user's seal, drawn only on the gate. Go picks one of these names.

export const seals = {
  sailboat: {
    ground: '#F2B544',
    ink: '#18214A',
    path: 'M9.6 3.5 13.8 10H9.6zM8.4 5 5.2 10h3.2zM3.8 11.2h10.6l-1.7 2.8H5.5z',
  },
  lighthouse: {
    ground: '#F08A5D',
    ink: '#2B1740',
    path: 'M7.6 3h2.8l.4 2.2H7.2zM7 6.2h4l.9 7.8H6.1zM2.6 4.6l3.2 1v-1zM15.4 4.6l-3.2 1v-1z',
  },
  anchor: {
    ground: '#7FB7E6',
    ink: '#12274A',
    path: 'M9 3a1.6 1.6 0 0 1 .7 3v1h2v1.3h-2v4.2c1.5-.3 2.5-1.3 2.7-2.5h1.3c-.3 2.5-2.3 4-4.7 4s-4.4-1.5-4.7-4h1.3c.2 1.2 1.2 2.2 2.7 2.5V8.3h-2V7h2V6A1.6 1.6 0 0 1 9 3z',
  },
  mountain: { ground: '#B7D98B', ink: '#1D3A2A', path: 'M2.8 13.5 7.2 5.5l2.3 3.8 1.4-2 4.3 6.2z' },
  tree: { ground: '#F3D36B', ink: '#1F4A2C', path: 'M9 2.8 13.2 9h-2l2.4 3H9.7v2.5H8.3V12H4.4l2.4-3h-2z' },
  moon: { ground: '#C9B8F0', ink: '#2A1F57', path: 'M11.8 3.6a6 6 0 1 0 2.7 8.2 5.2 5.2 0 0 1-2.7-8.2z' },
  fish: {
    ground: '#8FD6CB',
    ink: '#123F46',
    path: 'M3 9c1.8-2.6 4-3.8 6.2-3.8 1.8 0 3.2.9 4.2 2.2L15.2 6v6l-1.8-1.4c-1 1.3-2.4 2.2-4.2 2.2C7 12.8 4.8 11.6 3 9z',
  },
  kite: { ground: '#F29DB5', ink: '#4A1430', path: 'M9.5 2.8 13.8 7 8.6 12 5.8 6.4zM8 12.6l-2.6.8.5 1.8 1-1 1.3.6z' },
} as const;

export type SealName = keyof typeof seals;

export const isSeal = (name: string): name is SealName => Object.hasOwn(seals, name);
