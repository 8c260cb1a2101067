import { ServiceError } from "@swath/kernel/errors/service-error";
import { DATACUBE_NAMES } from "@swath/contract/features/datacube/names";

/** Identifies a datapoint within its project; each key has one value forever. */
interface DatapointKey {
  /** The measure, such as `ndvi_mean`; a segment of a permission. */
  readonly algorithm: string;
  /** The source of the measurement, such as a dataset. */
  readonly source: string;
  readonly aoiId: string;
  readonly start: Date;
  /** Not before `start`; equal for a moment. */
  readonly end: Date;
  /** Later text is newer. */
  readonly version: string;
}

/** A datapoint to be written. */
export interface NewDatapoint extends DatapointKey {
  readonly value: number;
  /** The same for all of a series; empty for a ratio. */
  readonly unit: string;
  /** 0..1 */
  readonly confidence?: number | null;
  /** Share of the area under clouds, 0..1. */
  readonly cloudCover?: number | null;
  readonly sceneId?: string | null;
  readonly mapId?: string | null;
  /** Inputs of the value; at most `MAX_PROVENANCE_BYTES` as JSON. */
  readonly provenance?: Readonly<Record<string, unknown>> | null;
}

/** Datapoints of one call of the writer. */
export const MAX_WRITTEN_DATAPOINTS = 10_000;
const MAX_PROVENANCE_BYTES = 4096;

/** A text as the name of an algorithm, such as the ID of a map type with parameters. */
export function algorithmName(text: string): string {
  return text
    .replaceAll(/[^A-Za-z0-9_-]+/g, "_")
    .replace(/^[_-]+/, "")
    .slice(0, 64);
}

/** @throws {ServiceError} VALIDATION-ERROR for datapoints that no reader could ask for */
export function requireWritable(points: readonly NewDatapoint[]): void {
  if (points.length > MAX_WRITTEN_DATAPOINTS) {
    refuse("", `${points.length} datapoints at once, expected at most ${MAX_WRITTEN_DATAPOINTS}`);
  }
  for (const [index, point] of points.entries()) requirePoint(point, `/datapoints/${index}`);
}

function requirePoint(point: NewDatapoint, path: string): void {
  for (const member of ["algorithm", "source", "aoiId", "version"] as const) {
    const pattern = DATACUBE_NAMES[member];
    if (!new RegExp(pattern).test(point[member])) refuse(`${path}/${member}`, `must match ${pattern}`);
  }
  if (!Number.isFinite(point.value)) refuse(`${path}/value`, `is ${point.value}, expected a finite number`);
  if (point.end.getTime() < point.start.getTime()) refuse(`${path}/endDatetime`, "must not be before startDatetime");
  const bytes = Buffer.byteLength(JSON.stringify(point.provenance ?? null));
  if (bytes > MAX_PROVENANCE_BYTES) {
    refuse(`${path}/provenance`, `has ${bytes} bytes, expected at most ${MAX_PROVENANCE_BYTES}`);
  }
}

function refuse(path: string, message: string): never {
  throw new ServiceError("VALIDATION-ERROR", `${path} ${message}`.trim(), { details: [{ path, message }] });
}
