import type { Clock } from "@swath/base/clock";
import type { Log } from "@swath/base/log/log";
import type { Analyser } from "@swath/maps/engine/analyser";
import { keepModels } from "@swath/maps/models/runtime/keep-models";
import { readModelsAside } from "@swath/maps/models/runtime/read-models-aside";
import type { LiveMapTypes } from "@swath/maps/registry";
import type { Config } from "./platform/config/config.ts";

export interface ReloadModelsDeps {
  readonly models: Config["models"];
  /** Where copies of the files of models are kept. */
  readonly keptFolder: string;
  readonly analyser: Pick<Analyser, "install">;
  readonly mapTypes: Pick<LiveMapTypes, "all" | "replaceModels">;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Reads the folder of models again. With any fault nothing changes; the log names every fault. New work takes the new
 * models, work that runs keeps its version.
 */
export async function reloadModels({
  models,
  keptFolder,
  analyser,
  mapTypes,
  clock,
  log,
}: ReloadModelsDeps): Promise<void> {
  if (models === null) {
    log.warn({}, "models cannot be read again: SWATH_MODELS names no folder");
    return;
  }
  try {
    const read = await readModelsAside(models.folder, models.limits.memoryBytes);
    if (read.faults.length > 0) {
      log.error({ faults: read.faults }, "models have faults; the models of before stay");
      return;
    }
    const kept = await keepModels(read.models, keptFolder, clock.now());
    const manifests = kept.map(({ manifest }) => manifest);
    analyser.install(kept);
    mapTypes.replaceModels(manifests);
    log.info(
      { models: manifests.map(({ id, version, sha256 }) => ({ id, version, sha256 })) },
      "models were read again",
    );
  } catch (error) {
    log.error({ err: error }, "models could not be read again; the models of before stay");
  }
}
