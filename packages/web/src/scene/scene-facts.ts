import type { Client } from "@swath/client";
import { formatDay, formatTime } from "../format/dates.ts";
import { formatArea, formatAngle, formatShare } from "../format/numbers.ts";
import { sceneText } from "./scene-text.ts";

export type SceneInfo = Awaited<ReturnType<typeof readScene>>;

export async function readScene(calls: Client, sceneId: string, signal: AbortSignal) {
  return await calls.call("/imagery/scene-info", { sceneId }, { signal });
}

type Fact = readonly [name: string, value: string];

const { labels } = sceneText;

/** The facts of a scene as words; facts that its provider does not state are left out. */
export function sceneFacts(scene: SceneInfo): readonly Fact[] {
  const { cloudCover, offNadir, sunElevation, sunAzimuth } = scene;
  return [
    [labels.time, `${formatDay(scene.datetime)} ${formatTime(scene.datetime)}`],
    [labels.dataset, `${scene.provider} ${scene.dataset}`],
    [labels.satellite, scene.satellite],
    [labels.area, formatArea(scene.areaKm2)],
    ...(cloudCover === undefined ? [] : [[labels.cloud, formatShare(cloudCover)] as const]),
    ...(offNadir === undefined ? [] : [[labels.offNadir, formatAngle(offNadir)] as const]),
    ...(sunElevation === undefined ? [] : [[labels.sun, sunOf(sunElevation, sunAzimuth)] as const]),
    [labels.crs, scene.crsEpsg === 0 ? sceneText.ownCrs : `EPSG:${scene.crsEpsg}`],
    [labels.identifier, scene.sceneId],
    [labels.foreign, scene.foreignId],
  ];
}

function sunOf(elevation: number, azimuth: number | undefined): string {
  if (azimuth === undefined) return formatAngle(elevation);
  return sceneText.sun(formatAngle(elevation), formatAngle(azimuth));
}
