import type { BlobStore } from "@swath/base/blobs/blob-store";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import type { MapTypes } from "@swath/maps/registry";
import type { GridRenderer } from "@swath/maps/render/grid-renderer";
import type { ProvenanceRecord } from "@swath/contract/features/maps/provenance-contract";
import type { ReproduceRequest, ReproduceResult } from "@swath/contract/features/maps/reproduce-contract";
import type { PipelineHandler } from "../../../platform/context.ts";
import type { Areas } from "../../../platform/geometry/areas.ts";
import type { Results } from "../analysis/results.ts";
import type { LoadedMap } from "../grid-files/load-map.ts";
import { releasedPart } from "../released-part.ts";
import { readMosaic } from "../mosaic/kept-mosaic.ts";
import type { SceneLookup } from "../scene-lookup.ts";
import type { MapWithGeometry } from "../store.ts";
import { changedInputs } from "./changed-inputs.ts";
import { requireRecord, type GetProvenanceDeps } from "./get-provenance.ts";
import { lostScenes } from "./lost-scenes.ts";
import { digestPixels } from "./map-pixels.ts";

export interface ReproduceDeps extends GetProvenanceDeps {
  readonly areas: Pick<Areas, "intersection">;
  readonly blobs: Pick<BlobStore, "head">;
  readonly imagery: Pick<SceneLookup, "storedRevision">;
  readonly mapTypes: Pick<MapTypes, "find">;
  readonly renderer: Pick<GridRenderer, "render">;
  readonly results: Pick<Results, "objects" | "read" | "recompute">;
}

/** Makes a map again from its recorded inputs and compares the pixels. */
export function createReproduce(deps: ReproduceDeps): PipelineHandler<ReproduceRequest, ReproduceResult> {
  return {
    async prepare({ mapId }) {
      await recordWithPixels(deps, mapId);
    },
    async run({ mapId }, job) {
      await job.report({ message: "Preparing analysis", step: 1 });
      const { map, record, expectedSha256 } = await recordWithPixels(deps, mapId);
      const mapType = deps.mapTypes.find(map.mapType) ?? null;
      const scenes: (StoredScene | null)[] = [];
      for (const { sceneId, revision } of record.scenes) {
        scenes.push(await deps.imagery.storedRevision(sceneId, revision));
      }
      const changes = [...changedInputs(record, { mapType, scenes })];
      const known = scenes.filter((scene) => scene !== null);
      if (mapType === null || changes.some(({ input }) => input !== "software")) {
        return { result: { outcome: "inputs-changed", expectedSha256, sha256: null, changes } };
      }
      await job.report({ message: "Analyzing", step: 5 });
      const sha256 = await digestAgain(deps, map, { mapType, scenes: known }, job.signal);
      if (typeof sha256 !== "string") {
        const lost = await lostScenes(deps.blobs, record, known, job.signal);
        if (lost.length === 0) throw sha256;
        return {
          result: { outcome: "inputs-changed", expectedSha256, sha256: null, changes: [...lost, ...changes] },
        };
      }
      return {
        result: { outcome: sha256 === expectedSha256 ? "equal" : "different", expectedSha256, sha256, changes },
      };
    },
  };
}

async function recordWithPixels(
  deps: GetProvenanceDeps,
  mapId: string,
): Promise<Awaited<ReturnType<typeof requireRecord>> & { readonly expectedSha256: string }> {
  const found = await requireRecord(deps, mapId);
  if (found.record.pixels === null) {
    throw new ServiceError("DATA-NOT-AVAILABLE", "the release could read no pixels of the map: nothing to compare");
  }
  return { ...found, expectedSha256: found.record.pixels.sha256 };
}

/** Inputs of a map that all exist. */
interface KnownInputs {
  readonly mapType: MapTypeDescriptor;
  readonly scenes: readonly StoredScene[];
}

/** The digest of the pixels computed now, or why there is none. */
async function digestAgain(
  deps: ReproduceDeps,
  map: MapWithGeometry,
  inputs: KnownInputs,
  signal: AbortSignal,
): Promise<ServiceError | string> {
  try {
    const pixels = await computeAgain(deps, map, inputs, signal);
    return pixels?.sha256 ?? new ServiceError("DATA-NOT-AVAILABLE", "the pixels of the map cannot be read again");
  } catch (error) {
    if (error instanceof ServiceError && !signal.aborted) return error;
    throw error;
  }
}

async function computeAgain(
  deps: ReproduceDeps,
  map: MapWithGeometry,
  { mapType, scenes }: KnownInputs,
  signal: AbortSignal,
): Promise<ProvenanceRecord["pixels"]> {
  const { areas, renderer, results } = deps;
  const stored = scenes.find(({ scene }) => scene.sceneId === map.sceneId) ?? scenes.at(-1);
  if (stored === undefined) throw new RangeError("a map has a scene");
  const { analysis } = mapType;
  const mosaic = await readMosaic(deps, map.mosaic);
  const drawn: LoadedMap = { map, mapType, stored, mosaic, clip: map.geometry, result: null, hiddenTag: null };
  if (analysis === undefined) return await digestPixels(renderer, drawn, signal);
  const { inside } = await releasedPart(
    areas,
    scenes.map(({ scene }) => scene),
    map.geometry,
    signal,
  );
  return await results.recompute({ mapType, analysis, scenes, inside }, signal, async (row) => {
    const result = { row, objects: () => results.objects(row) };
    return await digestPixels(renderer, { ...drawn, result }, signal);
  });
}
