import type { Drawing } from "./maps/drawing.ts";

/** Centre and zoom of the map. */
export interface MapView {
  /** Degrees, -180 to 180. */
  readonly longitude: number;
  /** Degrees, -90 to 90. */
  readonly latitude: number;
  /** Zoom of the tile pyramid, 0 to 30. */
  readonly zoom: number;
}

/** Edges in degrees; west exceeds east where the box crosses the antimeridian. */
export interface Box {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** The searched area: a box, or the ID of a saved geometry. */
export type Area = { readonly box: Box } | { readonly geometryId: string };

/** A map on screen. */
export interface ShownLayer {
  /** Signed map ID of a release. */
  readonly mapId: string;
  /** Output file of the map type. */
  readonly fileName: string;
  /** 0 to 1. */
  readonly opacity: number;
  /** Absent where the layer is drawn as its map type is. */
  readonly drawing?: Drawing;
}

/** How two maps are compared. */
export type Comparison =
  /** One map left of a line, the other one right of it; share of the width, 0 to 1. */
  { readonly kind: "swipe"; readonly share: number } | { readonly kind: "split" } | { readonly kind: "blink" };

/** A kept date: a scene, and its day so that it is named before the scene is found. */
export interface Pin {
  readonly sceneId: string;
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string;
}

/** The part of the console that a link shares; null or an empty list where a part is absent. */
export interface ConsoleState {
  readonly view: MapView | null;
  readonly area: Area | null;
  /** First and last day, UTC, `YYYY-MM-DD`; null is open. */
  readonly time: { readonly start: string | null; readonly end: string | null } | null;
  readonly datasets: readonly { readonly provider: string; readonly dataset: string }[];
  /** Percent, 0 to 100. */
  readonly cloud: { readonly least: number; readonly most: number } | null;
  /** Largest off-nadir angle, degrees, 0 to 90. */
  readonly offNadir: number | null;
  /** Coarsest ground sampling distance, metres, above 0. */
  readonly gsd: number | null;
  /** The first layer is the top one. */
  readonly layers: readonly ShownLayer[];
  /** Whether classes differ in a pattern, too. */
  readonly hasPatterns: boolean;
  readonly comparison: Comparison | null;
  readonly selectedSceneId: string | null;
  /** By day, the earliest first. */
  readonly pins: readonly Pin[];
  /** Filter of detected objects, as `detection_filters` of the service. */
  readonly objectFilter: string | null;
  readonly selectedObjectId: string | null;
  readonly theme: "dark" | "light" | null;
}

export const EMPTY_STATE: ConsoleState = {
  view: null,
  area: null,
  time: null,
  datasets: [],
  cloud: null,
  offNadir: null,
  gsd: null,
  layers: [],
  hasPatterns: false,
  comparison: null,
  selectedSceneId: null,
  pins: [],
  objectFilter: null,
  selectedObjectId: null,
  theme: null,
};
