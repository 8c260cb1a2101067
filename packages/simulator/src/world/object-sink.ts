import type { Plane } from "./block.ts";

export type ObjectKind =
  | "aircraft"
  | "car"
  | "ship"
  | "building"
  | "construction"
  | "container-stack"
  | "fire"
  | "pool"
  | "tree"
  | "truck";

/** An object as it is drawn: a rectangle on a plane. */
export interface DrawnObject {
  readonly kind: ObjectKind;
  readonly plane: Plane;
  readonly x: number;
  readonly y: number;
  readonly lengthM: number;
  readonly widthM: number;
  /** Clockwise from north. */
  readonly headingRad: number;
  readonly speedMs: number;
  /** Metres over the ground, of buildings and trees. */
  readonly heightM?: number;
}

/** Called with every object that is drawn, when the ground truth is asked for. */
export type ObjectSink = (object: DrawnObject) => void;
