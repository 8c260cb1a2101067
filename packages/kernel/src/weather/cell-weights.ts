import type { MultiPolygon } from "../geometry/geojson.ts";
import { ringBounds } from "../geometry/ring-bounds.ts";
import { DEGREE, GAUSS_3, meridianRadiusM, primeVerticalRadiusM } from "../geometry/wgs84.ts";

/** A raster of longitude/latitude cells; rows run southwards from the north edge. */
export interface LonLatGrid {
  readonly westDeg: number;
  readonly northDeg: number;
  readonly cellWidthDeg: number;
  readonly cellHeightDeg: number;
  readonly columns: number;
  readonly rows: number;
}

/** The cells that a polygon touches and how much of it lies in each. */
export interface CellWeights {
  /** Row-major indices into the grid, ascending. */
  readonly cells: Uint32Array;
  /** Area of cell and polygon in common, km²; positive. */
  readonly areasKm2: Float64Array;
  readonly totalKm2: number;
}

/** Cells of the box around a polygon that are looked at: a whole world of tenths of a degree. */
const MAX_BOX_CELLS = 6_480_000;
/** Shares of a cell below this are what rounding leaves where two edges cancel. */
const MIN_SHARE = 1e-13;

interface Box {
  readonly left: number;
  readonly top: number;
  readonly columns: number;
  readonly rows: number;
}

/**
 * Exact areas, on the WGS84 ellipsoid with edges straight in longitude and latitude, that a polygon and the cells of a
 * grid have in common. Parts of the polygon outside the grid are left out.
 *
 * Every edge is cut at the cell borders. A piece adds the strip between itself and the east side of its cell to that
 * cell and its height to all cells further east; what is inside twice cancels. The cost is that of the pieces and of
 * the cells of the box around the polygon.
 *
 * @param area normal form, parts sharing no area
 * @throws {RangeError} when the box around the polygon has more cells than a world of tenths of a degree
 */
export function cellWeights(area: MultiPolygon, grid: LonLatGrid): CellWeights {
  const box = boxOf(area, grid);
  if (box === null) return { cells: new Uint32Array(), areasKm2: new Float64Array(), totalKm2: 0 };
  if (box.columns * box.rows > MAX_BOX_CELLS) {
    throw new RangeError(`the polygon spans ${box.columns * box.rows} cells, expected at most ${MAX_BOX_CELLS}`);
  }
  const sums = new Accumulator(grid, box);
  for (const polygon of area.coordinates) {
    for (const [index, ring] of polygon.entries()) {
      // Exteriors count positive and holes negative, whichever way they run.
      const sign = (orientation(ring) > 0 ? 1 : -1) * (index === 0 ? 1 : -1);
      for (let i = 1; i < ring.length; i += 1) {
        const [lon1 = 0, lat1 = 0] = ring[i - 1] ?? [];
        const [lon2 = 0, lat2 = 0] = ring[i] ?? [];
        sums.addEdge(lon1, lat1, lon2, lat2, sign);
      }
    }
  }
  return sums.weights();
}

/** Twice the planar area: positive for counter-clockwise rings. */
function orientation(ring: MultiPolygon["coordinates"][number][number]): number {
  const [lon0 = 0, lat0 = 0] = ring[0] ?? [];
  let sum = 0;
  for (let i = 1; i < ring.length; i += 1) {
    const [lon1 = 0, lat1 = 0] = ring[i - 1] ?? [];
    const [lon2 = 0, lat2 = 0] = ring[i] ?? [];
    sum += (lon1 - lon0) * (lat2 - lat0) - (lon2 - lon0) * (lat1 - lat0);
  }
  return sum;
}

/** Cells of the grid that the bounding box of the area reaches; null when none. */
function boxOf(area: MultiPolygon, grid: LonLatGrid): Box | null {
  const [west, south, east, north] = ringBounds(area.coordinates.flatMap((polygon) => polygon.slice(0, 1)));
  const left = Math.max(0, Math.floor((west - grid.westDeg) / grid.cellWidthDeg));
  const right = Math.min(grid.columns, Math.ceil((east - grid.westDeg) / grid.cellWidthDeg));
  const top = Math.max(0, Math.floor((grid.northDeg - north) / grid.cellHeightDeg));
  const bottom = Math.min(grid.rows, Math.ceil((grid.northDeg - south) / grid.cellHeightDeg));
  if (!(right > left && bottom > top)) return null;
  return { left, top, columns: right - left, rows: bottom - top };
}

/** Coordinates inside are cells of the box: x eastwards, y southwards. */
class Accumulator {
  readonly #grid: LonLatGrid;
  readonly #box: Box;
  /** What each cell itself holds, km². */
  readonly #inside: Float64Array;
  /** km² of every cell from this one on eastwards; one column more than the box. */
  readonly #onwards: Float64Array;
  /** Square radians of a cell times 1e-6: radii in metres turn it into km². */
  readonly #cellRadians: number;

