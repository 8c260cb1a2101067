import type { Rights } from "../rights.ts";

/** Kinds of file, in the order of the list. */
const MAP_FILES = ["geotiff", "visu-geotiff", "png", "geojson", "shz", "zip", "pmtiles", "gpkg", "geoparquet"] as const;

/** Files of the map that files of another kind are made of. */
const MADE_OF: Readonly<Record<string, readonly string[]>> = {
  pmtiles: ["webp", "png"],
  gpkg: ["png", "geojson"],
  geoparquet: ["geojson"],
};

export type MapFile = (typeof MAP_FILES)[number];
export type ExportFormat = MapFile | "image" | "pdf" | "timelapse";

/** The facts that decide the formats of a map. */
export interface Exportable {
  /** Files of the map type by suffix; null where the type is not listed, as of an own formula. */
  readonly gridFiles: Readonly<Record<string, readonly string[]>> | null;
  /** Shown maps of the same type, itself included. */
  readonly mapsOfType: number;
  readonly hasScene: boolean;
  readonly hasArea: boolean;
}

/** Most pixels of a raster, by format: the limits of the service. */
export const MAX_FILE_PIXELS: Readonly<Record<string, number>> = {
  geotiff: 11_264 ** 2,
  "visu-geotiff": 11_264 ** 2,
  png: 4_096 ** 2,
};

/** Own formulas have no vectors. */
const FORMULA_FILES: readonly string[] = ["geotiff", "visu-geotiff", "png", "zip"];

/** The formats that exist for a map and that the user may make. */
export function exportFormats(map: Exportable, rights: Rights): readonly ExportFormat[] {
  const { gridFiles } = map;
  const exists = (kind: string): boolean =>
    gridFiles === null ? FORMULA_FILES.includes(kind) : (gridFiles[kind] ?? []).length > 0;
  const has = (kind: string): boolean => (MADE_OF[kind] ?? [kind]).some(exists);
  const mayExport = rights.holds("mapsvc.release");
  return [
    ...MAP_FILES.filter((kind) => mayExport && has(kind)),
    ...(rights.holds("analytics.analysis.download.report") ? (["pdf"] as const) : []),
    ...(mayExport && map.mapsOfType > 1 ? (["timelapse"] as const) : []),
    ...(rights.holds("imagery.images") && map.hasScene && map.hasArea ? (["image"] as const) : []),
  ];
}

export function isMapFile(format: ExportFormat): format is MapFile {
  return MAP_FILES.some((kind) => kind === format);
}
