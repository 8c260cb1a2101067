/** 1 where a set pixel is at most `radiusPx` rows and columns away. */
export function near(mask: Uint8Array, widthPx: number, radiusPx: number): Uint8Array {
  const heightPx = mask.length / widthPx;
  const grown = new Uint8Array(mask.length);
  for (let i = 0; i < mask.length; i++) {
    if (mask[i] !== 1) continue;
    const [x, y] = [i % widthPx, Math.floor(i / widthPx)];
    for (let row = Math.max(0, y - radiusPx); row <= Math.min(heightPx - 1, y + radiusPx); row++) {
      const start = row * widthPx;
      grown.fill(1, start + Math.max(0, x - radiusPx), start + Math.min(widthPx, x + radiusPx + 1));
    }
  }
  return grown;
}

/** The middle of what is set: pixels as far from the rest as any pixel beside them, as chess kings walk. */
export function middleLine(mask: Uint8Array, widthPx: number): Uint8Array {
  const depth = new Uint16Array(mask.length);
  for (let inner = mask; inner.includes(1); inner = eroded(inner, widthPx)) {
    for (let i = 0; i < depth.length; i++) depth[i]! += inner[i]!;
  }
  const heightPx = mask.length / widthPx;
  return mask.map((set, i) => {
    if (set === 0) return 0;
    const [x, y] = [i % widthPx, Math.floor(i / widthPx)];
    for (let row = Math.max(0, y - 1); row <= Math.min(heightPx - 1, y + 1); row++) {
      for (let column = Math.max(0, x - 1); column <= Math.min(widthPx - 1, x + 1); column++) {
        if (depth[row * widthPx + column]! > depth[i]!) return 0;
      }
    }
    return 1;
  });
}

/** Without the pixels that have an unset one beside them; edges of the picture are no edges. */
function eroded(mask: Uint8Array, widthPx: number): Uint8Array {
  const rest = near(
    mask.map((set) => 1 - set),
    widthPx,
    1,
  );
  return rest.map((set) => 1 - set);
}
