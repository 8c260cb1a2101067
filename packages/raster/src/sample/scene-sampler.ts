import {
  affineLattice,
  buildControlLattice,
  latticeExtent,
  neededCells,
  TILE_ACCURACY,
  type ControlLattice,
  type IsNeeded,
} from "@swath/kernel/raster-mathematics/control-lattice";
import {
  MAX_VECTOR_SCALE,
  resample,
  smoothResampling,
  WINDOW_PADDING_PX,
  type Resampling,
} from "@swath/kernel/raster-mathematics/resample";
import type { StoredBand, StoredRaster } from "@swath/kernel/scenes/stored-raster";
import { RasterError } from "../raster-error.ts";
import { BytesNeeded, type ByteSupply } from "../cog/byte-supply.ts";
import type { CogLevel } from "../cog/cog-header.ts";
import type { CogReader, LevelWindow, StoredCog } from "../cog/cog-reader.ts";
import type { WarpKernel } from "../warp/warp-kernel.ts";
import type { OutputGrid } from "./output-grid.ts";

/** Dependencies of a render for reading pixels. */
export interface PixelAccess {
  readonly kernel: WarpKernel;
  readonly reader: CogReader;
  readonly supply: ByteSupply;
}

/** A level within this factor of the wanted resolution is taken though it is coarser, as GDAL does. */
const LEVEL_TOLERANCE = 1.05;
/** Windows are bounded by the overviews of the store; a file without them is refused beyond this. */
const MAX_WINDOW_PIXELS = 40_000_000;

/** One band of one resolution, ready to be read. */
interface BandLevel {
  readonly band: StoredBand;
  readonly cog: StoredCog;
  readonly index: number;
  readonly level: CogLevel;
}

/** A piece of a level in kernel memory. */
interface LoadedWindow extends LevelWindow {
  readonly ptr: number;
  readonly bands: number;
}

/**
 * Fills `target` with values computed from native pixels. `inputs[i]` belongs to the i-th wanted band;
 * all have the same length as `target`.
 */
export type PixelComputation = (inputs: readonly Float32Array[], target: Float32Array) => void;

/** Samples bands on one output grid; the methods of `SceneSampler`. */
export interface PixelSampler {
  prepare(positions: readonly number[]): void;
  sampleBands(positions: readonly number[], mode: "smooth" | "nearest"): readonly number[];
  sampleComputed(positions: readonly number[], compute: PixelComputation): number;
  computeOverview(positions: readonly number[], compute: PixelComputation): Float32Array;
}

/** Resamples the bands of one scene onto one output grid. Planes are kernel memory: float32, NaN where invalid. */
export class SceneSampler implements PixelSampler {
  readonly #access: PixelAccess;
  readonly #raster: StoredRaster;
  readonly #output: OutputGrid;
  readonly #lattices = new Map<string, ControlLattice>();

  constructor(access: PixelAccess, raster: StoredRaster, output: OutputGrid) {
    this.#access = access;
    this.#raster = raster;
    this.#output = output;
  }

  /** Pixels of each plane. */
  get pixelCount(): number {
    return this.#output.widthPx * this.#output.heightPx;
  }

