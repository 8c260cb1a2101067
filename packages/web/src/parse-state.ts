import {
  EMPTY_STATE,
  type Area,
  type Box,
  type Comparison,
  type ConsoleState,
  type MapView,
  type Pin,
  type ShownLayer,
} from "./console-state.ts";
import { parseDrawing } from "./maps/drawing.ts";

/** Most layers and datasets of a link; the service searches at most 100 datasets. */
const MAX_LAYERS = 20;
const MAX_DATASETS = 100;
/** The most dates that are kept at once. */
export const MAX_PINS = 12;
/** The longest map ID of the contract. */
const MAX_TEXT = 16_384;
/** The longest filter that the service takes. */
const MAX_FILTER_CHARACTERS = 4_096;
/** The coarsest weather imagery has pixels of some 100 km. */
const MAX_GSD_M = 1_000_000;
const NUMBER = /^-?\d+(?:\.\d+)?(?:e-\d+)?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

export interface ParsedState {
  readonly state: ConsoleState;
  /** Names of the parts that were unknown or unreadable, for a note to the reader. */
  readonly dropped: readonly string[];
}

/** One part of the query: its state, or null where it is unreadable. */
type Part = (text: string) => Partial<ConsoleState> | null;

const PARTS: Readonly<Record<string, Part>> = {
  v: (text) => member("view", parseView(text)),
  aoi: (text) => member("area", parseArea(text)),
  t: (text) => member("time", parseTime(text)),
  d: (text) => member("datasets", parseList(text, MAX_DATASETS, parseDataset)),
  cloud: (text) => member("cloud", parseCloud(text)),
  nadir: (text) => member("offNadir", parseLimit(text, 90)),
  gsd: (text) => member("gsd", parseLimit(text, MAX_GSD_M)),
  l: (text) => member("layers", parseList(text, MAX_LAYERS, parseLayer)),
  pat: (text) => member("hasPatterns", text === "1" ? true : null),
  cmp: (text) => member("comparison", parseComparison(text)),
  sel: (text) => member("selectedSceneId", isText(text) ? text : null),
  pin: (text) => member("pins", parseList(text, MAX_PINS, parsePin)),
  f: (text) => member("objectFilter", isText(text) && text.length <= MAX_FILTER_CHARACTERS ? text : null),
  obj: (text) => member("selectedObjectId", isText(text) ? text : null),
  ui: (text) => member("theme", text === "dark" || text === "light" ? text : null),
};

/** Reads the query of a link. Never throws: an unknown or broken part is dropped and named. */
export function parseState(query: string): ParsedState {
  let state = EMPTY_STATE;
  const dropped = new Set<string>();
  for (const [name, text] of new URLSearchParams(query)) {
    const part = Object.hasOwn(PARTS, name) ? PARTS[name]?.(text) : null;
    if (part === null || part === undefined) dropped.add(name);
    else state = { ...state, ...part };
  }
  return { state, dropped: [...dropped] };
}

function member<Name extends keyof ConsoleState>(
  name: Name,
  value: ConsoleState[Name] | null,
): Partial<ConsoleState> | null {
  return value === null ? null : { [name]: value };
}

function parseView(text: string): MapView | null {
  const [longitude, latitude, zoom] = parseNumbers(text, 3);
  if (longitude === undefined || latitude === undefined || zoom === undefined) return null;
  return isLongitude(longitude) && isLatitude(latitude) && isWithin(zoom, 0, 30) ? { longitude, latitude, zoom } : null;
}

function parseArea(text: string): Area | null {
  if (text.startsWith("id:")) return isText(text.slice(3)) ? { geometryId: text.slice(3) } : null;
  const box = parseBox(text);
  return box === null ? null : { box };
}

function parseBox(text: string): Box | null {
  const [west, south, east, north] = parseNumbers(text, 4);
  if (west === undefined || south === undefined || east === undefined || north === undefined) return null;
  const isOnGlobe = [west, east].every(isLongitude) && [south, north].every(isLatitude);
  return isOnGlobe && south < north && west !== east ? { west, south, east, north } : null;
}

function parseTime(text: string): ConsoleState["time"] {
  const [start, end, ...rest] = text.split("/");
  if (start === undefined || end === undefined || rest.length > 0) return null;
  if ([start, end].some((day) => day !== "" && !isDay(day))) return null;
  if (start !== "" && end !== "" && end < start) return null;
  return { start: start === "" ? null : start, end: end === "" ? null : end };
}

/** Whether the calendar has the day: 31 April is none. */
function isDay(text: string): boolean {
  const ms = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isFinite(ms) && new Date(ms).toISOString().startsWith(text);
}

function parseCloud(text: string): ConsoleState["cloud"] {
  const [least, most] = parseNumbers(text.replace("-", ","), 2);
  if (least === undefined || most === undefined) return null;
  return isWithin(least, 0, 100) && isWithin(most, least, 100) ? { least, most } : null;
}

/** A limit above 0 and at most another one. */
function parseLimit(text: string, most: number): number | null {
  const [limit] = parseNumbers(text, 1);
  return limit !== undefined && limit > 0 && limit <= most ? limit : null;
}

function parseDataset(text: string): ConsoleState["datasets"][number] | null {
  const [provider, dataset, ...rest] = text.split(".").map(decodePart);
  if (!isText(provider) || !isText(dataset) || rest.length > 0) return null;
  return { provider, dataset };
}

function parseLayer(text: string): ShownLayer | null {
  const [mapId, fileName, opacityText, drawingText, ...rest] = text.split(":").map(decodePart);
  if (!isText(mapId) || !isText(fileName) || !isText(opacityText) || rest.length > 0) return null;
  const [opacity] = parseNumbers(opacityText, 1);
  if (opacity === undefined || !isWithin(opacity, 0, 1)) return null;
  if (drawingText === undefined) return { mapId, fileName, opacity };
  const drawing = drawingText === null ? null : parseDrawing(drawingText);
  return drawing === null ? null : { mapId, fileName, opacity, drawing };
}

function parsePin(text: string): Pin | null {
  const [day = "", sceneText = "", ...rest] = text.split(":");
  const sceneId = decodePart(sceneText);
  return isDay(day) && isText(sceneId) && rest.length === 0 ? { sceneId, day } : null;
}

function parseComparison(text: string): Comparison | null {
  if (text === "split" || text === "blink") return { kind: text };
  const [kind, shareText, ...rest] = text.split(":");
  if (kind !== "swipe" || shareText === undefined || rest.length > 0) return null;
  const [share] = parseNumbers(shareText, 1);
  return share !== undefined && isWithin(share, 0, 1) ? { kind, share } : null;
}

function parseList<Item>(text: string, most: number, parse: (text: string) => Item | null): readonly Item[] | null {
  const parts = text.split(",", most + 1);
  const items = parts.map(parse).filter((item) => item !== null);
  return parts.length <= most && items.length === parts.length ? items : null;
}

/** Empty unless there are exactly as many numbers. */
function parseNumbers(text: string, count: number): readonly number[] {
  const parts = text.split(",", count + 1);
  return parts.length === count && parts.every((part) => NUMBER.test(part)) ? parts.map(Number) : [];
}

function decodePart(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function isText(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text.length > 0 && text.length <= MAX_TEXT;
}

const isLongitude = (value: number): boolean => isWithin(value, -180, 180);
const isLatitude = (value: number): boolean => isWithin(value, -90, 90);

function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}
