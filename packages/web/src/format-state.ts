import type { Area, Comparison, ConsoleState, ShownLayer } from "./console-state.ts";
import { formatDrawing } from "./maps/drawing.ts";

/**
 * Returns the query of a link, without the question mark, in canonical order. Empty where the state is empty.
 * `parseState` returns the same state.
 */
export function formatState(state: ConsoleState): string {
  const {
    view,
    area,
    time,
    datasets,
    cloud,
    offNadir,
    gsd,
    layers,
    hasPatterns,
    comparison,
    selectedSceneId,
    pins,
    objectFilter,
    selectedObjectId,
    theme,
  } = state;
  const parts: readonly (readonly [name: string, value: string | null])[] = [
    ["v", view === null ? null : [view.longitude, view.latitude, view.zoom].join(",")],
    ["aoi", area === null ? null : formatArea(area)],
    ["t", time === null ? null : `${time.start ?? ""}/${time.end ?? ""}`],
    ["d", list(datasets.map(({ provider, dataset }) => `${encodePart(provider)}.${encodePart(dataset)}`))],
    ["cloud", cloud === null ? null : `${cloud.least}-${cloud.most}`],
    ["nadir", offNadir === null ? null : String(offNadir)],
    ["gsd", gsd === null ? null : String(gsd)],
    ["l", list(layers.map(formatLayer))],
    ["pat", hasPatterns ? "1" : null],
    ["cmp", comparison === null ? null : formatComparison(comparison)],
    ["sel", selectedSceneId],
    ["pin", list(pins.map(({ sceneId, day }) => `${day}:${encodePart(sceneId)}`))],
    ["f", objectFilter],
    ["obj", selectedObjectId],
    ["ui", theme],
  ];
  const query = new URLSearchParams();
  for (const [name, value] of parts) if (value !== null) query.set(name, value);
  return query.toString();
}

function formatLayer({ mapId, fileName, opacity, drawing }: ShownLayer): string {
  const parts = [encodePart(mapId), encodePart(fileName), String(opacity)];
  return [...parts, ...(drawing === undefined ? [] : [encodePart(formatDrawing(drawing))])].join(":");
}

function formatArea(area: Area): string {
  if ("geometryId" in area) return `id:${area.geometryId}`;
  const { west, south, east, north } = area.box;
  return [west, south, east, north].join(",");
}

function formatComparison(comparison: Comparison): string {
  return comparison.kind === "swipe" ? `swipe:${comparison.share}` : comparison.kind;
}

function list(parts: readonly string[]): string | null {
  return parts.length === 0 ? null : parts.join(",");
}

/** Also encodes the dot, which divides provider and dataset. */
function encodePart(text: string): string {
  return encodeURIComponent(text).replaceAll(".", "%2E");
}
