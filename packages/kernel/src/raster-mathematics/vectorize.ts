/** A corner of cells: column and row counted from the top-left corner of the bitmap. */
export type Corner = readonly [column: number, row: number];

/** A connected region of a bitmap; rings are closed and hold corners only where the direction changes. */
export interface Region {
  readonly exterior: readonly Corner[];
  readonly holes: readonly (readonly Corner[])[];
  /** Cells inside, holes taken out. */
  readonly areaCells: number;
}

/** Directions in the order east, south, west, north: a right turn adds one. */
const STEP_COLUMN = [1, 0, -1, 0] as const;
const STEP_ROW = [0, 1, 0, -1] as const;
/** The four directions an edge can leave a corner in, as bits. */
const DIRECTIONS = 0b1111;

/** A region of cells that hold the same number. */
export interface NumberedRegion extends Region {
  readonly number: number;
}

/**
 * Outlines of the regions of non-zero cells, along cell edges. Cells are neighbours across edges, not corners.
 *
 * @param bitmap row-major, `width * height`
 * @returns regions by falling area; their areas add up to the number of non-zero cells
 */
export function vectorize(bitmap: Uint8Array, width: number, height: number): readonly Region[] {
  const numbers = new Uint8Array(bitmap.length);
  for (let i = 0; i < bitmap.length; i++) if (bitmap[i] !== 0) numbers[i] = 1;
  return vectorizeNumbers(numbers, width, height).map(({ exterior, holes, areaCells }) => ({
    exterior,
    holes,
    areaCells,
  }));
}

/**
 * Outlines of the regions of equal numbers that are not 0, as `vectorize` makes them of each number alone.
 *
 * @param numbers row-major, `width * height`
 * @returns regions by falling area
 */
export function vectorizeNumbers(numbers: Uint8Array, width: number, height: number): readonly NumberedRegion[] {
  if (numbers.length !== width * height) {
    throw new RangeError(`bitmap has ${numbers.length} cells, expected ${width} x ${height}`);
  }
  const labels = labelRegions(numbers, width, height);
  const edges = directedEdges(numbers, width, height);
  const regions = new Map<
    number,
    { readonly number: number; exterior: readonly Corner[]; holes: (readonly Corner[])[]; areaCells: number }
  >();
  const columns = width + 1;
  for (let vertex = 0; vertex < edges.length; vertex++) {
    // Every ring holds an edge that runs east (exterior) or one that runs west (hole); both are found from any vertex.
    while (edges[vertex] !== 0) {
      const direction = Math.clz32(edges[vertex]! & -edges[vertex]!) ^ 31;
      const cell = cellRightOf(vertex, direction, columns, width);
      const ring = traceRing(edges, vertex, direction, columns);
      const area = ringArea(ring);
      let region = regions.get(labels[cell]!);
      if (region === undefined) {
        region = { number: numbers[cell]!, exterior: [], holes: [], areaCells: 0 };
        regions.set(labels[cell]!, region);
      }
      if (area > 0) region.exterior = ring;
      else region.holes.push(ring);
      region.areaCells += area;
    }
  }
  return [...regions.values()].toSorted((a, b) => b.areaCells - a.areaCells);
}

/** Area of a closed ring in cells: positive when it runs clockwise on screen (rows grow downwards). */
export function ringArea(ring: readonly Corner[]): number {
  let doubled = 0;
  for (let i = 1; i < ring.length; i++) {
    const [x0, y0] = ring[i - 1]!;
    const [x1, y1] = ring[i]!;
    doubled += x0 * y1 - x1 * y0;
  }
  return doubled / 2;
}

/** A label for each cell that is not 0, the same in a region: runs of rows, joined where they touch. */
function labelRegions(numbers: Uint8Array, width: number, height: number): Int32Array {
  const labels = new Int32Array(numbers.length);
  const parents: number[] = [0];
  const rootOf = (label: number): number => {
    let root = label;
    while (parents[root]! !== root) {
      parents[root] = parents[parents[root]!]!;
      root = parents[root]!;
    }
    return root;
  };
  for (let row = 0; row < height; row++) {
    let label = 0;
    for (let cell = row * width; cell < (row + 1) * width; cell++) {
      const number = numbers[cell]!;
      if (number === 0) continue;
      if (cell === row * width || numbers[cell - 1] !== number) label = 0;
      if (row > 0 && numbers[cell - width] === number) {
        const above = labels[cell - width]!;
        if (label === 0) label = above;
        else if (label !== above) {
          const [a, b] = [rootOf(label), rootOf(above)];
          parents[Math.max(a, b)] = Math.min(a, b);
        }
      }
      if (label === 0) {
        label = parents.length;
        parents.push(label);
      }
      labels[cell] = label;
    }
  }
  for (let label = 0; label < parents.length; label++) parents[label] = rootOf(label);
  for (let cell = 0; cell < labels.length; cell++) labels[cell] = parents[labels[cell]!]!;
  return labels;
}

/**
 * For each corner a bit per direction in which an edge leaves it, with its region on the right: no two regions have the
 * same edge in the same direction.
 */
function directedEdges(numbers: Uint8Array, width: number, height: number): Uint8Array {
  const columns = width + 1;
  const edges = new Uint8Array(columns * (height + 1));
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const cell = row * width + column;
      const number = numbers[cell]!;
      if (number === 0) continue;
      const corner = row * columns + column;
      if (row === 0 || numbers[cell - width] !== number) edges[corner]! |= 1;
      if (column + 1 === width || numbers[cell + 1] !== number) edges[corner + 1]! |= 2;
      if (row + 1 === height || numbers[cell + width] !== number) edges[corner + columns + 1]! |= 4;
      if (column === 0 || numbers[cell - 1] !== number) edges[corner + columns]! |= 8;
    }
  }
  return edges;
}

function cellRightOf(vertex: number, direction: number, columns: number, width: number): number {
  const column = (vertex % columns) - (direction === 1 || direction === 2 ? 1 : 0);
  const row = Math.floor(vertex / columns) - (direction === 2 || direction === 3 ? 1 : 0);
  return row * width + column;
}

/**
 * Follows the edges from a corner back to it and takes them away. Right turns first: they keep regions that only touch
 * at a corner apart, and where there is none the cell ahead on the right is of the same region, whose edges follow.
 */
function traceRing(edges: Uint8Array, start: number, firstDirection: number, columns: number): readonly Corner[] {
  const ring: Corner[] = [];
  let vertex = start;
  let column = start % columns;
  let row = Math.floor(start / columns);
  let direction = firstDirection;
  let previous = -1;
  do {
    edges[vertex]! &= DIRECTIONS ^ (1 << direction);
    if (direction !== previous) ring.push([column, row]);
    previous = direction;
    column += STEP_COLUMN[direction]!;
    row += STEP_ROW[direction]!;
    vertex = row * columns + column;
    // The first edge counts as present, so that a ring through a shared corner closes where it began.
    const leaving = edges[vertex]! | (vertex === start ? 1 << firstDirection : 0);
    const right = (direction + 1) & 3;
    const left = (direction + 3) & 3;
    if ((leaving & (1 << right)) !== 0) direction = right;
    else if ((leaving & (1 << direction)) === 0 && (leaving & (1 << left)) !== 0) direction = left;
  } while (vertex !== start || direction !== firstDirection);
  // The start is no corner when the last edge runs on into the first.
  if (previous === firstDirection) ring.shift();
  ring.push(ring[0]!);
  return ring;
}
