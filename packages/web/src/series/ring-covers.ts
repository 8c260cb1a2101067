/** Whether a position is inside a ring, by the number of its edges to the east. */
export function ringCovers(ring: readonly (readonly number[])[], longitude: number, latitude: number): boolean {
  let isInside = false;
  ring.forEach(([x = 0, y = 0], index) => {
    const [fromX = 0, fromY = 0] = ring.at(index - 1) ?? [];
    if (y > latitude === fromY > latitude) return;
    if (longitude < x + ((latitude - y) / (fromY - y)) * (fromX - x)) isInside = !isInside;
  });
  return isInside;
}
