/** How a shape is drawn: an object of a map, ground track, reach of a satellite, held or another area. */
export type ShapeLook = "area" | "held" | "object" | "reach" | "track";

/** A shape that a screen shows on the map. */
export interface Shape {
  /** Unique within its group. */
  readonly id: string;
  /** A GeoJSON geometry, degrees. */
  readonly geometry: object;
  readonly look: ShapeLook;
  /** Of the line, `#rrggbb`; without one the colour of its look. */
  readonly colour?: string;
}

/** The shapes of one screen. */
export interface ShapeGroup {
  readonly shapes: readonly Shape[];
  readonly hovered?: string | null;
  readonly selected?: string | null;
  /** Called with the ID of a clicked shape; without it clicks reach the map. */
  readonly onPick?: (id: string) => void;
  /** Called with the ID of the shape below the pointer, null when it leaves. */
  readonly onHover?: (id: string | null) => void;
}
