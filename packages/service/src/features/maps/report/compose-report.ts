import { DEGREE, primeVerticalRadiusM } from "@swath/kernel/geometry/wgs84";
import { mbr } from "@swath/kernel/geometry/mbr";
import { DIVERGING_RAMP, RAMPS } from "@swath/kernel/raster/colormap";
import type { ResultLayer } from "@swath/kernel/raster/rendering";
import { formatInstant } from "@swath/kernel/time/instant";
import { landOutlines } from "../../../platform/geography/land.ts";
import type {
  Color,
  LonLat,
  ReportChart,
  ReportContent,
  ReportLegend,
  ReportMap,
  ReportOverview,
} from "../../../platform/pdf/report-content.ts";
import type { ReportRequest } from "./report-contract.ts";
import type { ReportedMap } from "./reported-map.ts";

const LEGEND_STEPS = 64;
/** The overview shows at least this much, degrees of latitude. */
const MIN_OVERVIEW_DEG = 4;
const OVERVIEW_FACTOR = 6;
/** Vertices of an outline on the overview; areas of detailed coasts need no more. */
const MAX_OUTLINE_POINTS = 2000;
const LINE_COLORS: readonly Color[] = [
  [31, 120, 180],
  [227, 26, 28],
  [51, 160, 44],
  [255, 127, 0],
  [106, 61, 154],
];
/** Colours lighter than this cannot be seen on white. */
const PAPER = 200;
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

/** The legend of the layer that the picture shows. */
function legendOf({ mapType: { rendering }, layer }: ReportedMap): ReportLegend | null {
  if (rendering.kind === "composite") return null;
  if (rendering.kind === "index") return ramp(DIVERGING_RAMP, rendering.index.shortName, linearTicks(rendering.range));
  if (layer?.kind === "classes") return { kind: "classes", classes: layer.classes };
  if (layer?.kind !== "values") return null;
  const ticks = layer.scale === "asinh" ? asinhTicks(layer.range) : linearTicks(layer.range);
  return ramp(RAMPS[layer.ramp], layer.unit, ticks);
}

type Ticks = Extract<ReportLegend, { readonly kind: "ramp" }>["ticks"];

const TICKS = [0, 0.25, 0.5, 0.75, 1];

function linearTicks([low, high]: readonly [number, number]): Ticks {
  return TICKS.map((at) => ({ at, value: Number((low + at * (high - low)).toPrecision(4)) }));
}

/** Colours follow the inverse hyperbolic sine: equal steps of colour are not equal steps of value. */
function asinhTicks([low, high]: readonly [number, number]): Ticks {
  const [first, last] = [Math.asinh(low), Math.asinh(high)];
  return TICKS.map((at) => ({ at, value: Number(Math.sinh(first + at * (last - first)).toPrecision(2)) }));
}

function ramp(table: Uint8Array, unit: string, ticks: Ticks): ReportLegend {
  const colors = Array.from({ length: LEGEND_STEPS }, (_, i): Color => {
    const at = Math.round((i / (LEGEND_STEPS - 1)) * (table.length / 3 - 1)) * 3;
    return [table[at]!, table[at + 1]!, table[at + 2]!];
  });
  return { kind: "ramp", unit, ticks, colors };
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function statisticsOf({ mapType, metadata, areasM2 }: ReportedMap): readonly (readonly [string, string])[] {
  const rows: (readonly [string, string])[] = [];
  for (const [name, areaM2] of Object.entries(areasM2)) rows.push([`${name} area, km²`, (areaM2 / 1e6).toFixed(4)]);
  const layers = mapType.rendering.kind === "composite" ? {} : layersOf(metadata);
  for (const [layer, values] of Object.entries(layers)) {
    for (const [key, label] of FACTS) {
      const value = values[key];
      if (typeof value !== "number") continue;
      rows.push([
        Object.keys(layers).length === 1 ? label : `${layer}, ${label}`,
        String(Number(value.toPrecision(5))),
      ]);
    }
  }
  for (const [name, total] of Object.entries(metadata)) {
    const { value, unit } = record(total);
    if (typeof value === "number" && typeof unit === "string") rows.push([`${spaced(name)}, ${unit}`, String(value)]);
  }
  const { objects } = metadata;
  if (typeof objects === "number") rows.push(["objects", String(objects)]);
  for (const [key, label] of SHARES) {
    const value = metadata[key];
    if (typeof value === "number") rows.push([label, `${(100 * value).toFixed(1)} %`]);
  }
  return rows;
}

const FACTS = [
  ["min", "minimum"],
  ["mean", "mean"],
  ["p50", "median"],
  ["max", "maximum"],
  ["std", "standard deviation"],
] as const;
const SHARES = [
  ["validRatio", "valid"],
  ["cloudRatio", "clouds"],
] as const;

/** Statistics of each layer of values by its name; none of types that have classes only. */
function layersOf(
  metadata: Readonly<Record<string, unknown>>,
): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const layers = Object.entries(record(metadata["layers"]));
  if (layers.length === 0) return { mean: record(metadata["statistics"]) };
  return Object.fromEntries(layers.map(([name, layer]) => [name, record(record(layer)["statistics"])]));
}

/** `sumOfLights` as `sum of lights`. */
function spaced(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** A line for each class or mean of every map type that has several dates. */
function chartsOf(maps: readonly ReportedMap[]): readonly ReportChart[] {
  const charts: ReportChart[] = [];
  // Values of different areas do not belong on one line.
  const alike = Map.groupBy(maps, ({ mapType, geometryId }) => `${mapType.id} ${geometryId}`);
  for (const members of alike.values()) {
    const id = members[0]?.mapType.id ?? "";
    if (new Set(members.map(({ datetime }) => datetime)).size < 2) continue;
    // Pixel values as stored follow the sun and the sensor more than the ground.
    if (members.some(({ mapType: { rendering } }) => rendering.kind === "composite")) continue;
    const lines = new Map<string, { date: string; value: number }[]>();
    const isClasses = members.some(({ mapType: { rendering } }) =>
      rendering.kind === "result" ? rendering.layers.some(({ kind }) => kind === "classes") : false,
    );
    for (const member of members) {
      const values = isClasses ? kilometres(member.areasM2) : means(member.metadata);
      for (const [name, value] of Object.entries(values)) {
        const line = lines.get(name) ?? [];
        line.push({ date: member.datetime, value });
        lines.set(name, line);
      }
    }
    const series = [...lines].map(([name, points], i) => ({
      name,
      color: lineColor(members[0]?.layer ?? null, name) ?? LINE_COLORS[i % LINE_COLORS.length]!,
      points,
    }));
    if (series.length > 0) charts.push({ title: `${id} over time`, unit: isClasses ? "area, km²" : "mean", series });
  }
  return charts;
}

/** A class has its own colour on charts, too, unless the paper has it. */
function lineColor(layer: ResultLayer | null, className: string): Color | null {
  if (layer?.kind !== "classes") return null;
  const color = layer.classes.find(({ name }) => name === className)?.color;
  return color === undefined || Math.min(...color) > PAPER ? null : color;
}

function kilometres(areasM2: Readonly<Record<string, number>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(areasM2).map(([name, areaM2]) => [name, areaM2 / 1e6]));
}

function means(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(layersOf(metadata)).flatMap(([name, { mean }]) => {
      return typeof mean === "number" ? [[name, mean]] : [];
    }),
  );
}