  /** Has all bytes of remote bands fetched together; does nothing for local ones. */
  prepare(positions: readonly number[]): void {
    const { reader, supply } = this.#access;
    const bands = positions.map((position) => this.#band(position)).filter((band) => !supply.isLocal(band.key));
    for (const key of bands.flatMap((band) => (band.maskKey === null ? [band.key] : [band.key, band.maskKey]))) {
      try {
        reader.open(supply, key);
      } catch (error) {
        if (!(error instanceof BytesNeeded)) throw error;
      }
    }
    supply.demand();
    for (const band of bands) {
      const level = this.#openLevel(band);
      const window = this.#windowOf(this.#latticeOf(level), level.level);
      if (window !== null) this.#load([level], window);
    }
    supply.demand();
  }

  /**
   * One plane per position, each resampled on its own grid.
   *
   * @param isNeeded all pixels unless given; others may stay NaN
   */
  sampleBands(
    positions: readonly number[],
    mode: "smooth" | "nearest",
    isNeeded: IsNeeded | null = null,
  ): readonly number[] {
    const { supply } = this.#access;
    this.prepare(positions);
    const planes = positions.map(() => this.#plane());
    const stride = planeStride(this.#output.widthPx * this.#output.heightPx);
    const loads: {
      readonly window: LoadedWindow;
      readonly lattice: ControlLattice;
      readonly level: BandLevel;
      readonly plane: number;
    }[] = [];
    for (const group of this.#groupByGrid(positions)) {
      const levels = group.map((index) => this.#openLevel(this.#band(positions[index]!)));
      const lattice = this.#neededLattice(levels[0]!, isNeeded);
      const window = this.#windowOf(lattice, levels[0]!.level);
      if (window === null) continue;
      const loaded = this.#load(levels, window);
      for (const [i, index] of group.entries()) {
        const ptr = loaded.ptr + i * window.widthPx * window.heightPx * 4;
        loads.push({ window: { ...loaded, ptr, bands: 1 }, lattice, level: levels[i]!, plane: planes[index]! });
      }
    }
    supply.demand();
    for (const run of consecutive(loads, stride)) {
      const [first] = run;
      const resampling: Resampling = mode === "nearest" ? { kind: "nearest" } : this.#smooth(first!.level);
      this.#warp({ ...first!.window, bands: run.length }, first!.lattice, resampling, first!.plane);
    }
    return planes;
  }

  /**
   * One plane of values computed pixel by pixel on the grid of the coarsest wanted band and resampled afterwards:
   * neighbouring tiles see the same values.
   *
   * @param isNeeded all pixels unless given; others may stay NaN
   */
  sampleComputed(positions: readonly number[], compute: PixelComputation, isNeeded: IsNeeded | null = null): number {
    this.prepare(positions);
    const plane = this.#plane();
    const reference = this.#openLevel(this.#coarsest(positions));
    const lattice = this.#neededLattice(reference, isNeeded);
    const window = this.#windowOf(lattice, reference.level);
    if (window === null) return plane;
    const result = this.#computeWindow(positions, reference, window, compute);
    this.#warp({ ...window, ptr: result, bands: 1 }, lattice, this.#smooth(reference), plane);
    return plane;
  }

  /** The computed values of the whole scene at its coarsest level, for scene-wide percentiles. */
  computeOverview(positions: readonly number[], compute: PixelComputation): Float32Array {
    const { kernel, supply } = this.#access;
    const band = this.#coarsest(positions);
    const cog = this.#access.reader.open(supply, band.key);
    const index = cog.header.levels.length - 1;
    const reference: BandLevel = { band, cog, index, level: cog.header.levels[index]! };
    const window = { x: 0, y: 0, widthPx: reference.level.widthPx, heightPx: reference.level.heightPx };
    const result = this.#computeWindow(positions, reference, window, compute);
    return kernel.floats(result, window.widthPx * window.heightPx).slice();
  }

  #computeWindow(
    positions: readonly number[],
    reference: BandLevel,
    window: LevelWindow,
    compute: PixelComputation,
  ): number {
    const { kernel, supply } = this.#access;
    const count = window.widthPx * window.heightPx;
    const pending: (() => void)[] = [];
    const inputs = positions.map((position) => {
      const band = this.#band(position);
      if (sameGrid(band, reference.band)) {
        const cog = this.#access.reader.open(supply, band.key);
        const level = levelLike(cog, reference);
        return this.#load([{ band, cog, index: cog.header.levels.indexOf(level), level }], window).ptr;
      }
      const ptr = kernel.allocateFloats(count);
      pending.push(this.#align(band, reference, window, ptr));
      return ptr;
    });
    const result = kernel.allocateFloats(count);
    supply.demand();
    for (const align of pending) align();
    compute(
      inputs.map((ptr) => kernel.floats(ptr, count)),
      kernel.floats(result, count),
    );
    return result;
  }

  /** Loads a band of another grid and answers the step that resamples it onto a window of the reference. */
  #align(band: StoredBand, reference: BandLevel, window: LevelWindow, target: number): () => void {
    const [a, , c, , e, f] = reference.band.geotransform;
    const stepX = (a * reference.band.widthPx) / reference.level.widthPx;
    const stepY = (e * reference.band.heightPx) / reference.level.heightPx;
    const own = this.#openLevel(band, Math.abs(stepX), Math.abs(stepY));
    const toX = own.level.widthPx / band.widthPx / band.geotransform[0];
    const toY = own.level.heightPx / band.heightPx / band.geotransform[4];
    const lattice = affineLattice(window.widthPx, window.heightPx, (column, row) => [
      (c + (window.x + column) * stepX - band.geotransform[2]) * toX,
      (f + (window.y + row) * stepY - band.geotransform[5]) * toY,
    ]);
    const ownWindow = this.#windowOf(lattice, own.level);
    if (ownWindow === null) return () => {};
    const loaded = this.#load([own], ownWindow);
    const resampling = smoothResampling(
      Math.min(MAX_VECTOR_SCALE, Math.abs(stepX * toX)),
      Math.min(MAX_VECTOR_SCALE, Math.abs(stepY * toY)),
    );
    return () => {
      this.#access.kernel.warp(loaded, shifted(lattice, ownWindow), resampling, target, window.widthPx, 0);
    };
  }

  #plane(): number {
    return this.#access.kernel.allocateFloats(this.#output.widthPx * this.#output.heightPx);
  }

  #band(position: number): StoredBand {
    const band = this.#raster.bands[position];
    if (band === undefined) {
      throw new RangeError(`band ${position} of a scene that has ${this.#raster.bands.length}`);
    }
    return band;
  }

  #coarsest(positions: readonly number[]): StoredBand {
    return positions
      .map((position) => this.#band(position))
      .reduce((a, b) =>
        Math.abs(b.geotransform[0] * b.geotransform[4]) > Math.abs(a.geotransform[0] * a.geotransform[4]) ? b : a,
      );
  }

  /** Indices into `positions` of bands that share a grid, in order. */
  #groupByGrid(positions: readonly number[]): readonly (readonly number[])[] {
    const groups = Map.groupBy(positions.keys(), (index) => gridName(this.#band(positions[index]!)));
    return [...groups.values()];
  }

  /** The coarsest level that is not coarser than the output. */
  #openLevel(
    band: StoredBand,
    unitsX: number = this.#output.unitsPerPixelX,
    unitsY: number = this.#output.unitsPerPixelY,
  ): BandLevel {
    const cog = this.#access.reader.open(this.#access.supply, band.key);
    const wanted = Math.min(unitsX / Math.abs(band.geotransform[0]), unitsY / Math.abs(band.geotransform[4]));
    let index = 0;
    for (const [i, level] of cog.header.levels.entries()) {
      if (band.widthPx / level.widthPx <= wanted * LEVEL_TOLERANCE) index = i;
    }
    return { band, cog, index, level: cog.header.levels[index]! };
  }

  #smooth({ band, level }: BandLevel): Resampling {
    // No weight of a neighbour, however small, may affect a pixel of the grid.
    if (this.#output.isExact === true) return { kind: "nearest" };
    const scaleX = (this.#output.unitsPerPixelX / Math.abs(band.geotransform[0])) * (level.widthPx / band.widthPx);
    const scaleY = (this.#output.unitsPerPixelY / Math.abs(band.geotransform[4])) * (level.heightPx / band.heightPx);
    return smoothResampling(scaleX, scaleY);
  }

  /** Positions in pixels of a level for the reachable area of the output. */
  #latticeOf({ band, level }: BandLevel): ControlLattice {
    const name = `${gridName(band)}:${level.widthPx}`;
    const known = this.#lattices.get(name);
    if (known !== undefined) return known;
    const { area, toCrs } = this.#output;
    const [a, , c, , e, f] = band.geotransform;
    const toX = level.widthPx / band.widthPx / a;
    const toY = level.heightPx / band.heightPx / e;
    const lattice = buildControlLattice(
      area?.widthPx ?? 0,
      area?.heightPx ?? 0,
      (column, row) => {
        const point = toCrs((area?.x ?? 0) + column, (area?.y ?? 0) + row);
        return point === null ? null : [(point[0] - c) * toX, (point[1] - f) * toY];
      },
      TILE_ACCURACY,
    );
    this.#lattices.set(name, lattice);
    return lattice;
  }

  #neededLattice(level: BandLevel, isNeeded: IsNeeded | null): ControlLattice {
    const lattice = this.#latticeOf(level);
    const { area } = this.#output;
    if (isNeeded === null || area === null) return lattice;
    return neededCells(lattice, (column, row, widthPx, heightPx) =>
      isNeeded(area.x + column, area.y + row, widthPx, heightPx),
    );
  }

  /** The part of a level that a lattice reaches, with padding; null when it reaches nothing. */
  #windowOf(lattice: ControlLattice, level: CogLevel): LevelWindow | null {
    const extent = latticeExtent(lattice);
    if (extent === null) return null;
    const pad = WINDOW_PADDING_PX;
    const x = Math.max(Math.floor(extent[0]), 0) - pad;
    const y = Math.max(Math.floor(extent[1]), 0) - pad;
    const right = Math.min(Math.ceil(extent[2]), level.widthPx) + pad;
    const bottom = Math.min(Math.ceil(extent[3]), level.heightPx) + pad;
    if (right - x <= 2 * pad || bottom - y <= 2 * pad) return null;
    const window = { x, y, widthPx: right - x, heightPx: bottom - y };
    if (window.widthPx * window.heightPx > MAX_WINDOW_PIXELS) {
      throw new RasterError(
        "too-large",
        `the request reads ${window.widthPx} x ${window.heightPx} pixels per band, expected at most ${MAX_WINDOW_PIXELS} pixels`,
      );
    }
    return window;
  }

