import { giveWay, isUsedUp, loopShare } from "@swath/base/concurrency/loop-share";
import { readCanonicalInSteps } from "@swath/kernel/geometry/canonical-input";
import { areaParts } from "@swath/kernel/geometry/extent";
import type { Geometry } from "@swath/kernel/geometry/geojson";
import { ServiceError, type ErrorDetail } from "@swath/kernel/errors/service-error";
import type { StoredGeometry } from "@swath/contract/features/geojson/contract";
import { warnOfCrossing } from "../../platform/geometry/warn-of-crossing.ts";
import { canonicalJson, geometryIdOf } from "./geometry-id.ts";

/** A geometry ready to be kept. */
export interface GeometryForm {
  readonly geometryId: string;
  readonly geometry: Geometry;
  /** What is hashed and kept. */
  readonly json: string;
}

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
