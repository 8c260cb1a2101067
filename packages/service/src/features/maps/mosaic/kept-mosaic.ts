import type { MosaicRule } from "@swath/kernel/raster-mathematics/mosaic";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { MapTypes } from "@swath/maps/registry";
import type { MosaicMember, MosaicSource } from "@swath/maps/render/mosaic-member";
import { requireResult, type Results } from "../analysis/results.ts";
import type { SceneLookup } from "../scene-lookup.ts";

export interface CloudResult {
  readonly resultId: string;
  readonly mapType: string;
}

/** Scenes and rule of a mosaic, as its map keeps them. */
export interface KeptMosaic {
  readonly rule: MosaicRule;
  /** Index that decides by the rule `max` of a picture; else null. */
  readonly index: string | null;
  /** In order of choice. */
  readonly members: readonly {
    readonly sceneId: string;
    readonly revision: number;
    /** The result that tells its clouds; null when none does. */
    readonly clouds: CloudResult | null;
  }[];
}

export interface ReadMosaicDeps {
  readonly imagery: Pick<SceneLookup, "storedRevision">;
  readonly mapTypes: Pick<MapTypes, "find">;
  readonly results: Pick<Results, "read">;
}

/** The scenes of a mosaic with their pixels; null of a map without one. @throws {ServiceError} INVALID-MAP-ID */
export async function readMosaic(deps: ReadMosaicDeps, kept: KeptMosaic | null): Promise<MosaicSource | null> {
  if (kept === null) return null;
  const members = await Promise.all(kept.members.map((member) => readMember(deps, member)));
  return { rule: kept.rule, members, score: scoreOf(deps, kept.index) };
}

/** The index that decides between scenes. */
export function scoreOf({ mapTypes }: Pick<ReadMosaicDeps, "mapTypes">, index: string | null): MosaicSource["score"] {
  const rendering = index === null ? undefined : mapTypes.find(index)?.rendering;
  return rendering?.kind === "index" ? rendering.index : null;
}

async function readMember(
  { imagery, mapTypes, results }: ReadMosaicDeps,
  { sceneId, revision, clouds }: KeptMosaic["members"][number],
): Promise<MosaicMember> {
  const stored = await imagery.storedRevision(sceneId, revision);
  if (stored === null)
    throw new ServiceError("INVALID-MAP-ID", `the scene ${sceneId} no longer exists: make the mosaic again`);
  const { scene, raster } = stored;
  if (clouds === null) return { scene, raster, clearSky: null };
  const clearSky = mapTypes.find(clouds.mapType)?.clearSky;
  if (clearSky === undefined)
    throw new ServiceError("INVALID-MAP-ID", `the map type ${clouds.mapType} no longer exists`);
  const result = requireResult(await results.read(clouds.resultId));
  return { scene, raster, clearSky: { ...clearSky, raster: result.raster } };
}
