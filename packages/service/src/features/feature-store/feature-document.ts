import { createHash } from "node:crypto";
import { canonicalGeometry } from "@swath/kernel/geometry/canonical";
import type { Bounds, Geometry } from "@swath/kernel/geometry/geojson";
import { positionFaults } from "@swath/kernel/geometry/validate-geometry";
import { gridBounds, gridGeometry } from "@swath/kernel/query/spatial/grid-geometry";
import { isStorableText } from "@swath/kernel/text/storable-text";
import canonicalize from "canonicalize";
import { ServiceError, type ErrorDetail } from "@swath/kernel/errors/service-error";
import type { NewFeature } from "@swath/contract/features/feature-store/contract";
import type { Areas } from "../../platform/geometry/areas.ts";
import { documentEntries } from "./value-entry.ts";

/** What a stored feature may be at most. */
const FEATURE_LIMITS = {
  propertiesLength: 1024 * 1024,
  depth: 32,
  scalars: 1000,
  /** With the positions of a query it bounds what the exact test of one feature costs to two seconds. */
  positions: 20_000,
} as const;

/** A feature as the database takes it. */
export interface FeatureRow {
  readonly featureId: string;
  readonly collection: string;
  /** JSON text. */
  readonly properties: string;
  /** JSON text; null without geometry. */
  readonly geometry: string | null;
  readonly bbox: Bounds | null;
  /** Of the index of values. */
  readonly entries: readonly string[];
}

/** So that no other hash of ours over the same bytes is the same. */
const ID_DOMAIN = "feature:v1|";

function refuse(path: string, message: string, more: readonly ErrorDetail[] = []): never {
  throw new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }, ...more] });
}

function step(path: string, name: string | number): string {
  return `${path}/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** What the database could not keep, or could not answer as it came. */
function checkProperties(value: unknown, path: string, depth: number): void {
  if (typeof value === "string") {
    if (!isStorableText(value)) refuse(path, "must not have U+0000 or halves of surrogate pairs");
  } else if (typeof value === "number") {
    if (!Number.isFinite(value)) refuse(path, "must be a number that fits 64 bits of floating point");
  } else if (typeof value === "object" && value !== null) {
    if (depth > FEATURE_LIMITS.depth) refuse(path, `is nested more than ${FEATURE_LIMITS.depth} deep`);
    if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) checkProperties(one, step(path, index), depth + 1);
    } else {
      for (const [name, one] of Object.entries(value)) {
        if (!isStorableText(name)) refuse(path, "has a name with U+0000 or halves of surrogate pairs");
        checkProperties(one, step(path, name), depth + 1);
      }
    }
  }
}

function positionCount(geometry: Geometry): number {
  switch (geometry.type) {
    case "Point":
      return 1;
    case "MultiPoint":
    case "LineString":
      return geometry.coordinates.length;
    case "MultiLineString":
    case "Polygon":
      return geometry.coordinates.reduce((sum, line) => sum + line.length, 0);
    case "MultiPolygon":
      return geometry.coordinates.reduce(
        (sum, polygon) => sum + polygon.reduce((all, ring) => all + ring.length, 0),
        0,
      );
    case "GeometryCollection":
      break;
  }
  return geometry.geometries.reduce((sum, one) => sum + positionCount(one), 0);
}

async function checkedGeometry(
  areas: Pick<Areas, "requireUntangled">,
  geometry: Geometry,
  path: string,
  signal?: AbortSignal,
): Promise<Geometry> {
  const [fault, ...rest] = positionFaults(geometry, path);
  if (fault !== undefined) refuse(fault.path, fault.message, rest);
  const positions = positionCount(geometry);
  if (positions > FEATURE_LIMITS.positions) {
    refuse(path, `has ${positions} positions, expected at most ${FEATURE_LIMITS.positions}`);
  }
  await areas.requireUntangled(geometry, path, signal);
  return canonicalGeometry(geometry);
}

/** Canonical JSON (RFC 8785). */
function canonicalJson(value: object, path: string): string {
  return canonicalize(value) ?? refuse(path, "is no JSON");
}

/**
 * Checks a feature and works out what is stored of it. Its id is the SHA-256 of the canonical JSON (RFC 8785) of type,
 * canonical geometry and properties after a domain prefix, in base64url: the same feature always has the same id.
 *
 * @param path JSON Pointer of the feature in its request
 * @throws {ServiceError} VALIDATION-ERROR with the path of the fault
 */
export async function featureRow(
  areas: Pick<Areas, "requireUntangled">,
  feature: NewFeature,
  path: string,
  signal?: AbortSignal,
): Promise<FeatureRow> {
  const propertiesPath = step(path, "properties");
  checkProperties(feature.properties, propertiesPath, 1);
  const geometryPath = step(path, "geometry");
  const geometry =
    feature.geometry === null ? null : await checkedGeometry(areas, feature.geometry, geometryPath, signal);
  const properties = canonicalJson(feature.properties, propertiesPath);
  if (properties.length > FEATURE_LIMITS.propertiesLength) {
    refuse(propertiesPath, `has ${properties.length} characters, expected at most ${FEATURE_LIMITS.propertiesLength}`);
  }
  const entries = documentEntries(feature.properties);
  if (entries.length > FEATURE_LIMITS.scalars) {
    refuse(propertiesPath, `has ${entries.length} values outside arrays, expected at most ${FEATURE_LIMITS.scalars}`);
  }
  const geometryJson = geometry === null ? "null" : canonicalJson(geometry, path);
  // Members in their canonical order, so the whole is the canonical JSON of the feature.
  const document = `{"geometry":${geometryJson},"properties":${properties},"type":"Feature"}`;
  return {
    featureId: createHash("sha256").update(`${ID_DOMAIN}${document}`).digest("base64url"),
    collection: feature.properties.collection,
    properties,
    geometry: geometry === null ? null : geometryJson,
    bbox: geometry === null ? null : gridBounds(gridGeometry(geometry)),
    entries,
  };
}
