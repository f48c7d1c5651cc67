// What the Resources page exchanges with Go. Every text of a resource is its server's.

import type { Block, Leave } from './backend';

/** What a resource is; the order is that of the filters. */
export const resourceTypes = ['file', 'directory', 'database', 'api', 'other'] as const;
export type ResourceType = (typeof resourceTypes)[number];

export interface ResourceRow {
  uri: string;
  name: string;
  title: string; // to show: title, name or URI
  description: string;
  mimeType: string;
  size: number; // bytes as claimed, -1 = not stated
  audience: string[];
  priority: number; // 0–1, -1 = not stated
  lastModified: string;
  problem: string; // why it cannot be used
  type: ResourceType;
  metadata: string; // raw JSON, '' = none
}
export interface TemplateVariable {
  name: string;
  optional: boolean;
}
export interface ResourceTemplate {
  uriTemplate: string;
  title: string;
  description: string;
  mimeType: string;
  variables: TemplateVariable[];
  problem: string;
  type: ResourceType;
}
export interface ResourceList {
  offered: boolean; // the server has resources
  resources: ResourceRow[];
  templates: ResourceTemplate[];
  warning: string; // why a list was cut short
  stale: string; // since when a list cannot be fetched again
  subscribe: boolean; // the server tells of changes
  metadata: boolean; // the server says that it describes them (2024-11-05)
  live: string[]; // URIs subscribed to
  completion: Leave;
  search: boolean; // the server can search its resources itself
}
export interface FoundResources {
  resources: ResourceRow[];
  warning: string;
}
export interface ResourceContent {
  at: string;
  durationMs: number;
  bytes: number;
  blocks: Block[]; // kind 'resource': bytes of a kind that is not shown
  truncated: number;
}
