import { boxOfGeometry, type AreaGeometry } from "../find/area-rings.ts";
import { timeMs } from "../format/dates.ts";
import { ringCovers } from "./ring-covers.ts";
import { squareAround, type SeriesPlace } from "./series-place.ts";

/** Map type, area and scenes of a series. */
export interface SeriesOrder {
  readonly mapType: string;
  readonly area: AreaGeometry;
  readonly sceneIds: readonly string[];
}

type Outline = readonly (readonly number[])[];

export interface SeriesScene {
  readonly sceneId: string;
  readonly datetime: string;
  readonly footprint: { readonly coordinates: readonly (readonly Outline[])[] };
}

/** Dates of one chart: a price of more would take longer than a look at the chart. */
export const MAX_DATES = 100;
/** Pixels of the box around a large area; smaller areas are read at the pixels of their map. */
const MAX_PIXELS = 1_000_000;
const LEAST_RESOLUTION_M = 0.01;
const METRES_PER_DEGREE = 111_320;

/** The searched area, or the square around the point. */
export function areaOfPlace(place: SeriesPlace, area: AreaGeometry): AreaGeometry {
  return place.kind === "area" ? area : squareAround(place.longitude, place.latitude);
}

/** Scenes that cover the place, the newest first. */
export function scenesOfPlace<Scene extends SeriesScene>(
  place: SeriesPlace,
  scenes: readonly Scene[],
): readonly Scene[] {
  const there =
    place.kind === "area"
      ? scenes
      : scenes.filter(({ footprint }) =>
          footprint.coordinates.some(([outer = []]) => ringCovers(outer, place.longitude, place.latitude)),
        );
  return there.toSorted((a, b) => timeMs(b.datetime) - timeMs(a.datetime));
}

/** Metres of a pixel at which the box around the area has a million of them. */
export function resolutionM(area: AreaGeometry): number {
  const { west, south, east, north } = boxOfGeometry(area);
  const widthDeg = west < east ? east - west : east - west + 360;
  const widthM = widthDeg * METRES_PER_DEGREE * Math.cos((((south + north) / 2) * Math.PI) / 180);
  const heightM = (north - south) * METRES_PER_DEGREE;
  return Math.max(LEAST_RESOLUTION_M, Math.sqrt((widthM * heightM) / MAX_PIXELS));
}
