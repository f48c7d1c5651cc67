// What the Resources page exchanges with Go. Every text of a resource is its server's.

import type { Block, Leave } from './backend';

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
}
export interface ResourceList {
  offered: boolean; // the server has resources
  resources: ResourceRow[];
  templates: ResourceTemplate[];
  warning: string; // why a list was cut short
  stale: string; // since when a list cannot be fetched again
  subscribe: boolean; // the server tells of changes
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
