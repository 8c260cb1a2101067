import { ServiceError } from "@swath/kernel/errors/service-error";
import { centroid } from "@swath/kernel/geometry/centroid";
import { localDatetime } from "@swath/kernel/scenes/local-datetime";
import type { Band, Scene } from "@swath/kernel/scenes/scene";
import type { StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { didYouMean } from "@swath/kernel/text/did-you-mean";
import { formatInstant, parseInstant } from "@swath/kernel/time/instant";
import { renameBands, type RenamedBand } from "@swath/raster/scene-metadata/rename-bands";
import type { DocumentBand } from "@swath/raster/scene-metadata/scene-metadata";
import { sensorById, SENSORS, type Sensor } from "@swath/raster/scene-metadata/sensors";
import type { Trx } from "../../../platform/context.ts";
import type { Viewer } from "../visibility.ts";
import { lockOwned } from "./lock-owned.ts";
import { ownedScene, type OwnedScene } from "./owned-scene.ts";
import * as store from "./owned-store.ts";

/** Corrections by the owner of a scene; absent members stay as they are. */
export interface SceneEdit {
  readonly sceneId: string;
  readonly datetime?: string;
  readonly satellite?: string;
  /** Sensor whose table has the identifiers of the bands, or ships them in the order of the scene. */
  readonly sensor?: string;
  /** One entry for each band, in the order of the scene. */
  readonly bands?: readonly DocumentBand[];
}

export interface EditedScene {
  readonly before: OwnedScene;
  readonly after: OwnedScene;
}

/**
 * Corrects the metadata of an uploaded scene, as a new revision. Maps keep the revision that they were released with.
 *
 * @throws {ServiceError} as `lockOwned`; CONFLICT for deleted scenes and for bands of scenes without pixels;
 * VALIDATION-ERROR for members that do not fit the scene
 */
export async function editScene(trx: Trx, viewer: Viewer, edit: SceneEdit): Promise<EditedScene> {
  const row = await lockOwned(trx, viewer, edit.sceneId);
  if (row.deleted_at !== null) {
    throw new ServiceError("CONFLICT", `Scene ${edit.sceneId} is deleted; restore it first`);
  }
  const before = ownedScene(row);
  const { scene, raster } = edited(before, edit);
  if (scene === before.scene) return { before, after: before };
  const { footprint: _, ...document } = scene;
  const acquiredMs = parseInstant(scene.datetime);
  if (acquiredMs === null) throw new RangeError(`scene ${scene.sceneId} has the datetime "${scene.datetime}"`);
  await store.writeRevision(trx, row.scene_key, { acquiredAt: new Date(acquiredMs), document, raster });
  return { before, after: { ...before, scene, raster, revision: before.revision + 1 } };
}

function edited(before: OwnedScene, edit: SceneEdit): Pick<OwnedScene, "scene" | "raster"> {
  let { scene, raster } = before;
  if (edit.datetime !== undefined) scene = { ...scene, ...timeOf(scene, edit.datetime) };
  if (edit.satellite !== undefined) scene = { ...scene, satellite: edit.satellite };
  if (edit.bands !== undefined || edit.sensor !== undefined) {
    if (raster === null) throw new ServiceError("CONFLICT", "The bands of a scene without pixels cannot be edited");
    ({ scene, raster } = withBands(scene, raster, edit));
  }
  return { scene, raster };
}

function timeOf({ footprint }: Scene, datetime: string): Pick<Scene, "datetime" | "datetimeSource" | "localDatetime"> {
  const instant = parseInstant(datetime);
  if (instant === null) throw invalid("/datetime", `is "${datetime}", expected a time such as 2024-06-30 10:15:00`);
  const [lonDeg] = centroid(footprint);
  return {
    datetime: formatInstant(instant),
    datetimeSource: "owner",
    localDatetime: localDatetime(instant, lonDeg),
  };
}

function withBands(scene: Scene, raster: StoredRaster, edit: SceneEdit): { scene: Scene; raster: StoredRaster } {
  const known = scene.bands.flatMap((band, index) => {
    const stored = raster.bands[index];
    return stored === undefined ? [] : [{ band, stored }];
  });
  if (edit.bands !== undefined && edit.bands.length !== known.length) {
    throw invalid("/bands", `has ${edit.bands.length} entries, the scene has ${known.length} bands`);
  }
  const sensor = sensorOf(edit.sensor ?? scene.sensor, edit.sensor !== undefined);
  const { bands, sensor: table } = renameBands(known, edit.bands ?? null, sensor, scene.sunElevation);
  const { sensor: _, ...rest } = scene;
  return {
    scene: {
      ...rest,
      ...(table === null ? {} : { sensor: table.id }),
      bands: known.map(({ band }, index) => bandOf(band, bands[index])),
    },
    raster: {
      ...raster,
      bands: known.map(({ stored }, index) => {
        const { role = stored.role, quantity = stored.quantity } = bands[index] ?? {};
        return { ...stored, role, quantity };
      }),
    },
  };
}

function bandOf(band: Band, renamed: RenamedBand | undefined): Band {
  if (renamed === undefined) return band;
  const { radianceMult: _a, radianceAdd: _b, reflectanceMult: _c, reflectanceAdd: _d, ...rest } = band;
  const { quantity: _quantity, role: _role, ...more } = renamed;
  return { ...rest, ...more };
}

/** @throws {ServiceError} VALIDATION-ERROR for a sensor without a table that the caller names */
function sensorOf(name: string | undefined, isGiven: boolean): Sensor | null {
  const found = name === undefined ? null : sensorById(name);
  if (found !== null || !isGiven || name === undefined) return found;
  const known = SENSORS.map(({ id }) => id);
  throw invalid("/sensor", `is "${name}"${didYouMean(name, known)}; known: ${known.join(", ")}`);
}

function invalid(path: string, message: string): ServiceError {
  return new ServiceError("VALIDATION-ERROR", `${path} ${message}`, { details: [{ path, message }] });
}
