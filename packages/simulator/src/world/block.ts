import type { Projection } from "@swath/kernel/crs/projection";
import type { ModelBand } from "../scene-model.ts";
import { EARTH_M } from "./sphere-noise.ts";

/** Scenes are drawn in blocks of at most this many pixels a side; reads that follow them draw nothing twice. */
export const BLOCK_PX = 256;
/** Rain is asked for over countries, hour by hour: a few dozen pixels, hundreds of times. */
const RAIN_BLOCK_PX = 32;

/** Pixels a side of the blocks that a band is drawn in. */
export function blockPxOf({ meaning }: Pick<ModelBand, "meaning">): number {
  return meaning?.startsWith("precipitation") === true ? RAIN_BLOCK_PX : BLOCK_PX;
}

const METRES_PER_DEGREE = (EARTH_M * Math.PI) / 180;

/** A rectangle of a band's pixels with the longitude and latitude of its corners. */
export interface Block {
  readonly column: number;
  readonly row: number;
  readonly columns: number;
  readonly rows: number;
  /** Longitude and latitude of the corners: north-west, north-east, south-west, south-east. May pass 180. */
  readonly lonDeg: readonly [number, number, number, number];
  readonly latDeg: readonly [number, number, number, number];
  readonly centreLonDeg: number;
  readonly centreLatDeg: number;
  /** Ground metres per pixel, the mean of both axes. */
  readonly pixelM: number;
  readonly pixelWidthM: number;
  readonly pixelHeightM: number;
  /** Ground metres from the middle to a corner. */
  readonly reachM: number;
  /** Angle from grid north to true north, radians clockwise. */
  readonly northRad: number;
}

/** Between a plane of metres and the pixels of one block, counted from the block's corner. */
export interface Frame {
  /** Metres at the corners, in the order of the block's. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Pixels per metre. */
  readonly columnX: number;
  readonly columnY: number;
  readonly rowX: number;
  readonly rowY: number;
  readonly minX: number;
  readonly maxX: number;
  readonly minY: number;
  readonly maxY: number;
}

export function planBlock(band: ModelBand, projection: Projection, blockColumn: number, blockRow: number): Block {
  const blockPx = blockPxOf(band);
  const column = blockColumn * blockPx;
  const row = blockRow * blockPx;
  const columns = Math.min(blockPx, band.widthPx - column);
  const rows = Math.min(blockPx, band.heightPx - row);
  const lon: [number, number, number, number] = [0, 0, 0, 0];
  const lat: [number, number, number, number] = [0, 0, 0, 0];
  for (let corner = 0; corner < 4; corner += 1) {
    const x = band.originX + (column + (corner % 2) * columns) * band.pixelSizeX;
    const y = band.originY + (row + (corner >> 1) * rows) * band.pixelSizeY;
    const [lonDeg, latDeg] = projection.inverse(x, y);
    lon[corner] = corner === 0 ? lonDeg : nearLongitude(lonDeg, lon[0]);
    lat[corner] = Math.max(-89.9, Math.min(89.9, latDeg));
  }
  const centreLatDeg = (lat[0] + lat[1] + lat[2] + lat[3]) / 4;
  const cos = Math.cos((centreLatDeg * Math.PI) / 180);
  const east = ((lon[1] - lon[0] + lon[3] - lon[2]) / 2) * METRES_PER_DEGREE * cos;
  const eastNorth = ((lat[1] - lat[0] + lat[3] - lat[2]) / 2) * METRES_PER_DEGREE;
  const southEast = ((lon[2] - lon[0] + lon[3] - lon[1]) / 2) * METRES_PER_DEGREE * cos;
  const south = ((lat[2] - lat[0] + lat[3] - lat[1]) / 2) * METRES_PER_DEGREE;
  const width = Math.hypot(east, eastNorth);
  const height = Math.hypot(south, southEast);
  return {
    column,
    row,
    columns,
    rows,
    lonDeg: lon,
    latDeg: lat,
    centreLonDeg: (lon[0] + lon[1] + lon[2] + lon[3]) / 4,
    centreLatDeg,
    pixelM: Math.sqrt((width / columns) * (height / rows)),
    pixelWidthM: width / columns,
    pixelHeightM: height / rows,
    reachM: Math.hypot(width, height) / 2,
    northRad: Math.atan2(eastNorth, east),
  };
}

