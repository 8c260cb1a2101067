/** Relative fault of the difference of two rounded products, with room to spare. */
const RELATIVE_FAULT = 4.5e-16;

/**
 * On which side of the line from a to b the place c lies: 1 left, -1 right, 0 on it. Exact for integers up to 2^53:
 * what floating point cannot tell is worked out in integers.
 */
function orientation(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): -1 | 0 | 1 {
  const left = (bx - ax) * (cy - ay);
  const right = (by - ay) * (cx - ax);
  const turn = left - right;
  const fault = RELATIVE_FAULT * (Math.abs(left) + Math.abs(right));
  if (turn > fault) return 1;
  if (turn < -fault) return -1;
  if (left === 0 && right === 0) return 0;
  const exact = BigInt(bx - ax) * BigInt(cy - ay) - BigInt(by - ay) * BigInt(cx - ax);
  return exact > 0n ? 1 : exact < 0n ? -1 : 0;
}

/** Whether c lies on the segment from a to b, its ends included. */
export function isOnSegment(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): boolean {
  return (
    cx >= Math.min(ax, bx) &&
    cx <= Math.max(ax, bx) &&
    cy >= Math.min(ay, by) &&
    cy <= Math.max(ay, by) &&
    orientation(ax, ay, bx, by, cx, cy) === 0
  );
}

/** Two segments: apart, crossing inside both, or touching: an end of one on the other, overlapping included. */
export function segmentMeeting(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): "apart" | "cross" | "touch" {
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return "apart";
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return "apart";
  const c = orientation(ax, ay, bx, by, cx, cy);
  const d = orientation(ax, ay, bx, by, dx, dy);
  if (c * d > 0) return "apart";
  const a = orientation(cx, cy, dx, dy, ax, ay);
  const b = orientation(cx, cy, dx, dy, bx, by);
  if (a * b > 0) return "apart";
  if (a * b < 0 && c * d < 0) return "cross";
  const touches =
    isOnSegment(ax, ay, bx, by, cx, cy) ||
    isOnSegment(ax, ay, bx, by, dx, dy) ||
    isOnSegment(cx, cy, dx, dy, ax, ay) ||
    isOnSegment(cx, cy, dx, dy, bx, by);
  return touches ? "touch" : "apart";
}

/** Where a place lies in the area of closed rings, inside being where an odd number of them is around it. */
export function locate(x: number, y: number, rings: readonly FlatLine[], scale = 1): "inside" | "border" | "outside" {
  let inside = false;
  for (const ring of rings) {
    let x1 = (ring[0] ?? 0) * scale;
    let y1 = (ring[1] ?? 0) * scale;
    for (let i = 2; i < ring.length; i += 2) {
      const x2 = (ring[i] ?? 0) * scale;
      const y2 = (ring[i + 1] ?? 0) * scale;
      if (y1 > y !== y2 > y) {
        if (x1 >= x || x2 >= x) {
          const side = orientation(x1, y1, x2, y2, x, y);
          if (side === 0) return "border";
          if (side > 0 === y2 > y1) inside = !inside;
        }
      } else if ((y1 === y || y2 === y) && isOnSegment(x1, y1, x2, y2, x, y)) {
        return "border";
      }
      x1 = x2;
      y1 = y2;
    }
  }
  return inside ? "inside" : "outside";
}

/** Places of a line or closed ring as `[x0, y0, x1, y1, …]`. */
export type FlatLine = readonly number[];
