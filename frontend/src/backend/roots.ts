// Folders and files, and which server gets to know of which.

export type RootVisibility = '' | 'ask' | 'visible';

export interface RootRow {
  id: string;
  path: string;
  name: string;
  uri: string; // as servers get it
  type: string; // 'directory', 'file', or what a server has said
  /** A mark; nothing enforces it. */
  readOnly: boolean;
  missing: boolean; // it is not there any more, or leads elsewhere: nobody is told
  home: boolean; // the user's whole home folder
  servers: Record<string, RootVisibility>; // by id; absent = hidden
}

export interface RootsBackend {
  roots(): Promise<RootRow[]>;
  pickRoot(file: boolean): Promise<string>; // the id; '' = the user chose none
  showRoot(id: string, serverId: string, visibility: RootVisibility): Promise<void>;
  removeRoot(id: string): Promise<void>;
}