/** The longitude of the same meridian that is within 180 degrees of another. */
export function nearLongitude(lonDeg: number, otherDeg: number): number {
  return lonDeg - 360 * Math.round((lonDeg - otherDeg) / 360);
}

/** A plane that touches the globe: metres east and north of an origin. Straight enough within some 100 km. */
export interface Plane {
  readonly lonDeg: number;
  readonly latDeg: number;
}

/** Metres east of a plane's origin. */
export function eastM(plane: Plane, lonDeg: number, latDeg: number): number {
  return nearLongitude(lonDeg - plane.lonDeg, 0) * METRES_PER_DEGREE * Math.cos((latDeg * Math.PI) / 180);
}

/** Metres north of a plane's origin. */
export function northM(plane: Plane, latDeg: number): number {
  return (latDeg - plane.latDeg) * METRES_PER_DEGREE;
}

/** Longitude and latitude of a place on a plane. */
export function onGlobe(plane: Plane, x: number, y: number): readonly [lonDeg: number, latDeg: number] {
  const latDeg = plane.latDeg + y / METRES_PER_DEGREE;
  return [plane.lonDeg + x / (METRES_PER_DEGREE * Math.cos((latDeg * Math.PI) / 180)), latDeg];
}

/** The block seen from a plane. */
export function frameOf(block: Block, plane: Plane): Frame {
  const x = new Float64Array(4);
  const y = new Float64Array(4);
  for (let corner = 0; corner < 4; corner += 1) {
    x[corner] = eastM(plane, block.lonDeg[corner]!, block.latDeg[corner]!);
    y[corner] = northM(plane, block.latDeg[corner]!);
  }
  const ax = (x[1]! - x[0]! + x[3]! - x[2]!) / (2 * block.columns);
  const ay = (y[1]! - y[0]! + y[3]! - y[2]!) / (2 * block.columns);
  const bx = (x[2]! - x[0]! + x[3]! - x[1]!) / (2 * block.rows);
  const by = (y[2]! - y[0]! + y[3]! - y[1]!) / (2 * block.rows);
  const determinant = ax * by - ay * bx;
  return {
    x,
    y,
    columnX: by / determinant,
    columnY: -bx / determinant,
    rowX: -ay / determinant,
    rowY: ax / determinant,
    minX: Math.min(x[0]!, x[1]!, x[2]!, x[3]!),
    maxX: Math.max(x[0]!, x[1]!, x[2]!, x[3]!),
    minY: Math.min(y[0]!, y[1]!, y[2]!, y[3]!),
    maxY: Math.max(y[0]!, y[1]!, y[2]!, y[3]!),
  };
}

/** Column of a place, in pixels from the block's corner. */
export function columnAt(block: Block, frame: Frame, x: number, y: number): number {
  const dx = x - (frame.x[0]! + frame.x[1]! + frame.x[2]! + frame.x[3]!) / 4;
  const dy = y - (frame.y[0]! + frame.y[1]! + frame.y[2]! + frame.y[3]!) / 4;
  return block.columns / 2 + dx * frame.columnX + dy * frame.columnY;
}

/** Row of a place, in pixels from the block's corner. */
export function rowAt(block: Block, frame: Frame, x: number, y: number): number {
  const dx = x - (frame.x[0]! + frame.x[1]! + frame.x[2]! + frame.x[3]!) / 4;
  const dy = y - (frame.y[0]! + frame.y[1]! + frame.y[2]! + frame.y[3]!) / 4;
  return block.rows / 2 + dx * frame.rowX + dy * frame.rowY;
}
