/** The area of a polygon: the area of its first ring less the areas of the others. */
export function lessHoles<Ring>(rings: readonly Ring[], areaOf: (ring: Ring) => number): number {
  let area = 0;
  for (let i = 0; i < rings.length; i += 1) area += i === 0 ? areaOf(rings[i]!) : -areaOf(rings[i]!);
  return area;
}
