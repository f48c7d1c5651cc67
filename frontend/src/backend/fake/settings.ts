// What the user sets for all servers, as the fake back end keeps it.

import type { NetworkSettings, NetworkView, ServerDefaults } from '@/backend/backend';
import { BackendFailure } from '@/backend/errors';
import { believed } from './servers';

export const usualDefaults: ServerDefaults = {
  inactiveMin: 5,
  totalMin: 60,
  inFlight: 8,
  openSec: 60,
  restart: true,
  resume: true,
};

export const networkOf = (settings: NetworkSettings): NetworkView => ({
  ...structuredClone(settings),
  environment: false,
  believed: settings.authorities.map(believed),
  problem: '',
});

export function acceptable(settings: NetworkSettings): NetworkSettings {
  if (settings.proxy === 'own' && !/^[\w.-]+:\d+$/.test(settings.address))
    throw new BackendFailure('bad-proxy', '', settings.address);
  return settings;
}
