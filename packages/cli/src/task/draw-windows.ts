import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Position } from "@swath/kernel/geometry/geojson";
import { groundTrack, type TrackPoint } from "@swath/kernel/orbits/ground-track";
import { propagatorOfElements, type Propagator } from "@swath/kernel/orbits/sgp4";
import { landOutlines } from "@swath/maps/geography/land";
import { spacedTime } from "../spaced-time.ts";
import type { Study, StudyWindow } from "./run-study.ts";
import { windowMapSvg, type DrawnWindow } from "./window-map.ts";

interface Drawing {
  readonly path: string;
  readonly title: string;
  /** Windows in the picture. */
  readonly most: number;
}

/** Seconds of the track before and after a window. */
const AROUND_S = 90;
const STEP_S = 5;

/** Writes a PNG of the first windows of a study. @returns its path */
export async function drawWindows(study: Study, drawing: Drawing): Promise<string> {
  const windows = study.windows.slice(0, drawing.most);
  const orbits = new Map(study.orbits.map((orbit) => [keyOf(orbit), propagatorOf(orbit)]));
  const shown = windows.length < study.windows.length ? `first ${windows.length} of ${study.windows.length}` : "all";
  const svg = windowMapSvg({
    title: `${drawing.title}: ${shown} windows of ${study.provider}/${study.dataset}`,
    area: study.geometry,
    windows: windows.map((window, i) => drawn(window, `@${i + 1}`, orbits)),
    landWithin: landOutlines,
  });
  const { default: sharp } = await import("sharp");
  await mkdir(dirname(drawing.path), { recursive: true });
  await writeFile(drawing.path, await sharp(Buffer.from(svg)).png().toBuffer());
  return drawing.path;
}

function drawn(window: StudyWindow, label: string, orbits: ReadonlyMap<string, Propagator>): DrawnWindow {
  const { satellite, strips, startTime, offNadir, lookSide } = window;
  const angle = offNadir === null ? "" : `, ${offNadir.toFixed(1)}°${lookSide === null ? "" : ` ${lookSide}`}`;
  return {
    label,
    satellite,
    legend: `${spacedTime(startTime)}${angle}`,
    strips,
    ...trackOf(window, orbits),
  };
}

function trackOf(
  { satellite, elementsEpoch, startTime, endTime }: StudyWindow,
  orbits: ReadonlyMap<string, Propagator>,
): Pick<DrawnWindow, "track" | "middle"> {
  const propagate = elementsEpoch === null ? undefined : orbits.get(keyOf({ satellite, epoch: elementsEpoch }));
  if (propagate === undefined) return { track: [], middle: null };
  const [startMs, endMs] = [Date.parse(startTime), Date.parse(endTime)];
  const points = groundTrack(propagate, startMs - AROUND_S * 1000, endMs + AROUND_S * 1000, STEP_S * 1000);
  const [middle] = groundTrack(propagate, (startMs + endMs) / 2, (startMs + endMs) / 2, 1);
  return { track: points.map(placeOf), middle: middle === undefined ? null : placeOf(middle) };
}

function placeOf({ lonDeg, latDeg }: TrackPoint): Position {
  return [lonDeg, latDeg];
}

function keyOf({ satellite, epoch }: Pick<Study["orbits"][number], "satellite" | "epoch">): string {
  return `${satellite} ${epoch}`;
}

function propagatorOf(orbit: Study["orbits"][number]): Propagator {
  return propagatorOfElements({
    epochMs: Date.parse(orbit.epoch),
    meanMotionRevPerDay: orbit.meanMotion,
    eccentricity: orbit.eccentricity,
    inclinationDeg: orbit.inclination,
    nodeDeg: orbit.raOfAscNode,
    perigeeDeg: orbit.argOfPericenter,
    meanAnomalyDeg: orbit.meanAnomaly,
  });
}
