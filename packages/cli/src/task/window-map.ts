import type { Polygon, Position } from "@swath/kernel/geometry/geojson";
import { px, svgText } from "@swath/kernel/charts/svg-text";
import { dotLabels } from "./dot-labels.ts";
import { viewOf, xOf, xWithin, yOf, type MapView } from "./map-view.ts";

/** A window as drawn. */
export interface DrawnWindow {
  /** Short name of the window, such as @1. */
  readonly label: string;
  readonly satellite: string;
  /** Second line of its legend. */
  readonly legend: string;
  readonly strips: readonly Polygon[];
  /** Below the satellite during the window and around it; empty when the orbit is not known. */
  readonly track: readonly Position[];
  /** Below the satellite in the middle of the window. */
  readonly middle: Position | null;
}

export interface WindowMap {
  readonly title: string;
  readonly area: Polygon;
  readonly windows: readonly DrawnWindow[];
  /** Outlines of land within bounds, degrees; longitudes go on beyond 180. */
  readonly landWithin: (
    west: number,
    south: number,
    east: number,
    north: number,
  ) => readonly (readonly (readonly [lonDeg: number, latDeg: number])[])[];
}

const [WIDTH, HEIGHT] = [1200, 760];
const FRAME = { left: 60, top: 50, right: 900, bottom: 710 } as const;
const COLORS = ["#1f78b4", "#e31a1c", "#33a02c", "#ff7f00", "#6a3d9a", "#b15928"];
const [INK, GRID, SEA, LAND, COAST] = ["#1c2530", "#b9c4cf", "#e8f0f6", "#f6f2e6", "#8c9aa8"];
const TICKS = 5;
const LEGEND_PX = 40;

