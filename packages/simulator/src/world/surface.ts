import type { Block } from "./block.ts";
import type { Canvas } from "./canvas.ts";
import type { Geography } from "./geography.ts";
import type { ObjectSink } from "./object-sink.ts";
import type { Palette } from "./palette.ts";
import type { View } from "./view.ts";
import { frameOf, BLOCK_PX } from "./block.ts";
import { paintSmoke } from "./burns.ts";
import { COVER, shadePixel, startCanvas } from "./canvas.ts";
import { surveyBlock } from "./geography.ts";
import { paintGround } from "./ground.ts";
import { interpolateRow } from "./node-lattice.ts";
import { paintObjects } from "./objects.ts";
import { opacityOf, skyOver } from "./sky.ts";
import { M } from "./spectra.ts";

/** Reflectance is kept in this many parts of one. */
export const REFLECTANCE_STEPS = 40_000;

/** A block as it looks at a moment, before a sensor's bands are made of it. */
export interface Surface {
  readonly columns: number;
  readonly rows: number;
  readonly channels: number;
  /** Colours in `REFLECTANCE_STEPS` for optical views, linear sigma nought for radar; `channels` per pixel. */
  readonly values: Uint16Array | Float32Array;
  /** Codes of COVER, under the clouds. The codes of the next block drawn take its place. */
  readonly cover: Uint8Array;
  /** Opacity of clouds, 0 to 255; null where there are none. Shared like `cover`. */
  readonly cloud: Uint8Array | null;
}

/** Gores of six degrees: the country is laid out in planes around their middles. */
const GORE_DEG = 6;

function goreOf(lonDeg: number): number {
  return (Math.floor(lonDeg / GORE_DEG) + 0.5) * GORE_DEG;
}

/** Draws a block in the colours of a palette. No channel depends on another. */
export function drawSurface(block: Block, view: View, palette: Palette, sink: ObjectSink | null = null): Surface {
  const { channels } = palette;
  const canvas = startCanvas(block.columns, block.rows, palette);
  const geography = surveyBlock(block, channels > 0);
  const frame = frameOf(block, { lonDeg: goreOf(block.centreLonDeg), latDeg: 0 });
  paintGround(canvas, block, frame, geography, view);
  paintObjects(canvas, block, geography, view, sink);
  paintSmoke(canvas, block, geography, view);
  const size = block.columns * block.rows;
  const cover = canvas.cover.subarray(0, size);
  if (view.radar) {
    const values = canvas.pixels.slice(0, size * channels);
    return { columns: block.columns, rows: block.rows, channels, values, cover, cloud: null };
  }
  const cloud = paintSky(block, geography, view, canvas);
  const values = new Uint16Array(size * channels);
  const { pixels } = canvas;
  for (let i = 0; i < values.length; i += 1) {
    const value = pixels[i]! * REFLECTANCE_STEPS;
    values[i] = value < 0 ? 0 : value > 65_535 ? 65_535 : value;
  }
  return { columns: block.columns, rows: block.rows, channels, values, cover, cloud };
}

const cloudPlane = new Uint8Array(BLOCK_PX * BLOCK_PX);
const excessRow = new Float32Array(BLOCK_PX);
const shadowRow = new Float32Array(BLOCK_PX);

/** Excess of clouds from which they can be seen. */
const SEEN = -0.56;

function paintSky(block: Block, geography: Geography, view: View, canvas: Canvas): Uint8Array | null {
  const nodes = geography.fine;
  const sky = skyOver(block, nodes, geography.coarse, view);
  if (!sky.anyCloud) return null;
  const { columns, rows } = block;
  const { channels, cover, pixels, table } = canvas;
  const cloud = cloudPlane.subarray(0, columns * rows).fill(0);
  const excess = excessRow.subarray(0, columns);
  const shadow = shadowRow.subarray(0, columns);
  const from = M.cloud * channels;
  for (let row = 0; row < rows; row += 1) {
    const clouded = interpolateRow(nodes, sky.excess, row, excess) > SEEN;
    const shaded = interpolateRow(nodes, sky.shadow, row, shadow) > SEEN;
    if (!clouded && !shaded) continue;
    for (let i = 0; i < columns; i += 1) {
      const above = excess[i]!;
      const beside = shadow[i]!;
      if (above <= SEEN && beside <= SEEN) continue;
      const pixel = row * columns + i;
      if (channels > 0 && beside > SEEN && cover[pixel] !== COVER.none) {
        shadePixel(canvas, pixel, 1 - 0.6 * opacityOf(beside));
      }
      if (above <= SEEN) continue;
      const opacity = opacityOf(above);
      // Thick middles are brighter than ragged edges, and flanks towards the sun than those away from it.
      const light = Math.max(
        0.6,
        Math.min(1.25, 0.82 + 0.16 * Math.min(1.6, above) - 0.2 * Math.max(-1, beside - above)),
      );
      const at = pixel * channels;
      for (let k = 0; k < channels; k += 1) {
        pixels[at + k] = pixels[at + k]! + (table[from + k]! * light - pixels[at + k]!) * opacity;
      }
      cloud[pixel] = opacity * 255;
    }
  }
  return cloud;
}
