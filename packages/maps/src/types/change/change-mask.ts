import { componentMembers, connectedComponents } from "@swath/kernel/raster-mathematics/connected-components";
import { dilated, eroded } from "../../analysis/texture/mask-morphology.ts";

/**
 * Erosion and dilation with 3 x 3 pixels: what is narrower than three pixels vanishes. Invalid pixels neither keep nor
 * make a change.
 *
 * @param set 1 where changed @param valid 1 where judged
 */
export function openedMask(set: Uint8Array, valid: Uint8Array, columns: number, rows: number): Uint8Array {
  const filled = set.slice();
  for (let i = 0; i < filled.length; i++) if (valid[i] === 0) filled[i] = 1;
  const kept = eroded(filled, columns, rows, 1);
  for (let i = 0; i < kept.length; i++) if (set[i] !== 1) kept[i] = 0;
  const opened = dilated(kept, columns, rows, 1);
  for (let i = 0; i < opened.length; i++) if (valid[i] === 0) opened[i] = 0;
  return opened;
}

/** Without groups of fewer pixels than the minimum mapping unit. */
export function withoutSmallGroups(set: Uint8Array, columns: number, rows: number, minPixels: number): Uint8Array {
  const kept = new Uint8Array(set.length);
  for (const members of componentMembers(connectedComponents(set, columns, rows))) {
    if (members.length >= minPixels) for (const member of members) kept[member] = 1;
  }
  return kept;
}