/** Ground tracks, strips and the area of a study as an SVG. */
export function windowMapSvg({ title, area, windows, landWithin }: WindowMap): string {
  const shown = windows.flatMap(({ strips, middle }) => [
    ...strips.flatMap(({ coordinates }) => coordinates[0] ?? []),
    ...(middle === null ? [] : [middle]),
  ]);
  const view = viewOf(area.coordinates[0] ?? [], shown, FRAME);
  const satellites = [...new Set(windows.map(({ satellite }) => satellite))];
  const colorOf = (satellite: string): string => COLORS[satellites.indexOf(satellite) % COLORS.length]!;
  const land = landWithin(view.west, view.south, view.east, view.north);
  const tracks = windows.filter(({ middle }) => middle !== null).length;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="#ffffff"/>`,
    svgText(FRAME.left, 30, title, "start", 16),
    `<clipPath id="map">${frame()}</clipPath>`,
    `<g clip-path="url(#map)">`,
    `<g fill="${SEA}">${frame()}</g>`,
    ...land.map((ring) => {
      const points = ring.map(([lon, lat]) => `${px(xWithin(lon, view))},${px(yOf(lat, view))}`);
      return `<path d="M${points.join("L")}Z" fill="${LAND}" stroke="${COAST}" stroke-width="0.8"/>`;
    }),
    ...gridLines(view),
    ...windows.flatMap((window) => drawnWindow(window, colorOf(window.satellite), view)),
    ...drawnLabels(windows, view),
    ...area.coordinates.map(
      (ring) => `<path d="${ringPath(ring, view)}" fill="none" stroke="${INK}" stroke-width="2.4"/>`,
    ),
    "</g>",
    `<g fill="none" stroke="${INK}" stroke-width="1.5">${frame()}</g>`,
    ...gridLabels(view),
    ...windows.flatMap((window, i) => legendOf(window, colorOf(window.satellite), i)),
    svgText(
      FRAME.left,
      HEIGHT - 12,
      tracks === 0
        ? "filled: imaged strips"
        : "dashed: track below the satellite; dot: middle of the window; filled: imaged strips",
      "start",
      11,
    ),
    "</svg>",
    "",
  ].join("\n");
}

function drawnWindow({ strips, track, middle }: DrawnWindow, color: string, view: MapView): string[] {
  return [
    ...strips.map(({ coordinates }) => {
      const path = coordinates.map((ring) => ringPath(ring, view)).join("");
      return `<path d="${path}" fill="${color}" fill-opacity="0.18" stroke="${color}" stroke-width="1.2"/>`;
    }),
    ...trackPaths(track, view).map(
      (path) => `<path d="${path}" fill="none" stroke="${color}" stroke-width="1.6" stroke-dasharray="6 4"/>`,
    ),
    ...(middle === null
      ? []
      : [`<circle cx="${px(xOf(middle[0], view))}" cy="${px(yOf(middle[1], view))}" r="4" fill="${color}"/>`]),
  ];
}

/** Names beside the dots of windows. */
function drawnLabels(windows: readonly DrawnWindow[], view: MapView): string[] {
  const dots = windows.flatMap(({ label, middle }) =>
    middle === null ? [] : [{ x: xOf(middle[0], view), y: yOf(middle[1], view), label }],
  );
  return dotLabels(dots).map(({ x, y, label }) => svgText(x + 7, y - 5, label, "start", 13));
}

/** Paths of a track, broken where it leaves the map on one side and enters it on the other. */
function trackPaths(track: readonly Position[], view: MapView): readonly string[] {
  const lines: string[][] = [];
  let before: number | null = null;
  for (const [lon, lat] of track) {
    const x = xOf(lon, view);
    if (before === null || Math.abs(x - before) > 180 * pxPerDegree(view)) lines.push([]);
    lines.at(-1)?.push(`${px(x)},${px(yOf(lat, view))}`);
    before = x;
  }
  return lines.filter((points) => points.length > 1).map((points) => `M${points.join("L")}`);
}

/** A ring whose points stay beside its first one. */
function ringPath(ring: readonly Position[], view: MapView): string {
  const [firstLon = 0] = ring[0] ?? [];
  const x0 = xOf(firstLon, view);
  const perDegree = pxPerDegree(view);
  const points = ring.map(([lon, lat]) => {
    const beside = lon - firstLon - 360 * Math.round((lon - firstLon) / 360);
    return `${px(x0 + beside * perDegree)},${px(yOf(lat, view))}`;
  });
  return points.length === 0 ? "" : `M${points.join("L")}Z`;
}

function legendOf({ label, satellite, legend }: DrawnWindow, color: string, place: number): string[] {
  const y = FRAME.top + 14 + place * LEGEND_PX;
  return [
    `<rect x="${FRAME.right + 16}" y="${y - 9}" width="12" height="8" fill="${color}"/>`,
    svgText(FRAME.right + 34, y, `${label} ${satellite}`, "start"),
    svgText(FRAME.right + 34, y + 16, legend, "start", 11),
  ];
}

function gridLines(view: MapView): string[] {
  const style = `stroke="${GRID}" stroke-width="0.7"`;
  const vertical = ticks(view.west, view.east).map((lon) => `M${px(xWithin(lon, view))},${FRAME.top}V${FRAME.bottom}`);
  const level = ticks(view.south, view.north).map((lat) => `M${FRAME.left},${px(yOf(lat, view))}H${FRAME.right}`);
  return [...vertical, ...level].map((path) => `<path d="${path}" ${style}/>`);
}

function gridLabels(view: MapView): string[] {
  return [
    ...ticks(view.west, view.east).map((lon) => {
      const turned = lon - 360 * Math.round(lon / 360);
      return svgText(xWithin(lon, view), FRAME.bottom + 18, degrees(turned, "E", "W"), "middle");
    }),
    ...ticks(view.south, view.north).map((lat) =>
      svgText(FRAME.left - 6, yOf(lat, view) + 4, degrees(lat, "N", "S"), "end"),
    ),
  ];
}

function degrees(value: number, positive: string, negative: string): string {
  return `${Number(Math.abs(value).toFixed(2))}°${value < 0 ? negative : positive}`;
}

/** Round numbers between two ends. */
function ticks(first: number, last: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10((last - first) / TICKS));
  const step = ([1, 2, 5].find((factor) => factor * power * TICKS >= last - first) ?? 10) * power;
  const from = Math.ceil(first / step);
  return Array.from({ length: Math.floor(last / step) - from + 1 }, (_, i) => (from + i) * step);
}

function frame(): string {
  const { left, top, right, bottom } = FRAME;
  return `<rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"/>`;
}

function pxPerDegree({ west, east }: MapView): number {
  return (FRAME.right - FRAME.left) / (east - west);
}
