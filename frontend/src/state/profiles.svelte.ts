// The profiles: which one is in use, and the question that a change asks first if calls would stop by it.

import type { Backend, Profile, ProfileChange, ProfileList, RunningCall } from '@/backend/backend';
import { t } from '@/i18n/index.svelte';
import type { Hub } from './hub';
import { Resource } from './resource.svelte';

/** What the user is asked before calls stop. */
export interface StopQuestion {
  kind: 'switch' | 'save';
  running: readonly RunningCall[];
  answer(stop: boolean): void;
}

/** The user's name for a profile, or the catalogue's for the first one. */
export const profileName = ({ name }: Profile): string => name || t().profiles.first;

export class Profiles {
  readonly list: Resource<ProfileList>;
  asking = $state.raw<StopQuestion | null>(null);

  readonly #backend: Backend;
  readonly #announce: (text: string) => void;

  constructor(backend: Backend, hub: Hub, announce: (text: string) => void) {
    this.#backend = backend;
    this.#announce = announce;
    this.list = new Resource(() => backend.listProfiles());
    this.list.follow(hub, ['profiles', 'servers']);
  }

  get all(): readonly Profile[] {
    return this.list.value?.profiles ?? [];
  }

  get current(): Profile | undefined {
    return this.all.find(({ id }) => id === this.list.value?.current);
  }

  async switchTo(profile: Profile): Promise<void> {
    if (profile.id === this.current?.id) return;
    await this.#change('switch', async (stop) => {
      const change = await this.#backend.switchProfile(profile.id, stop);
      if (change.running.length === 0) this.#announce(t().profiles.switched(profileName(profile)));
      return change;
    });
  }

  /** Adds a profile, replaces the one with its id, or brings it back; false: the user thought better of it. */
  save(profile: Profile): Promise<boolean> {
    return this.#change('save', (stop) => this.#backend.saveProfile(profile, stop));
  }

  async remove({ id }: Profile): Promise<void> {
    await this.#backend.removeProfile(id);
    await this.list.refresh();
  }

  /** Puts a server into a profile, or takes it out. */
  setServer(profile: Profile, server: string, member: boolean): Promise<boolean> {
    const others = profile.servers.filter((id) => id !== server);
    return this.save({ ...profile, servers: member ? [...others, server] : others });
  }

  async #change(kind: StopQuestion['kind'], change: (stop: boolean) => Promise<ProfileChange>): Promise<boolean> {
    const { running } = await change(false);
    if (running.length > 0) {
      const stop = await new Promise<boolean>((answer) => (this.asking = { kind, running, answer }));
      this.asking = null;
      if (!stop) return false;
      await change(true);
    }
    await this.list.refresh();
    return true;
  }
}