  constructor(grid: LonLatGrid, box: Box) {
    this.#grid = grid;
    this.#box = box;
    this.#inside = new Float64Array(box.columns * box.rows);
    this.#onwards = new Float64Array((box.columns + 1) * box.rows);
    this.#cellRadians = (grid.cellWidthDeg * DEGREE * grid.cellHeightDeg * DEGREE) / 1e6;
  }

  addEdge(lon1: number, lat1: number, lon2: number, lat2: number, sign: number): void {
    const { westDeg, northDeg, cellWidthDeg, cellHeightDeg } = this.#grid;
    const { left, top, rows } = this.#box;
    const x1 = (lon1 - westDeg) / cellWidthDeg - left;
    const x2 = (lon2 - westDeg) / cellWidthDeg - left;
    const y1 = (northDeg - lat1) / cellHeightDeg - top;
    const y2 = (northDeg - lat2) / cellHeightDeg - top;
    if (y1 === y2) return;
    // Southwards with the interior to the east counts positive: the west side of a counter-clockwise ring.
    const [upX, upY, downX, downY, way] = y1 < y2 ? [x1, y1, x2, y2, sign] : [x2, y2, x1, y1, -sign];
    const slope = (downX - upX) / (downY - upY);
    const from = Math.max(0, upY);
    const to = Math.min(rows, downY);
    for (let row = Math.floor(from); row < to; row += 1) {
      const a = Math.max(from, row);
      const b = Math.min(to, row + 1);
      if (b <= a) continue;
      const xa = a === upY ? upX : upX + (a - upY) * slope;
      const xb = b === downY ? downX : upX + (b - upY) * slope;
      this.#addInRow(row, xa, a, xb, b, way);
    }
  }

  /** A piece within one row, from `(xa, a)` down to `(xb, b)`. */
  #addInRow(row: number, xa: number, a: number, xb: number, b: number, way: number): void {
    const { columns } = this.#box;
    const [west, east] = xa < xb ? [xa, xb] : [xb, xa];
    const first = clampColumn(Math.floor(west), columns);
    const last = clampColumn(Math.ceil(east) - 1, columns);
    if (first >= last) {
      this.#addPiece(row, first, xa, a, xb, b, way);
      return;
    }
    const perColumn = (b - a) / (xb - xa);
    const forward = xb > xa;
    let [x, y] = [xa, a];
    for (let step = 0; step <= last - first; step += 1) {
      const column = forward ? first + step : last - step;
      const isEnd = step === last - first;
      const border = forward ? column + 1 : column;
      const nextX = isEnd ? xb : border;
      const nextY = isEnd ? b : Math.min(b, Math.max(y, a + (border - xa) * perColumn));
      this.#addPiece(row, column, x, y, nextX, nextY, way);
      [x, y] = [nextX, nextY];
    }
  }

  /** A piece within one cell. West of the box it has no cell of its own, east of it none that counts. */
  #addPiece(row: number, column: number, xa: number, a: number, xb: number, b: number, way: number): void {
    const height = b - a;
    if (height <= 0) return;
    const { columns } = this.#box;
    const east = column + 1;
    let whole = 0;
    let own = 0;
    for (let i = 0; i < 3; i += 1) {
      const t = GAUSS_3.nodes[i]!;
      const weight = GAUSS_3.weights[i]! * this.#km2PerCell(a + t * height);
      const x = xa + t * (xb - xa);
      whole += weight;
      own += weight * (east - x);
    }
    const scale = way * height;
    if (column >= columns) return;
    if (column >= 0) this.#inside[row * columns + column]! += scale * own;
    this.#onwards[row * (columns + 1) + column + 1]! += scale * whole;
  }

  /** km² of ground per cell width and cell height at a latitude. */
  #km2PerCell(y: number): number {
    const { northDeg, cellHeightDeg } = this.#grid;
    const latDeg = northDeg - (y + this.#box.top) * cellHeightDeg;
    const parallelM = primeVerticalRadiusM(latDeg) * Math.cos(latDeg * DEGREE);
    return this.#cellRadians * parallelM * meridianRadiusM(latDeg);
  }

  weights(): CellWeights {
    const { columns, rows, left, top } = this.#box;
    const cells: number[] = [];
    const areas: number[] = [];
    let totalKm2 = 0;
    for (let row = 0; row < rows; row += 1) {
      const cellKm2 = this.#km2PerCell(row + 0.5);
      let running = 0;
      for (let column = 0; column < columns; column += 1) {
        running += this.#onwards[row * (columns + 1) + column]!;
        const area = running + this.#inside[row * columns + column]!;
        if (!(area > MIN_SHARE * cellKm2)) continue;
        cells.push((top + row) * this.#grid.columns + left + column);
        areas.push(area);
        totalKm2 += area;
      }
    }
    return { cells: Uint32Array.from(cells), areasKm2: Float64Array.from(areas), totalKm2 };
  }
}

/** All that lies west of the box is one column, all that lies east of it another. */
function clampColumn(column: number, columns: number): number {
  return Math.min(Math.max(column, -1), columns);
}
