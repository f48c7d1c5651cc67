// A launch as text, for comparing it with the one that was approved before.

import type { PendingItem, ShownVariable } from '@/backend/backend';

export type Launch = NonNullable<PendingItem['launch']>;

const assignment = ({ name, value, ref }: ShownVariable, mark: string) =>
  `${name}${mark}${ref || JSON.stringify(value)}`;

export function launchText(launch: Launch): string {
  return [
    launch.command,
    ...launch.args.map((argument) => JSON.stringify(argument)),
    launch.url,
    launch.dir,
    ...launch.env.map((variable) => assignment(variable, '=')),
    ...launch.headers.map((header) => assignment(header, ': ')),
  ]
    .filter(Boolean)
    .join('\n');
}
