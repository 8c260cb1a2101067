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
/** Right turns first keep regions that only touch at a corner apart. */
const TURNS = [1, 0, 3] as const;

/**
 * Outlines of the regions of non-zero cells, along cell edges. Cells are neighbours across edges, not corners.
 *
 * @param bitmap row-major, `width * height`
 * @returns regions by falling area; their areas add up to the number of non-zero cells
 */
export function vectorize(bitmap: Uint8Array, width: number, height: number): readonly Region[] {
  if (bitmap.length !== width * height) {
    throw new RangeError(`bitmap has ${bitmap.length} cells, expected ${width} x ${height}`);
  }
  const labels = labelRegions(bitmap, width, height);
  const edges = directedEdges(bitmap, width, height);
  const regions = new Map<number, { exterior: readonly Corner[]; holes: (readonly Corner[])[]; areaCells: number }>();
  const columns = width + 1;
  for (let vertex = 0; vertex < edges.length; vertex++) {
    // Every ring holds an edge that runs east (exterior) or one that runs west (hole); both are found from any vertex.
    while (edges[vertex] !== 0) {
      const direction = Math.clz32(edges[vertex]! & -edges[vertex]!) ^ 31;
      const label = labels[cellRightOf(vertex, direction, columns, width)]!;
      const ring = traceRing(edges, vertex, direction, columns);
      const area = ringArea(ring);
      const region = regions.get(label) ?? { exterior: [], holes: [], areaCells: 0 };
      if (area > 0) region.exterior = ring;
      else region.holes.push(ring);
      region.areaCells += area;
      regions.set(label, region);
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

function labelRegions(bitmap: Uint8Array, width: number, height: number): Int32Array {
  const labels = new Int32Array(bitmap.length);
  const stack: number[] = [];
  let next = 0;
  for (let start = 0; start < bitmap.length; start++) {
    if (bitmap[start] === 0 || labels[start] !== 0) continue;
    labels[start] = ++next;
    stack.push(start);
    for (let cell = stack.pop(); cell !== undefined; cell = stack.pop()) {
      const column = cell % width;
      const visit = (neighbour: number): void => {
        if (bitmap[neighbour] === 0 || labels[neighbour] !== 0) return;
        labels[neighbour] = next;
        stack.push(neighbour);
      };
      if (column > 0) visit(cell - 1);
      if (column + 1 < width) visit(cell + 1);
      if (cell >= width) visit(cell - width);
      if (cell + width < width * height) visit(cell + width);
    }
  }
  return labels;
}

/** For each corner a bit per direction in which an edge leaves it, with the region on the right. */
function directedEdges(bitmap: Uint8Array, width: number, height: number): Uint8Array {
  const columns = width + 1;
  const edges = new Uint8Array(columns * (height + 1));
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const cell = row * width + column;
      if (bitmap[cell] === 0) continue;
      const corner = row * columns + column;
      if (row === 0 || bitmap[cell - width] === 0) edges[corner]! |= 1;
      if (column + 1 === width || bitmap[cell + 1] === 0) edges[corner + 1]! |= 2;
      if (row + 1 === height || bitmap[cell + width] === 0) edges[corner + columns + 1]! |= 4;
      if (column === 0 || bitmap[cell - 1] === 0) edges[corner + columns]! |= 8;
    }
  }
  return edges;
}

function cellRightOf(vertex: number, direction: number, columns: number, width: number): number {
  const column = (vertex % columns) - (direction === 1 || direction === 2 ? 1 : 0);
  const row = Math.floor(vertex / columns) - (direction === 2 || direction === 3 ? 1 : 0);
  return row * width + column;
}

/** Follows the edges from a corner back to it and takes them away. */
function traceRing(edges: Uint8Array, start: number, firstDirection: number, columns: number): readonly Corner[] {
  const ring: Corner[] = [];
  let vertex = start;
  let direction = firstDirection;
  let previous = -1;
  do {
    edges[vertex]! &= ~(1 << direction);
    if (direction !== previous) ring.push([vertex % columns, Math.floor(vertex / columns)]);
    previous = direction;
    vertex += STEP_COLUMN[direction]! + STEP_ROW[direction]! * columns;
    // The first edge counts as present, so that a ring through a shared corner closes where it began.
    const leaving = edges[vertex]! | (vertex === start ? 1 << firstDirection : 0);
    const from = direction;
    const turn = TURNS.find((quarter) => (leaving & (1 << ((from + quarter) & 3))) !== 0) ?? 0;
    direction = (direction + turn) & 3;
  } while (vertex !== start || direction !== firstDirection);
  // The start is no corner when the last edge runs on into the first.
  if (previous === firstDirection) ring.shift();
  ring.push(ring[0]!);
  return ring;
}
