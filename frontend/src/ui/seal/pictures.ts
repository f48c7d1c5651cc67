// Pictures of the user's seal. Go knows the same names.

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
  key: {
    ground: '#C9B8F0',
    ink: '#2A1F57',
    path: 'M6 6.2a2.8 2.8 0 1 1 2.6 3.9H8.4l-3.6 3.6H3.2v-1.8l3.3-3.3A2.8 2.8 0 0 1 6 6.2zM9.3 6a1 1 0 1 0 .1 0z',
  },
  bell: {
    ground: '#F29DB5',
    ink: '#4A1430',
    path: 'M9 3a1 1 0 0 1 1 1c1.8.5 3 2 3 4v2.6l1 1.6H4l1-1.6V8c0-2 1.2-3.5 3-4a1 1 0 0 1 1-1zM7.5 13h3a1.5 1.5 0 0 1-3 0z',
  },
  leaf: {
    ground: '#8FD6CB',
    ink: '#123F46',
    path: 'M14.2 3.6c.5 5.4-1.6 9-5.6 9-1.1 0-2-.3-2.8-.8L4.4 13.8l-1.1-1 1.5-1.8c-1.2-4.2 3-7.4 9.4-7.4zM6.3 10.2c1.5-1.8 3.2-2.9 5.3-3.6-2.5.2-4.3 1.3-5.3 3.6z',
  },
  moon: {
    ground: '#6E86C9',
    ink: '#FFF4D6',
    path: 'M12.8 11.2A5.2 5.2 0 0 1 7 4.3a5.2 5.2 0 1 0 5.8 6.9zM11.5 5.6a.8.8 0 1 0 1.6 0a.8.8 0 1 0-1.6 0z',
  },
  fish: {
    ground: '#F3A6C8',
    ink: '#18214A',
    path: 'M3.6 9c1.6-2.4 3.6-3.5 5.6-3.5S12.3 7 13 8l2-1.8v5.6L13 10c-.7 1-1.8 2.5-3.8 2.5S5.2 11.4 3.6 9zM6 8.3a.8.8 0 1 1 1.6 0a.8.8 0 1 1-1.6 0z',
  },
  umbrella: {
    ground: '#8ED3D0',
    ink: '#18214A',
    path: 'M3.2 9.2C3.6 6 6 4 9 4s5.4 2 5.8 5.2l-1.9-.9-2 .9-1.4-.7V13c0 1.9-2.8 1.9-2.8.1h1.1c0 .5.6.5.6-.1V8.5l-1.3.7-2-.9z',
  },
  lantern: {
    ground: '#F7D98B',
    ink: '#18214A',
    path: 'M6.2 6.2h5.6l.8 5.6H5.4zM7 4.6h4v1H7zM5.6 12.6h6.8v1.2H5.6zM7.3 4.2a1.7 1.7 0 0 1 3.4 0h-.9a.8.8 0 0 0-1.6 0zM9 7.6C7.8 8.9 8.1 10.4 9 10.5C9.9 10.4 10.2 8.8 9 7.6z',
  },
} as const;

export type SealName = keyof typeof seals;

export const sealNames = Object.keys(seals) as SealName[];

export const isSeal = (name: string): name is SealName => Object.hasOwn(seals, name);
