import type { Box } from "../console-state.ts";
import type { MapObject } from "./map-object.ts";

/** More outlines cannot be distinguished, and do not pan at 30 frames a second. */
const MAX_DRAWN = 2_000;
/** Objects just outside are there when the map moves. */
const MARGIN = 0.25;
/** A smaller share of the map is not seen as a shape. */
const LEAST_SHARE = 1 / 150;

export interface ObjectsInView {
  readonly drawn: readonly MapObject[];
  /** Objects around the view; more than are drawn where they are too many. */
  readonly count: number;
}

/** Returns the objects to draw: those around the view, of too many every second, third and so on. */
export function objectsInView(objects: readonly MapObject[], view: Box): ObjectsInView {
  const near = objects.filter((object) => isInside(object, view, MARGIN));
  const step = Math.ceil(near.length / MAX_DRAWN);
  return { drawn: step <= 1 ? near : near.filter((_, position) => position % step === 0), count: near.length };
}

/** Whether the map has to move so that an object is seen as a shape. */
export function isHiddenIn(object: MapObject, view: Box): boolean {
  if (!isInside(object, view, 0)) return true;
  const { box } = object;
  const width = widthOf(box) / widthOf(view);
  const height = (box.north - box.south) / (view.north - view.south);
  return Math.max(width, height) < LEAST_SHARE;
}

function isInside({ longitude, latitude }: MapObject, view: Box, margin: number): boolean {
  const { west, south, north } = view;
  const width = widthOf(view);
  const [sideways, upwards] = [width * margin, (north - south) * margin];
  const east = (((longitude - west + sideways) % 360) + 360) % 360;
  return east <= width + 2 * sideways && latitude >= south - upwards && latitude <= north + upwards;
}

/** Degrees; west exceeds east where the box crosses the antimeridian. */
function widthOf({ west, east }: Box): number {
  return east < west ? east + 360 - west : east - west;
}
