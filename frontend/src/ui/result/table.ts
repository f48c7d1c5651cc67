// Structured content as a table, when it is one: an array of objects, alone or as the only array of an object.

import { oneLine, parseJson, type Value } from '@/schema/json';

export interface Table {
  columns: { key: string; numeric: boolean }[];
  rows: string[][];
}

const mostColumns = 30;

/** The table that a JSON text holds; undefined if it is none. Cells are text: numbers as received. */
export function tableOf(text: string): Table | undefined {
  const parsed = text === '' ? undefined : parseJson(text);
  const list = parsed?.ok ? listIn(parsed.value) : undefined;
  if (!list || list.length === 0) return undefined;
  const rows = list.flatMap((v) => (v.kind === 'object' ? [v.members] : []));
  const keys = new Set(rows.flatMap((row) => [...row.keys()]));
  if (rows.length < list.length || keys.size === 0 || keys.size > mostColumns) return undefined;
  const columns = [...keys].map((key) => ({
    key,
    numeric: rows.every((r) => (r.get(key)?.kind ?? 'number') === 'number'),
  }));
  return { columns, rows: rows.map((row) => columns.map(({ key }) => cell(row.get(key)))) };
}

function listIn(value: Value): Value[] | undefined {
  if (value.kind === 'array') return value.items;
  if (value.kind !== 'object') return undefined;
  const arrays = [...value.members.values()].flatMap((v) => (v.kind === 'array' ? [v.items] : []));
  return arrays.length === 1 && value.members.size === 1 ? arrays[0] : undefined;
}

function cell(value: Value | undefined): string {
  if (!value) return '';
  return value.kind === 'string' ? value.text : oneLine(value);
}
