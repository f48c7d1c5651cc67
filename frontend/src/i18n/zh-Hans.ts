// 简体中文. The type makes a missing or misshapen string a compile error.

import type { en } from './en';
import type { Translated } from './message';
import { asks } from './zh-Hans/asks';
import { chat } from './zh-Hans/chat';
import { common } from './zh-Hans/common';
import { consent } from './zh-Hans/consent';
import { errors } from './zh-Hans/errors';
import { form } from './zh-Hans/form';
import { history } from './zh-Hans/history';
import { profiles } from './zh-Hans/profiles';
import { prompts } from './zh-Hans/prompts';
import { resources } from './zh-Hans/resources';
import { result } from './zh-Hans/result';
import { risk } from './zh-Hans/risk';
import { roots } from './zh-Hans/roots';
import { seal } from './zh-Hans/seal';
import { servers } from './zh-Hans/servers';
import { settings } from './zh-Hans/settings';
import { shell } from './zh-Hans/shell';
import { tasks } from './zh-Hans/tasks';
import { tools } from './zh-Hans/tools';
import { trace } from './zh-Hans/trace';
import { welcome } from './zh-Hans/welcome';

export const zhHans: Translated<typeof en> = {
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
};
