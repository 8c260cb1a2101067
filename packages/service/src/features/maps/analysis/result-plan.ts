import { createHash } from "node:crypto";
import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import type { Analysis, AnalysisPlan } from "@swath/maps/planning/analysis";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import { analysisGrid, blocksTouched } from "@swath/maps/engine/analysis-grid";
import type { AnalysisJob, AnalysisModel, AnalysisProduct } from "@swath/maps/engine/analysis-job";
import { blobKeys } from "@swath/maps/render/render-engine";

const ID_LENGTH = 32;

/** What an analysis is asked for. */
export interface ResultRequest {
  readonly mapType: MapTypeDescriptor;
  readonly analysis: Analysis;
  /** In the order of their times. */
  readonly scenes: readonly StoredScene[];
  /** The part of the wanted area that all scenes cover; empty is refused. */
  readonly inside: MultiPolygon;
}

/** Why no result can be made. */
export interface RefusedResult {
  readonly kind: "refused";
  readonly errorCode: Extract<AnalysisPlan, { readonly accepted: false }>["errorCode"] | "ZERO-TILES-AVAILABLE";
  readonly errorMessage: string;
}

type PlannedJob = { readonly kind: "job"; readonly job: Omit<AnalysisJob, "folder"> } | RefusedResult;

/** What is computed of which pixels, but for the folder that takes it. */
export function planJob(
  { mapType, analysis, scenes, inside }: ResultRequest,
  localPath: (key: string) => string | null,
): PlannedJob {
  const plan = analysis.plan(
    scenes.map(({ scene, raster }) => ({ scene, raster, roles: raster.bands.map(({ role }) => role) })),
  );
  if (!plan.accepted) return { kind: "refused", errorCode: plan.errorCode, errorMessage: plan.errorMessage };
  const first = scenes[0];
  if (first === undefined) throw new RangeError("an analysis needs a scene");
  const grid = analysisGrid(first.raster, plan.gridPosition, plan.reduction, analysis.largeBlockPx);
  const window = inside.coordinates.length === 0 ? null : blocksTouched(grid, inside);
  if (window === null) {
    return {
      kind: "refused",
      errorCode: "ZERO-TILES-AVAILABLE",
      errorMessage: `the extent has no area in common with ${scenes.map(({ scene }) => scene.sceneId).join(" and ")}`,
    };
  }
  const keys = scenes.flatMap(({ raster }) => blobKeys(raster));
  return {
    kind: "job",
    job: {
      mapType: mapType.id,
      layers: analysis.layers,
      parameters: plan.parameters,
      source: {
        grid,
        scenes: scenes.map(({ scene, raster }, index) => ({ scene, raster, planes: plan.planes[index] ?? [] })),
        marginPx: analysis.marginPx,
        wantsLand: analysis.wantsLand,
      },
      window,
      crs: {
        epsg: first.scene.crsEpsg === 0 ? null : first.scene.crsEpsg,
        proj4: first.raster.proj4,
        name: first.scene.crsEpsg === 0 ? "user-defined" : `EPSG:${first.scene.crsEpsg}`,
        datumShiftKnown: first.raster.controlGrid === null,
      },
      paths: Object.fromEntries(keys.map((key) => [key, localPath(key)])),
    },
  };
}

/** Everything that decides the pixels of a result. */
export function resultIdOf({ mapType, analysis, scenes }: ResultRequest, job: Omit<AnalysisJob, "folder">): string {
  const content = [
    mapType.id,
    analysis.algoVersion,
    scenes.map(({ scene, contentHash }) => [scene.sceneId, contentHash]),
    job.source.scenes.map(({ planes }) => planes),
    job.source.grid.geotransform,
    job.parameters,
    job.window,
  ];
  return createHash("sha256")
    .update(`map-result:v2|${JSON.stringify(content)}`)
    .digest("base64url")
    .slice(0, ID_LENGTH);
}

/** What metadata.json says of a result beyond its pixels. */
export function metadataOf(
  { analysis, scenes }: ResultRequest,
  job: Omit<AnalysisJob, "folder">,
  product: AnalysisProduct,
  description: AnalysisModel["description"],
): Readonly<Record<string, unknown>> {
  return {
    algorithm: { name: analysis.name, version: analysis.algoVersion, params: job.parameters },
    algoVersion: String(analysis.algoVersion),
    inputs: scenes.map(({ scene, contentHash }) => ({ sceneId: scene.sceneId, contentHash })),
    ...(Object.keys(description).length === 0 ? {} : { model: description }),
    ...(product.objectsTruncated ? { objectsTruncated: true } : {}),
  };
}
