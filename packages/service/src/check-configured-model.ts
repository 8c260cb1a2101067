import { checkModel, type CheckOptions, type ModelCheck } from "@swath/maps/models/runtime/check-model";
import { readModelLimits } from "./platform/config/model-limits.ts";

export type { ModelCheck } from "@swath/maps/models/runtime/check-model";

/**
 * Checks a model with the limits of time and memory that a service with this environment has.
 *
 * @throws {ConfigError} when a limit is none
 * @throws {RasterError} when the scene cannot be read
 */
export async function checkConfiguredModel(
  path: string,
  options: Omit<CheckOptions, "limits">,
  signal: AbortSignal,
): Promise<ModelCheck> {
  return await checkModel(path, { ...options, limits: readModelLimits() }, signal);
}
