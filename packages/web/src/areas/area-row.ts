import type { AreaGeometry } from "../find/area-rings.ts";
import type { Shape } from "../map/shape.ts";
import { areasText } from "./areas-text.ts";

/** A saved feature, as the lists show it. */
export interface AreaRow {
  readonly id: string;
  readonly name: string;
  /** GeoJSON; null where the feature has no place. */
  readonly geometry: { readonly type: string } | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Properties that name a feature, the first one that it has. */
const NAMES = ["name", "title", "label", "id"];

interface Feature {
  readonly id: string;
  readonly geometry?: { readonly type: string } | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

export function areaRow({ id, geometry = null, properties }: Feature): AreaRow {
  const named = NAMES.map((one) => properties[one]).find((one) => typeof one === "string" && one !== "");
  return { id, name: typeof named === "string" ? named : areasText.untitled, geometry, properties };
}

/** The geometry of a row as an area to search; null for points and lines. */
export function areaOf({ geometry }: AreaRow): AreaGeometry | null {
  return geometry?.type === "Polygon" || geometry?.type === "MultiPolygon" ? (geometry as AreaGeometry) : null;
}

export function rowShapes(rows: readonly AreaRow[]): readonly Shape[] {
  return rows.flatMap(({ id, geometry }) => (geometry === null ? [] : [{ id, geometry, look: "area" as const }]));
}