  /** Reads the same window of several bands of one grid, with their masks. */
  #load(levels: readonly BandLevel[], window: LevelWindow): LoadedWindow {
    const { kernel, reader, supply } = this.#access;
    const count = window.widthPx * window.heightPx;
    const ptr = kernel.allocateFloats(count * levels.length);
    for (const [i, { band, cog, index }] of levels.entries()) {
      const target = ptr + i * count * 4;
      const nodata = band.nodata === "nan" ? null : band.nodata;
      reader.readWindow(supply, kernel, cog, index, window, target, nodata);
      if (band.maskKey !== null) {
        const mask = reader.open(supply, band.maskKey);
        const maskPtr = kernel.allocateFloats(count);
        const level = mask.header.levels.indexOf(levelLike(mask, levels[i]!));
        reader.readWindow(supply, kernel, mask, level, window, maskPtr, null);
        kernel.applyMask(target, maskPtr, count);
      }
    }
    return { ...window, ptr, bands: levels.length };
  }

  /** Scenes shrunk below their coarsest level: a few hundred pixels at most, in plain code. */
  #warpWide(source: LoadedWindow, lattice: ControlLattice, resampling: Resampling, plane: number): void {
    const { area, widthPx, heightPx } = this.#output;
    if (area === null) return;
    const { kernel } = this.#access;
    const count = source.widthPx * source.heightPx;
    for (let band = 0; band < source.bands; band++) {
      const data = kernel.floats(source.ptr + band * count * 4, count);
      const values = resample({ ...source, data }, shifted(lattice, source), resampling);
      const target = kernel.floats(plane + band * planeStride(widthPx * heightPx), widthPx * heightPx);
      for (let row = 0; row < area.heightPx; row++) {
        target.set(values.subarray(row * area.widthPx, (row + 1) * area.widthPx), (area.y + row) * widthPx + area.x);
      }
    }
  }

  #warp(source: LoadedWindow, lattice: ControlLattice, resampling: Resampling, plane: number): void {
    const { area, widthPx, heightPx } = this.#output;
    if (area === null) return;
    if (isWide(resampling)) {
      this.#warpWide(source, lattice, resampling, plane);
      return;
    }
    const out = plane + (area.y * widthPx + area.x) * 4;
    this.#access.kernel.warp(
      source,
      shifted(lattice, source),
      resampling,
      out,
      widthPx,
      planeStride(widthPx * heightPx),
    );
  }
}

