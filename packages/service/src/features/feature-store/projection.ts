import { QueryReader } from "@swath/kernel/query/query-reader";
import type { FoundFeature } from "@swath/contract/features/feature-store/contract";
import type { StoredRow } from "./store.ts";

/** What answers keep of features; null keeps everything. */
export interface Projection {
  readonly geometry: boolean;
  /** Paths within the properties; null keeps all. */
  readonly properties: readonly (readonly string[])[] | null;
}

/** @throws {QueryError} with the place of what is not understood */
export function readProjection(fields: readonly string[] | undefined, path: string): Projection {
  if (fields === undefined) return { geometry: true, properties: null };
  const reader = new QueryReader();
  const wanted = fields.filter((name) => !["id", "type", "geometry", "properties"].includes(name));
  const paths = wanted.map((name) => {
    const field = reader.field(name, `${path}/${fields.indexOf(name)}`);
    return field.kind === "property" ? field.path : [];
  });
  return {
    geometry: fields.includes("geometry"),
    properties: fields.includes("properties") ? null : paths,
  };
}

/** Type and id are always kept. */
export function projected(row: StoredRow, { geometry, properties }: Projection): FoundFeature {
  return {
    type: "Feature",
    id: row.feature_id,
    ...(geometry ? { geometry: row.geometry === null ? null : JSON.parse(row.geometry) } : {}),
    properties: properties === null ? row.properties : kept(row.properties, properties),
  };
}

function kept(
  properties: Readonly<Record<string, unknown>>,
  paths: readonly (readonly string[])[],
): Readonly<Record<string, unknown>> {
  const names = new Map<string, (readonly string[])[]>();
  for (const [name, ...rest] of paths) {
    if (name !== undefined) names.set(name, [...(names.get(name) ?? []), rest]);
  }
  const entries: [string, unknown][] = [];
  for (const [name, rests] of names) {
    if (!Object.hasOwn(properties, name)) continue;
    const value = properties[name];
    if (rests.some((rest) => rest.length === 0)) entries.push([name, value]);
    else if (isObject(value)) {
      const inner = kept(value, rests);
      if (Object.keys(inner).length > 0) entries.push([name, inner]);
    }
  }
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
