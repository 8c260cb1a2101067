import { ServiceError } from "@swath/kernel/errors/service-error";

/** Larger documents belong in a store of files. */
const MAX_BYTES = 1024 * 1024;
const MAX_DEPTH = 32;

/** Free-form members as text to be kept. @throws {ServiceError} VALIDATION-ERROR when too large or nested too deep */
export function boundedJson(value: object, path: string): string {
  if (isDeeper(value, MAX_DEPTH)) refuse(path, `must not be nested more than ${MAX_DEPTH} levels`);
  const json = JSON.stringify(value);
  const bytes = Buffer.byteLength(json);
  if (bytes > MAX_BYTES) refuse(path, `must have at most ${MAX_BYTES} bytes of JSON, has ${bytes}`);
  return json;
}

function refuse(path: string, message: string): never {
  throw new ServiceError("VALIDATION-ERROR", `${path} ${message}`.trim(), { details: [{ path, message }] });
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((member) => isDeeper(member, levels - 1));
}