function isWide(resampling: Resampling): boolean {
  return resampling.kind === "triangle" && Math.max(resampling.scaleX, resampling.scaleY) > MAX_VECTOR_SCALE;
}

/** Distance of two planes allocated one after the other. */
function planeStride(count: number): number {
  return (count * 4 + 31) & ~15;
}

/** Runs of windows and planes that lie at equal distances, to be resampled in one pass. */
function consecutive<
  T extends { readonly window: LoadedWindow; readonly lattice: ControlLattice; readonly plane: number },
>(loads: readonly T[], planeStrideBytes: number): readonly (readonly T[])[] {
  const runs: T[][] = [];
  for (const load of loads) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const count = load.window.widthPx * load.window.heightPx;
    const follows =
      last !== undefined &&
      last.lattice === load.lattice &&
      load.window.ptr - last.window.ptr === count * 4 &&
      last.window.widthPx === load.window.widthPx;
    if (run !== undefined && follows && load.plane - last.plane === planeStrideBytes) run.push(load);
    else runs.push([load]);
  }
  return runs;
}

function shifted(lattice: ControlLattice, window: LevelWindow): ControlLattice {
  return { ...lattice, x: lattice.x.map((x) => x - window.x), y: lattice.y.map((y) => y - window.y) };
}

function gridName(band: StoredBand): string {
  return `${band.widthPx}:${band.heightPx}:${band.geotransform.join(":")}`;
}

function sameGrid(a: StoredBand, b: StoredBand): boolean {
  return gridName(a) === gridName(b);
}

/** The level of another file of the same grid that has the same size. */
function levelLike(cog: StoredCog, { level }: BandLevel): CogLevel {
  const same = cog.header.levels.find((own) => own.widthPx === level.widthPx && own.heightPx === level.heightPx);
  if (same === undefined) {
    throw new RasterError(
      "unreadable",
      `stored raster "${cog.key}" lacks a level of ${level.widthPx} x ${level.heightPx} pixels`,
    );
  }
  return same;
}
