import type { Bounds } from "../geometry/geojson.ts";

/** Name of the document in a published folder. */
export const PUBLICATION_FILE = "publication.json";
export const PUBLICATION_FORMAT = "swath-publication";

/** A map of a published folder. Its files are paths below the folder. */
export interface PublishedMap {
  readonly mapType: string;
  /** Name of the part of the area; null for the whole area. */
  readonly part: string | null;
  /** Times of the scenes in order, UTC, `YYYY-MM-DD HH:MM:SS`. */
  readonly datetimes: readonly string[];
  readonly attributions: readonly string[];
  /** Degrees; null where the service does not state them. */
  readonly bounds: Bounds | null;
  /** PMTiles of the picture; null for a map of objects whose picture would show hidden ones. */
  readonly picture: string | null;
  /** GeoJSON of the objects; null for a map without. */
  readonly objects: string | null;
  /** [red, green, blue] by class. */
  readonly colours: Readonly<Record<string, readonly number[]>>;
  readonly histogram: { readonly min: number; readonly max: number; readonly counts: readonly number[] } | null;
}

/** The document that the viewer of a published folder reads: maps from top to bottom. It holds no map ID. */
export interface Publication {
  readonly format: typeof PUBLICATION_FORMAT;
  readonly version: 1;
  readonly title: string;
  readonly description: string;
  readonly maps: readonly PublishedMap[];
}
