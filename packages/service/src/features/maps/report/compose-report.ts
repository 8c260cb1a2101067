import { DEGREE, primeVerticalRadiusM } from "@swath/kernel/geometry/wgs84";
import type { Bounds } from "@swath/kernel/geometry/geojson";
import { mbr } from "@swath/kernel/geometry/mbr";
import { formatInstant } from "@swath/kernel/time/instant";
import { landOutlines } from "@swath/maps/geography/land";
import type { LonLat, ReportContent, ReportMap, ReportOverview } from "../../../platform/pdf/report-content.ts";
import { OVERVIEW_ASPECT } from "../../../platform/pdf/report-content.ts";
import { chartsOf } from "./report-charts.ts";
import type { ReportRequest } from "@swath/contract/features/maps/report-contract";
import { legendOf } from "./report-legend.ts";
import { statisticsOf } from "./report-statistics.ts";
import type { ReportedMap } from "./reported-map.ts";

/** The overview shows at least this much, degrees of latitude. */
const MIN_OVERVIEW_DEG = 4;
const OVERVIEW_FACTOR = 6;
/** The whole Earth. */
const MAX_OVERVIEW_DEG = 180;
/** Map types beyond which a title does not name them. */
const MOST_NAMED = 2;
/** Vertices of an outline on the overview; areas of detailed coasts need no more. */
const MAX_OUTLINE_POINTS = 2000;
const NATURAL_EARTH = "Coastlines of the overview: Natural Earth, public domain";

/** The pages of a report about some maps. */
export function composeReport(request: ReportRequest, maps: readonly ReportedMap[], now: Date): ReportContent {
  const withLand = request.basemap !== "none";
  const attributions = maps.flatMap(({ attribution, dataset }) =>
    attribution === "" ? [] : [`${dataset}: ${attribution}`],
  );
  return {
    title: request.title ?? titleOf(maps),
    notes: (request.notes ?? "").split(/\r?\n/).filter((line) => line.trim() !== ""),
    createdAt: formatInstant(now.getTime()),
    overview: overviewOf(maps, withLand),
    maps: maps.map(pageOf),
    charts: chartsOf(maps),
    attributions: [...new Set(attributions), ...(withLand ? [NATURAL_EARTH] : [])],
  };
}

/** The names of the map types, each once; "Maps" for many. */
function titleOf(maps: readonly ReportedMap[]): string {
  const names = [...new Set(maps.map(({ mapType }) => mapType.longName))];
  return names.length <= MOST_NAMED ? names.join(", ") : "Maps";
}

function overviewOf(maps: readonly ReportedMap[], withLand: boolean): ReportOverview {
  const bounds = overviewBounds(maps.map(({ area }) => mbr(area)));
  const [west, south, east, north] = bounds;
  const middle = (west + east) / 2;
  const outlines = maps.flatMap(({ area }) => area.coordinates.map(([exterior]) => exterior ?? []));
  return {
    bounds,
    // Cut outside of the bounds, where no line of the cut shows.
    land: withLand ? landOutlines(west - 1, south - 1, east + 1, north + 1) : [],
    areas: outlines.map((ring) => {
      const turn = 360 * Math.round((middle - (ring[0]?.[0] ?? middle)) / 360);
      return thinned(ring.map(([x, y]): LonLat => [x + turn, y]));
    }),
  };
}

/** Bounds around boxes with room for their surroundings, as wide by their height as the overview is. */
function overviewBounds(boxes: readonly Bounds[]): Bounds {
  const near = boxes[0]?.[0] ?? 0;
  const turned = boxes.map(([west, south, east, north]): Bounds => {
    const turn = 360 * Math.round((near - west) / 360);
    return [west + turn, south, east + turn, north];
  });
  const west = Math.min(...turned.map((box) => box[0]));
  const south = Math.min(...turned.map((box) => box[1]));
  const east = Math.max(...turned.map((box) => box[2]));
  const north = Math.max(...turned.map((box) => box[3]));
  const lat = (south + north) / 2;
  const wantedDeg = Math.max(
    MIN_OVERVIEW_DEG,
    OVERVIEW_FACTOR * (north - south),
    (OVERVIEW_FACTOR * (east - west) * Math.cos(lat * DEGREE)) / OVERVIEW_ASPECT,
  );
  const height = Math.min(MAX_OVERVIEW_DEG, wantedDeg);
  // Beyond a pole there is nothing to see.
  const bottom = Math.min(Math.max(lat - height / 2, -90), 90 - height);
  const middle = (west + east) / 2;
  const width = (height * OVERVIEW_ASPECT) / Math.cos((bottom + height / 2) * DEGREE);
  return [middle - width / 2, bottom, middle + width / 2, bottom + height];
}

function thinned(ring: readonly LonLat[]): readonly LonLat[] {
  const every = Math.ceil(ring.length / MAX_OUTLINE_POINTS);
  return ring.filter((_, i) => i % every === 0);
}

function pageOf(map: ReportedMap): ReportMap {
  const [west, south, east, north] = mbr(map.area);
  const middle = (south + north) / 2;
  return {
    title: map.mapType.longName,
    description: map.mapType.description,
    subtitle: `${map.satellite}, ${map.dataset}, ${map.datetime} UTC\n${map.sceneId}`,
    picture: map.picture,
    base: map.base,
    widthM: (east - west) * DEGREE * primeVerticalRadiusM(middle) * Math.cos(middle * DEGREE),
    legend: legendOf(map),
    statistics: statisticsOf(map),
  };
}
