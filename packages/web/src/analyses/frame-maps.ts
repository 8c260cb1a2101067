import type { AnalysisFrame } from "./analysis.ts";

/** A map of a frame. */
export interface FrameMap {
  readonly mapType: string;
  /** Inner polygon of the map; null for the whole area. */
  readonly part: string | null;
  readonly mapId: string;
  readonly maxZoom: number;
}

/** A map type without a map. */
export interface MissingMap {
  readonly mapType: string;
  readonly part: string | null;
  readonly reason: string;
}

/** The maps of a frame, first of the whole area. */
export function frameMaps({ results, innerPolygonsResults }: AnalysisFrame): readonly FrameMap[] {
  const inner = Object.entries(innerPolygonsResults).flatMap(([part, maps]) => mapsOf(maps, part));
  return [...mapsOf(results, null), ...inner];
}

/** Failed or skipped actions of a frame with their reasons. */
export function missingMaps(actions: readonly unknown[]): readonly MissingMap[] {
  return actions.flatMap((action) => {
    if (typeof action !== "object" || action === null) return [];
    const { mapType, innerPolygonId, errorMessage, errorCode } = action as Readonly<Record<string, unknown>>;
    if (typeof mapType !== "string") return [];
    const part = typeof innerPolygonId === "string" ? innerPolygonId : null;
    const reason = [errorMessage, errorCode].find((text) => typeof text === "string") ?? "";
    return [{ mapType, part, reason }];
  });
}

/** The identifier of a hidden object: the entry, or a member of it; null where it has none. */
export function hiddenId(entry: unknown): string | null {
  if (typeof entry === "string") return entry;
  if (typeof entry !== "object" || entry === null) return null;
  const { featureId, id } = entry as Readonly<Record<string, unknown>>;
  return [featureId, id].find((one) => typeof one === "string") ?? null;
}

function mapsOf(results: unknown, part: string | null): readonly FrameMap[] {
  if (typeof results !== "object" || results === null) return [];
  return Object.entries(results).flatMap(([mapType, maps]: [string, unknown]) =>
    (Array.isArray(maps) ? maps : []).flatMap((map: unknown) => {
      if (typeof map !== "object" || map === null) return [];
      const { mapId, maxZoom } = map as Readonly<Record<string, unknown>>;
      return typeof mapId === "string" && typeof maxZoom === "number" ? [{ mapType, part, mapId, maxZoom }] : [];
    }),
  );
}
