// The look of each class of risk. Colour never stands alone: every class has an icon and a word as well.

import type { RiskClass } from '@/backend/backend';
import type { IconName } from './icons';

export const riskIcons: Record<RiskClass, IconName> = {
  read: 'eye',
  write: 'pen',
  destroy: 'trash',
  leave: 'out',
  unknown: 'info',
};
