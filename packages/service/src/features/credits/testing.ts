import type { Bounds, MultiPolygon, Polygon } from "@swath/kernel/geometry/geojson";
import { areaKm2 } from "@swath/kernel/geometry/area";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { StoredBand } from "@swath/kernel/scenes/stored-raster";
import type { StoredScene } from "@swath/kernel/scenes/stored-scene";
import { sceneId } from "@swath/kernel/scenes/scene-id";
import { sql } from "kysely";
import { ServiceError } from "@swath/kernel/errors/service-error";
import type { Caller, Db } from "../../platform/context.ts";
import type { ImageryService, SceneView } from "../imagery/service.ts";

/** Test support: scenes, callers and prices as rows and values, made by hand. */

export function boxPolygon([west, south, east, north]: Bounds): Polygon {
  return {
    type: "Polygon",
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
}

export function boxArea(bounds: Bounds): MultiPolygon {
  return { type: "MultiPolygon", coordinates: [boxPolygon(bounds).coordinates] };
}

function storedBand(key: string, role: StoredBand["role"], bounds: Bounds, sizePx: number): StoredBand {
  const [west, south, east, north] = bounds;
  return {
    key,
    role,
    quantity: "reflectance",
    dataType: "uint16",
    widthPx: sizePx,
    heightPx: sizePx,
    geotransform: [(east - west) / sizePx, 0, west, 0, (south - north) / sizePx, north],
    nodata: 0,
    maskKey: null,
    statistics: {
      validPixels: sizePx * sizePx,
      min: 1,
      max: 10_000,
      mean: 2000,
      std: 500,
      p005: 10,
      p05: 100,
      p50: 2000,
      p95: 4000,
      p995: 9000,
    },
    palette: null,
  };
}

export interface TestSceneOptions {
  readonly provider?: string;
  readonly dataset?: string;
  readonly bounds?: Bounds;
  readonly roles?: readonly StoredBand["role"][];
  /** Metres per pixel. */
  readonly resolutionM?: number;
}

/** A scene over a box, with bands of the given roles (blue, green, red and near infrared unless said). */
export function testScene(local: string, options: TestSceneOptions = {}): StoredScene {
  const provider = options.provider ?? "ab";
  const dataset = options.dataset ?? "spot";
  const bounds = options.bounds ?? [14, 50, 14.2, 50.2];
  const resolutionM = options.resolutionM ?? 10;
  const roles = options.roles ?? ["B", "G", "R", "N"];
  const footprint = boxArea(bounds);
  const [west, south, east, north] = bounds;
  const scene: Scene = {
    sceneId: sceneId(provider, dataset, local),
    foreignId: local,
    provider,
    dataset,
    satellite: "test",
    datetime: "2024-06-30 10:15:00",
    crsEpsg: 4326,
    footprint,
    areaKm2: areaKm2(footprint),
    bands: roles.map((role) => ({
      names: [role ?? "band"],
      bitDepth: 16,
      gsd: resolutionM,
      pixelSizeX: (east - west) / 1000,
      pixelSizeY: (south - north) / 1000,
      crsOriginX: west,
      crsOriginY: north,
      approximateResolutionX: resolutionM,
      approximateResolutionY: resolutionM,
    })),
  };
  return {
    scene,
    raster: {
      proj4: "+proj=longlat +datum=WGS84 +no_defs",
      controlGrid: null,
      bands: roles.map((role, index) => storedBand(`scenes/${local}/${index}.tif`, role, bounds, 1000)),
    },
    contentHash: local,
  };
}

function thumbnail(): never {
  throw new Error("these scenes have no pictures");
}

/** An imagery service that knows these scenes. */
export function imageryOf(
  ...scenes: readonly StoredScene[]
): Pick<ImageryService, "catalogueScene" | "known" | "sceneInfo" | "search" | "seenBy" | "stored" | "storedRevision"> {
  const byId = new Map(scenes.map((stored) => [stored.scene.sceneId, stored]));
  const view: Omit<SceneView, "thumbnail"> = {
    async sceneInfo({ sceneId: id }) {
      const stored = byId.get(id);
      if (stored === undefined) throw new ServiceError("NON-EXISTING-SCENE", `there is no scene ${id}`);
      return stored.scene;
    },
    stored: (id) => Promise.resolve(byId.get(id) ?? null),
    known: (id) => Promise.resolve(byId.get(id)?.scene ?? null),
    unknown: (ids) => Promise.resolve(ids.filter((id) => !byId.has(id))),
    catalogueScene: (id) => Promise.resolve(byId.get(id)?.scene ?? null),
  };
  return {
    ...view,
    seenBy: () => ({ ...view, thumbnail }),
    storedRevision: (id) => view.stored(id),
    async search() {
      const offer = { downloadable: true, minArea: 0, clippedImagery: false };
      return { results: scenes.map(({ scene }) => ({ ...scene, ...offer })), cursor: null };
    },
  };
}

export function testCaller(members: Partial<Caller> = {}): Caller {
  return {
    kind: "user",
    userId: "user-1",
    groupId: "group-1",
    email: "user@example.com",
    permissions: new Set<string>(),
    ...members,
  };
}

/** Sets the price of a dataset, micro-credits per km2. */
export async function setPrice(db: Db, dataset: string, microPerKm2: bigint, minAreaM2 = 0): Promise<void> {
  await sql`
    insert into credit_price_rules (id, dataset, micro_per_km2, min_area_m2)
    values (${`test ${dataset}`}, ${dataset}, ${microPerKm2}::bigint, ${minAreaM2}::bigint)
    on conflict (id) do update set micro_per_km2 = excluded.micro_per_km2, min_area_m2 = excluded.min_area_m2`.execute(
    db,
  );
}
