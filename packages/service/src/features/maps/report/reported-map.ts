import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import type { ResultLayer } from "@swath/kernel/raster-mathematics/rendering";
import type { MapTypeDescriptor } from "@swath/maps/map-type";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { PipelineJob } from "../../../platform/context.ts";
import type { GridRequest } from "@swath/maps/render/grid-renderer";
import * as store from "../store.ts";
import type { MapClaims } from "../signed-map-id.ts";
import type { ReportDeps } from "./report-deps.ts";

/** As fine as a page of paper shows it. */
const BASE_MAX_SIDE_PX = 1024;

/** A map with everything its page shows. */
export interface ReportedMap {
  readonly mapType: MapTypeDescriptor;
  readonly sceneId: string;
  readonly satellite: string;
  readonly dataset: string;
  readonly datetime: string;
  readonly area: MultiPolygon;
  readonly geometryId: string;
  /** Layer that the picture shows, of types with results. */
  readonly layer: ResultLayer | null;
  /** PNG; null without a valid pixel. */
  readonly picture: Uint8Array | null;
  /** The scene itself, where the picture leaves it open. */
  readonly base: Uint8Array | null;
  /** metadata.json and area.json of the whole area. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly areasM2: Readonly<Record<string, number>>;
  readonly attribution: string;
}

interface GlancePicture {
  readonly fileName: string | null;
  readonly layer: ResultLayer | null;
}

/** The PNG that shows a map at a glance: all classes, or values where a single class says little. */
function glancePicture({ rendering }: MapTypeDescriptor): GlancePicture {
  const names = Object.keys(rendering.products).filter((name) => name.endsWith(".png"));
  if (rendering.kind !== "result") return { fileName: names[0] ?? null, layer: null };
  const { layers, products } = rendering;
  const classLayer = layers.findIndex((layer) => layer.kind === "classes" && layer.classes.length > 1);
  const values = layers.findIndex(({ kind }) => kind === "values");
  const wanted = classLayer >= 0 ? classLayer : values >= 0 ? values : 0;
  const fileName = names.find((name) => {
    const product = products[name];
    return (product?.kind === "segmentation" || product?.kind === "values") && product.layer === wanted;
  });
  return { fileName: fileName ?? null, layer: layers[wanted] ?? null };
}

/** Classes of some pixels only are read over the scene; values have a ground of their own. */
function leavesOpen(layer: ResultLayer): boolean {
  return layer.kind === "classes" && layer.backgroundValue !== null;
}

/** The scene of a map over the area of the map, by the map type that draws scenes as they are. */
async function basePicture(deps: ReportDeps, claims: MapClaims, signal: AbortSignal): Promise<Uint8Array | null> {
  const mapType = deps.mapTypes.all.find(({ rendering }) => rendering.kind === "composite");
  const fileName = mapType === undefined ? null : glancePicture(mapType).fileName;
  if (mapType === undefined || fileName === null) return null;
  const { map, stored, clip } = await deps.loadMap(claims, "-");
  const request: GridRequest = {
    mapType: mapType.id,
    version: mapType.version,
    rendering: mapType.rendering,
    mapId: map.mapId,
    scene: stored.scene,
    raster: stored.raster,
    window: { kind: "bounds", bounds: mbr(clip), maxSizePx: BASE_MAX_SIDE_PX },
    clip,
    fileName,
    percentileStretch: false,
    userThreshold: null,
    forceDownload: false,
  };
  const file = await deps.renderer.render(request, signal);
  return file.kind === "file" ? file.body : null;
}

export async function reportedMap(deps: ReportDeps, signedMapId: string, job: PipelineJob): Promise<ReportedMap> {
  const claims = await deps.signer.verify(signedMapId);
  const { mapId } = claims;
  const map = await store.readMap(deps.db, mapId);
  const mapType = map === null ? undefined : deps.mapTypes.find(map.mapType);
  const scene = map === null ? null : await deps.imagery.known(map.sceneId);
  if (map === null || mapType === undefined || scene === null) {
    throw new ServiceError("INVALID-MAP-ID", "a map of the report no longer exists: release it again");
  }
  const file = async (fileName: string | null): Promise<Uint8Array | null> => {
    if (fileName === null) return null;
    const request = { signedMapId, geometryId: "-", fileName, tile: null, query: {} };
    const { status, body } = await deps.gridFile(request, undefined, job.caller, job.signal);
    return status === 200 && body instanceof Uint8Array ? body : null;
  };
  const json = async (fileName: string): Promise<Readonly<Record<string, unknown>>> => {
    const bytes = fileName in mapType.rendering.products ? await file(fileName) : null;
    return bytes === null ? {} : (JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>);
  };
  const areas = Object.entries(await json("area.json"));
  const { fileName, layer } = glancePicture(mapType);
  const dataset = deps.catalog.findDataset(scene.provider, scene.dataset)?.dataset;
  return {
    mapType,
    sceneId: map.sceneIds?.join(", ") ?? map.sceneId,
    satellite: scene.satellite,
    dataset: scene.dataset,
    datetime: scene.datetime,
    area: map.geometry,
    geometryId: map.geometryId,
    layer,
    picture: await file(fileName),
    base: layer !== null && leavesOpen(layer) ? await basePicture(deps, claims, job.signal) : null,
    metadata: await json("metadata.json"),
    areasM2: Object.fromEntries(areas.flatMap(([name, value]) => (typeof value === "number" ? [[name, value]] : []))),
    attribution: dataset?.attribution ?? "",
  };
}
