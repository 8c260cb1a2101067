import type { PixelGround } from "../../../analysis/block.ts";
import type { ShipShape } from "../shape/measure.ts";

/** The light of an object in steps of a pixel along its axis. */
export interface LightProfile {
  /** Step of each member, in the order of the members. */
  readonly steps: Int32Array;
  /** Mean amplitude of each step, 0 without members. */
  readonly light: Float64Array;
}

export function lightProfile(
  members: Int32Array,
  score: Float32Array,
  columns: number,
  { centre, axis }: ShipShape,
  { metresPerPixelX, metresPerPixelY }: PixelGround,
): LightProfile {
  const pixelM = Math.sqrt(metresPerPixelX * metresPerPixelY);
  const along = Float64Array.from(members, (i) => {
    const row = Math.floor(i / columns);
    const right = (i - row * columns + 0.5 - centre[0]) * metresPerPixelX;
    const down = (row + 0.5 - centre[1]) * metresPerPixelY;
    return (right * axis[0] + down * axis[1]) / pixelM;
  });
  const start = Math.min(...along);
  const steps = Int32Array.from(along, (place) => Math.floor(place - start));
  const count = Math.max(...steps) + 1;
  const light = new Float64Array(count);
  const pixels = new Float64Array(count);
  for (const [k, i] of members.entries()) {
    light[steps[k]!]! += Math.sqrt(Math.max(score[i]!, 0));
    pixels[steps[k]!]! += 1;
  }
  return { steps, light: light.map((sum, step) => (pixels[step]! > 0 ? sum / pixels[step]! : 0)) };
}
