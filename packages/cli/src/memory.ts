import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writePrivateFile } from "./write-private-file.ts";

/** Maps and scenes that one user of a service has seen. */
export interface UserMemory {
  /** The latest map; null before the first. */
  readonly last: string | null;
  /** Map IDs by map type, the latest of each. */
  readonly maps: Readonly<Record<string, string>>;
  /** Scenes that were found, listed or ingested, the latest first. */
  readonly scenes: readonly string[];
  /** The latest study of captures; null before the first. */
  readonly study: RememberedStudy | null;
  /** Orders of captures, the latest first. */
  readonly orders: readonly string[];
  /** Analyses, the latest first. */
  readonly analyses: readonly string[];
}

/** A study whose windows have short names. */
export interface RememberedStudy {
  /** Body of the request. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Window IDs in the order of their short names. */
  readonly windows: readonly string[];
}

/** Names of a service, for completion. */
export interface ServiceMemory {
  readonly datasets: readonly string[];
  readonly types: readonly string[];
  readonly users: Readonly<Record<string, UserMemory>>;
}

/** By address of the service. */
export type Memory = Readonly<Record<string, ServiceMemory>>;

const NO_USER_MEMORY: UserMemory = { last: null, maps: {}, scenes: [], study: null, orders: [], analyses: [] };
const NO_SERVICE_MEMORY: ServiceMemory = { datasets: [], types: [], users: {} };

const MOST_SCENES = 200;
const MOST_MAPS = 200;
const MOST_ORDERS = 200;
const MOST_ANALYSES = 200;

function memoryPath(folder: string): string {
  return join(folder, "memory.json");
}

/** The memory of the user of this machine; a missing, damaged or foreign file is an empty one. */
export async function readMemory(folder: string): Promise<Memory> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(memoryPath(folder), "utf8"));
  } catch {
    return {};
  }
  return Object.fromEntries(entriesOf(value).map(([url, service]) => [url, serviceOf(service)]));
}

export function userMemory(memory: Memory, url: string, user: string): UserMemory {
  return memory[url]?.users[user] ?? NO_USER_MEMORY;
}

/** Adds names that a service has listed. */
export async function rememberNames(
  folder: string,
  url: string,
  names: Partial<Pick<ServiceMemory, "datasets" | "types">>,
): Promise<void> {
  const memory = await readMemory(folder);
  await write(folder, { ...memory, [url]: { ...(memory[url] ?? NO_SERVICE_MEMORY), ...names } });
}

/** Adds what a user has seen: maps, the latest last; scenes, orders and analyses, the latest first; the latest study. */
export async function rememberForUser(
  folder: string,
  { url, user }: { readonly url: string; readonly user: string },
  seen: {
    readonly maps?: readonly { readonly mapId: string; readonly mapType: string }[];
    readonly scenes?: readonly string[];
    readonly study?: RememberedStudy;
    readonly orders?: readonly string[];
    readonly analyses?: readonly string[];
  },
): Promise<void> {
  const { maps = [], scenes = [], orders = [], analyses = [], study } = seen;
  if ([maps, scenes, orders, analyses].every(({ length }) => length === 0) && study === undefined) return;
  const memory = await readMemory(folder);
  const service = memory[url] ?? NO_SERVICE_MEMORY;
  const before = service.users[user] ?? NO_USER_MEMORY;
  const fresh = new Set(maps.map(({ mapType }) => mapType));
  const kept = Object.entries(before.maps).filter(([mapType]) => !fresh.has(mapType));
  const added = maps.map(({ mapId, mapType }): [string, string] => [mapType, mapId]);
  const after: UserMemory = {
    last: maps.at(-1)?.mapId ?? before.last,
    maps: Object.fromEntries([...kept, ...added].slice(-MOST_MAPS)),
    scenes: [...new Set([...scenes, ...before.scenes])].slice(0, MOST_SCENES),
    study: study ?? before.study,
    orders: [...new Set([...orders, ...before.orders])].slice(0, MOST_ORDERS),
    analyses: [...new Set([...analyses, ...before.analyses])].slice(0, MOST_ANALYSES),
  };
  await write(folder, { ...memory, [url]: { ...service, users: { ...service.users, [user]: after } } });
}

async function write(folder: string, memory: Memory): Promise<void> {
  await writePrivateFile(memoryPath(folder), memory);
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

function serviceOf(value: unknown): ServiceMemory {
  return {
    datasets: textsOf(member(value, "datasets")),
    types: textsOf(member(value, "types")),
    users: Object.fromEntries(entriesOf(member(value, "users")).map(([user, one]) => [user, userOf(one)])),
  };
}

function userOf(value: unknown): UserMemory {
  const last = member(value, "last");
  const maps = entriesOf(member(value, "maps")).flatMap(([mapType, mapId]): [string, string][] =>
    typeof mapId === "string" ? [[mapType, mapId]] : [],
  );
  return {
    last: typeof last === "string" ? last : null,
    maps: Object.fromEntries(maps),
    scenes: textsOf(member(value, "scenes")),
    study: studyOf(member(value, "study")),
    orders: textsOf(member(value, "orders")),
    analyses: textsOf(member(value, "analyses")),
  };
}

function studyOf(value: unknown): RememberedStudy | null {
  const request = member(value, "request");
  if (typeof request !== "object" || request === null || Array.isArray(request)) return null;
  return { request: Object.fromEntries(Object.entries(request)), windows: textsOf(member(value, "windows")) };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one: unknown) => typeof one === "string") : [];
}
