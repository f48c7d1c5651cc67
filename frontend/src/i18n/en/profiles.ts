// Profiles: the menu in the title bar, the question before a switch, the manager, and what the Servers page says.

import { words } from '@/i18n/message';

const { plural } = words('en');

export const profiles = {
  /** The name of the first profile until the user gives it one. */
  first: 'Personal',
  menu: (name: string) => `Profile: ${name}`,
  manage: 'Manage profiles…',
  switchTo: (name: string) => `Switch to profile ${name}`,
  switched: (name: string) => `Profile ${name} is in use`,
  title: 'Profiles',
  explain: 'Only the servers of the profile in use run, and only their tools can be called.',
  list: 'Profiles',
  inUse: 'In use',
  servers: (n: number) => plural(n, { one: '# server', other: '# servers' }),
  noServers: 'No server yet',
  add: 'New profile',
  edit: 'Edit',
  editOne: (name: string) => `Edit ${name}`,
  duplicate: 'Duplicate',
  duplicateOne: (name: string) => `Duplicate ${name}`,
  copyName: (name: string) => `${name} (copy)`,
  remove: 'Delete',
  removeOne: (name: string) => `Delete ${name}`,
  notInUse: 'It is in use. Switch to another profile to delete it.',
  removed: (name: string) => `Profile ${name} was deleted`,
  close: 'Close',
  addTitle: 'New profile',
  editTitle: 'Edit profile',
  name: 'Name',
  taken: 'Another profile has this name.',
  unnamed: 'A profile needs a name.',
  itsServers: 'Servers in this profile',
  anyServers: 'There is no server yet. One that you add goes into the profile in use.',
  save: 'Save',
  stop: {
    title: (n: number) => plural(n, { one: 'A call is still running', other: '# calls are still running' }),
    explain: 'A server that leaves the profile in use is stopped, and with it:',
    of: (server: string) => `on ${server}`,
    waits: 'waits for your decision',
    switch: 'Stop them and switch',
    save: 'Stop them and save',
  },
  server: {
    row: 'Profiles',
    aside: 'Not in this profile',
    addTo: 'Add to this profile',
    joins: (profile: string) => `It goes into the profile ${profile}.`,
  },
} as const;
