import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import { readCanonicalInSteps } from "@swath/kernel/geometry/canonical-input";
import { areaParts } from "@swath/kernel/geometry/extent";
import type { Geometry } from "@swath/kernel/geometry/geojson";
import { ServiceError, type ErrorDetail } from "@swath/kernel/errors/service-error";
import type { Properties, StoredGeometry } from "@swath/contract/features/geojson/contract";
import { warnOfCrossing } from "../../platform/geometry/warn-of-crossing.ts";
import { canonicalJson, geometryIdOf } from "./geometry-id.ts";

/** A geometry ready to be kept. */
export interface GeometryForm {
  readonly geometryId: string;
  readonly geometry: Geometry;
  /** What is hashed and kept. */
  readonly json: string;
}

/** Larger properties belong in a store of files. */
const MAX_PROPERTIES_BYTES = 1024 * 1024;
const MAX_PROPERTIES_DEPTH = 32;

function refuse(details: readonly ErrorDetail[]): never {
  const message = details.map((detail) => `${detail.path} ${detail.message}`.trim()).join("; ");
  throw new ServiceError("VALIDATION-ERROR", message, { details });
}

/**
 * Gives way to others by elapsed time: a body of 10 MB takes 100 ms to read. Warns of a polygon that crosses itself.
 *
 * @throws {ServiceError} VALIDATION-ERROR with the faults below `path`
 */
export async function geometryForm(value: unknown, path: string, signal?: AbortSignal): Promise<GeometryForm> {
  const share = loopShare();
  const steps = readCanonicalInSteps(value, path);
  let step = steps.next();
  while (step.done !== true) {
    if (isUsedUp(share)) await giveWay(share, signal);
    step = steps.next();
  }
  const reading = step.value;
  if (reading.kind === "faulty") refuse(reading.faults);
  if (isUsedUp(share)) await giveWay(share, signal);
  warnOfCrossing(areaParts(reading.geometry), path);
  const json = canonicalJson(reading.geometry);
  if (isUsedUp(share)) await giveWay(share, signal);
  return { geometryId: geometryIdOf(json), geometry: reading.geometry, json };
}

export function withId(geometry: Geometry, id: string): StoredGeometry {
  return { ...geometry, id };
}

/** Properties as text to be kept. @throws {ServiceError} VALIDATION-ERROR when too large or nested too deep */
export function propertiesJson(properties: Properties): string {
  if (isDeeper(properties, MAX_PROPERTIES_DEPTH)) {
    refuse([{ path: "/properties", message: `must not be nested more than ${MAX_PROPERTIES_DEPTH} levels` }]);
  }
  const json = JSON.stringify(properties);
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_PROPERTIES_BYTES) {
    const message = `must have at most ${MAX_PROPERTIES_BYTES} bytes of JSON, has ${bytes}`;
    refuse([{ path: "/properties", message }]);
  }
  return json;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeper(member, levels - 1));
}
