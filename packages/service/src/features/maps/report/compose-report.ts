import { DEGREE, primeVerticalRadiusM } from "@swath/kernel/geometry/wgs84";
import { mbr } from "@swath/kernel/geometry/mbr";
import { formatInstant } from "@swath/kernel/time/instant";
import { landOutlines } from "@swath/maps/geography/land";
import type { LonLat, ReportContent, ReportMap, ReportOverview } from "../../../platform/pdf/report-content.ts";
import { chartsOf } from "./report-charts.ts";
import type { ReportRequest } from "@swath/contract/features/maps/report-contract";
import { legendOf } from "./report-legend.ts";
import { statisticsOf } from "./report-statistics.ts";
import type { ReportedMap } from "./reported-map.ts";

/** The overview shows at least this much, degrees of latitude. */
const MIN_OVERVIEW_DEG = 4;
const OVERVIEW_FACTOR = 6;
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
    title: request.title ?? (maps.length === 1 ? `Map of ${maps[0]?.mapType.id ?? ""}` : "Maps"),
    notes: (request.notes ?? "").split(/\r?\n/).filter((line) => line.trim() !== ""),
    createdAt: formatInstant(now.getTime()),
    overview: overviewOf(maps, withLand),
    maps: maps.map(pageOf),
    charts: chartsOf(maps),
    attributions: [...new Set(attributions), ...(withLand ? [NATURAL_EARTH] : [])],
  };
}

function overviewOf(maps: readonly ReportedMap[], withLand: boolean): ReportOverview {
  const boxes = maps.map(({ area }) => mbr(area));
  const west = Math.min(...boxes.map((box) => box[0]));
  const south = Math.min(...boxes.map((box) => box[1]));
  const east = Math.max(...boxes.map((box) => box[2]));
  const north = Math.max(...boxes.map((box) => box[3]));
  const height = Math.max(MIN_OVERVIEW_DEG, OVERVIEW_FACTOR * (north - south));
  const width = Math.max(2 * MIN_OVERVIEW_DEG, OVERVIEW_FACTOR * (east - west));
  const [lon, lat] = [(west + east) / 2, (south + north) / 2];
  const bounds = [
    Math.max(lon - width / 2, -180),
    Math.max(lat - height / 2, -90),
    Math.min(lon + width / 2, 180),
    Math.min(lat + height / 2, 90),
  ] as const;
  const outlines = maps.flatMap(({ area }) => area.coordinates.map(([exterior]) => exterior ?? []));
  return {
    bounds,
    land: withLand ? landOutlines(...bounds) : [],
    areas: outlines.map((ring) => thinned(ring.map(([x, y]): LonLat => [x, y]))),
  };
}

function thinned(ring: readonly LonLat[]): readonly LonLat[] {
  const every = Math.ceil(ring.length / MAX_OUTLINE_POINTS);
  return ring.filter((_, i) => i % every === 0);
}

function pageOf(map: ReportedMap): ReportMap {
  const [west, south, east, north] = mbr(map.area);
  const middle = (south + north) / 2;
  return {
    title: map.mapType.id,
    description: map.mapType.description,
    subtitle: `${map.satellite}, ${map.dataset}, ${map.datetime} UTC\n${map.sceneId}`,
    picture: map.picture,
    base: map.base,
    widthM: (east - west) * DEGREE * primeVerticalRadiusM(middle) * Math.cos(middle * DEGREE),
    legend: legendOf(map),
    statistics: statisticsOf(map),
  };
}
