import { formatInstant } from "@swath/kernel/time/instant";
import type { Scene } from "@swath/kernel/scenes/scene";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Clock } from "@swath/base/clock";
import type { SceneMetadata } from "@swath/raster/scene-metadata/scene-metadata";
import { encodePng } from "@swath/raster/encode/image";
import { compareKeys } from "@swath/kernel/scenes/scene-key";
import type { SceneSource, SourceQuery } from "@swath/raster/source/scene-source";
import { catalogueEntry, isSimulated, scenesBetween } from "./constellation/catalogue.ts";
import { cloudCover } from "./constellation/cloud-cover.ts";
import { createDrawThreads } from "./draw-threads.ts";
import { rastersOf } from "./model-rasters.ts";
import type { SceneModel } from "./scene-model.ts";
import { foreignIdOf, sceneOfModel } from "./scene-of-model.ts";

export interface SimulatorSourceDeps {
  /** Nothing is found that the present has not reached. */
  readonly clock: Clock;
}

const THUMBNAIL_PX = 512;
function describe(model: SceneModel): Scene {
  return sceneOfModel(model, cloudCover(model));
}

/**
 * The simulated constellation as a source. Its catalogue is computed and its pixels are drawn on request, in worker
 * threads.
 */
export function createSimulatorSource({ clock }: SimulatorSourceDeps): SceneSource {
  const threads = createDrawThreads();
  const published = (sceneId: string): SceneModel | null => {
    const entry = catalogueEntry(sceneId);
    return entry === null || entry.publishedAtMs > clock.now().getTime() ? null : entry.model;
  };

  const required = (sceneId: string): SceneModel => {
    const model = published(sceneId);
    if (model === null) {
      throw new ServiceError("NON-EXISTING-SCENE", `the simulated constellation has no scene "${sceneId}"`);
    }
    return model;
  };

  return {
    isComputed: true,

    async search(query: SourceQuery, signal) {
      signal.throwIfAborted();
      if (!isSimulated(query.provider, query.dataset)) {
        throw new ServiceError(
          "DATASET-NOT-SUPPORTED-FOR-SEARCH",
          `the simulated constellation does not have ${query.dataset} of ${query.provider}`,
        );
      }
      const { after } = query;
      const afterMs = after === null ? Infinity : Math.floor(after.acquiredAtMs / 1000) * 1000 + 1000;
      const toMs = Math.min(query.toMs ?? Infinity, afterMs);
      const found = scenesBetween({
        provider: query.provider,
        dataset: query.dataset,
        boxes: query.boxes,
        fromMs: query.fromMs,
        toMs: Number.isFinite(toMs) ? toMs : null,
        nowMs: clock.now().getTime(),
      });
      const scenes: Scene[] = [];
      for (const model of found) {
        if (after !== null && compareKeys(after, model) >= 0) continue;
        if (scenes.length >= query.limit) return { scenes, end: false };
        scenes.push(describe(model));
      }
      return { scenes, end: true };
    },

    async scene(sceneId, signal) {
      signal.throwIfAborted();
      const model = published(sceneId);
      return model === null ? null : describe(model);
    },

    async open(scene, window, signal) {
      signal.throwIfAborted();
      const model = required(scene.sceneId);
      const { rasters, bands } = rastersOf(model, window?.extent ?? null, threads);
      return {
        rasters,
        metadata: metadataOf(model, cloudCover(model), bands),
        async [Symbol.asyncDispose]() {},
      };
    },

    async thumbnail(scene, signal) {
      signal.throwIfAborted();
      const picture = await threads.picture(required(scene.sceneId), THUMBNAIL_PX, signal);
      return { mediaType: "image/png", body: await encodePng(picture) };
    },

    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  };
}

function metadataOf(model: SceneModel, cover: number | null, bands: SceneMetadata["bands"]): SceneMetadata {
  const isWorldwide = model.datasetType === "environmental";
  return {
    foreignId: foreignIdOf(model),
    satellite: model.satellite,
    datetime: formatInstant(model.acquiredAtMs),
    datetimeSource: "document",
    ...(isWorldwide
      ? {}
      : {
          offNadir: model.offNadirDeg,
          sunElevation: model.sunElevationDeg,
          sunAzimuth: model.sunAzimuthDeg,
          satelliteAzimuth: model.satelliteAzimuthDeg,
          orbitPass: model.orbitPass,
        }),
    ...(cover === null ? {} : { cloudCover: cover }),
    ...(model.mode === null ? {} : { mode: model.mode }),
    ...(model.lookSide === null
      ? {}
      : {
          lookSide: model.lookSide,
          relativeOrbitNumberStart: model.relativeOrbit,
          relativeOrbitNumberStop: model.relativeOrbit,
        }),
    ...(model.sliceNumber === null ? {} : { sliceNumber: model.sliceNumber }),
    ...(model.looks === null ? {} : { looks: model.looks }),
    ...model.quality,
    bands,
  };
}
