import type { MultiPolygon } from "@swath/kernel/geometry/geojson";
import type { MapTypeDescriptor } from "../../../map-types/map-type.ts";
import { findMapType } from "../../../map-types/find-map-type.ts";
import { ServiceError } from "../../../errors.ts";
import type { PipelineJob } from "../../../platform/context.ts";
import * as store from "../store.ts";
import type { ReportDeps } from "./report.ts";

/** A map with everything its page shows. */
export interface ReportedMap {
  readonly mapType: MapTypeDescriptor;
  readonly sceneId: string;
  readonly satellite: string;
  readonly dataset: string;
  readonly datetime: string;
  readonly area: MultiPolygon;
  /** PNG; null without a valid pixel. */
  readonly picture: Uint8Array | null;
  /** metadata.json and area.json of the whole area. */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly areasM2: Readonly<Record<string, number>>;
  readonly attribution: string;
}

/** The PNG that shows a map at a glance. */
function pictureFile({ rendering }: MapTypeDescriptor): string | null {
  const names = Object.keys(rendering.products).filter((name) => name.endsWith(".png"));
  if (rendering.kind !== "result") return names[0] ?? null;
  const kindOf = (name: string): string | undefined => rendering.products[name]?.kind;
  return (
    names.find((name) => kindOf(name) === "segmentation") ?? names.find((name) => kindOf(name) === "values") ?? null
  );
}

export async function reportedMap(deps: ReportDeps, signedMapId: string, job: PipelineJob): Promise<ReportedMap> {
  const { mapId } = await deps.signer.verify(signedMapId);
  const map = await store.readMap(deps.db, mapId);
  const mapType = map === null ? undefined : findMapType(map.mapType);
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
  const dataset = deps.catalog.findDataset(scene.provider, scene.dataset)?.dataset;
  return {
    mapType,
    sceneId: map.sceneIds?.join(", ") ?? map.sceneId,
    satellite: scene.satellite,
    dataset: scene.dataset,
    datetime: scene.datetime,
    area: map.geometry,
    picture: await file(pictureFile(mapType)),
    metadata: await json("metadata.json"),
    areasM2: Object.fromEntries(areas.flatMap(([name, value]) => (typeof value === "number" ? [[name, value]] : []))),
    attribution: dataset?.attribution ?? "",
  };
}
