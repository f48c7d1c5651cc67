// The Roots page.

export const roots = {
  title: 'Roots',
  about: 'Folders that servers may know about',
  addFolder: 'Add folder',
  addFile: 'Add file',
  empty: 'No server is told any folder. Add one, and choose who gets to know of it.',
  matrix: 'Which server gets to know of which folder',
  folder: 'Folder',
  actions: 'Actions',
  remote: 'A remote server: what it is told leaves this computer',
  missing: 'It is not there, or leads elsewhere by now: nobody is told.',
  readOnly: 'Marked read-only',
  home: 'This is your whole home folder.',
  cell: (root: string, server: string) => `${root}, ${server}`,
  cells: { hidden: 'Hidden', ask: 'Ask', visible: 'Visible' },
  legend: {
    visible: 'Visible: told, after a first question',
    ask: 'Ask: you are asked each time',
    hidden: 'Hidden: never told',
  },
  space: 'Space',
  changes: 'changes the cell',
  remove: 'Remove from the list; the folder stays',
  removeOf: (root: string) => `Remove ${root}`,
  remoteNote:
    'What remote servers are told leaves this computer: the folder’s path and name, including your user name.',
  noFence:
    'A root is a statement, not a fence. It tells a server where to work. A local server can still open any file you can.',
  seenBy: 'As seen by',
  firstAsked: 'You are asked before a server is told for the first time. Changes are told to it at once.',
  someAsked: 'You are asked each time, because of a folder that is set to Ask.',
  nothingTold: 'It is told nothing.',
} as const;
