// The English catalogue: the source of every visible string. zh-Hans.ts must compile against it.

import { asks } from './en/asks';
import { chat } from './en/chat';
import { common } from './en/common';
import { consent } from './en/consent';
import { errors } from './en/errors';
import { form } from './en/form';
import { history } from './en/history';
import { profiles } from './en/profiles';
import { prompts } from './en/prompts';
import { resources } from './en/resources';
import { result } from './en/result';
import { risk } from './en/risk';
import { roots } from './en/roots';
import { seal } from './en/seal';
import { servers } from './en/servers';
import { settings } from './en/settings';
import { shell } from './en/shell';
import { tasks } from './en/tasks';
import { tools } from './en/tools';
import { trace } from './en/trace';
import { welcome } from './en/welcome';

export const en = {
  common,
  errors,
  risk,
  consent,
  asks,
  servers,
  tools,
  resources,
  prompts,
  tasks,
  form,
  result,
  chat,
  history,
  trace,
  profiles,
  settings,
  roots,
  seal,
  shell,
  welcome,
} as const;
