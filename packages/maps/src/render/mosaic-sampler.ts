import {
  choosesScenes,
  emptyMosaic,
  hideClouds,
  meanPlane,
  medianPlane,
  takeGreatest,
  type MosaicPixels,
} from "@swath/kernel/raster-mathematics/mosaic";
import type { MercatorGrid } from "@swath/kernel/raster-mathematics/rasterize";
import { TILE_ACCURACY, type IsNeeded } from "@swath/kernel/raster-mathematics/control-lattice";
import { mercatorOutput } from "@swath/raster/sample/output-grid";
import { sceneGeometry } from "@swath/raster/sample/scene-geometry";
import {
  SceneSampler,
  type PixelAccess,
  type PixelComputation,
  type PixelSampler,
} from "@swath/raster/sample/scene-sampler";
import { indexComputation } from "./index-computation.ts";
import { matchBands, toReference, type MosaicMember, type MosaicSource, type SceneRaster } from "./mosaic-member.ts";

type Mode = "smooth" | "nearest";

/** Bands whose values decide which scene a pixel of a picture comes from. */
export interface DecidingBands {
  readonly positions: readonly number[];
  readonly mode: Mode;
}

export interface MosaicJob {
  readonly access: PixelAccess;
  readonly source: MosaicSource;
  /** The scene whose bands and units the mosaic has. */
  readonly reference: SceneRaster;
  readonly grid: MercatorGrid;
  /** 0 where no pixel is needed. */
  readonly coverage: Uint8Array;
  readonly deciding: DecidingBands;
}

/** A scene that has pixels in a strip. */
interface Placed {
  readonly number: number;
  readonly member: MosaicMember;
  readonly bands: ReturnType<typeof matchBands>;
  readonly sampler: SceneSampler;
  /** Samples the raster that tells clouds. */
  readonly sky: SceneSampler | null;
}

/** Rows of a mosaic that are made together. */
interface Strip {
  readonly first: number;
  readonly count: number;
  readonly placed: readonly Placed[];
}

/** Values of all scenes of a strip that are held at once, of one band. */
const MAX_STRIP_VALUES = 16_000_000;

/** Resamples the bands of many scenes onto one output grid and makes one of them. */
export class MosaicSampler implements PixelSampler {
  readonly #job: MosaicJob;
  readonly #pixels: number;
  readonly #strips: readonly Strip[];
  /** Planes of the mosaic by mode and band, so that a file of many bands chooses scenes once. */
  readonly #made = new Map<string, Float32Array>();
  #choice: Uint8Array | null = null;

  constructor(job: MosaicJob) {
    this.#job = job;
    this.#pixels = job.grid.widthPx * job.grid.heightPx;
    this.#strips = stripsOf(job);
  }

  /** Whether a scene may have pixels in the window. */
  get reaches(): boolean {
    return this.#strips.some(({ placed }) => placed.length > 0);
  }

  /**
   * The scene of each pixel, counted from 1 in the order of the members; 0 without one. Null when several scenes share
   * a pixel, and before anything is sampled.
   */
  get choice(): Uint8Array | null {
    return this.#choice;
  }

  /** Each sampling fetches the bytes of all scenes together. */
  prepare(): void {}

  sampleBands(positions: readonly number[], mode: Mode): readonly number[] {
    const missing = positions.filter((position) => !this.#made.has(`${mode} ${position}`));
    if (choosesScenes(this.#job.source.rule)) {
      this.#choose();
      this.#sampleChosen(
        missing.filter((position) => !this.#made.has(`${mode} ${position}`)),
        mode,
      );
    } else for (const position of missing) this.#made.set(`${mode} ${position}`, this.#shared(position, mode));
    return positions.map((position) => this.#inKernel(this.#made.get(`${mode} ${position}`)!));
  }

  sampleComputed(positions: readonly number[], compute: PixelComputation): number {
    const { rule } = this.#job.source;
    const read = (one: Placed): Float32Array | null => this.#copied(one, () => this.#computed(one, positions, compute));
    const mosaic = emptyMosaic(this.#pixels, 1);
    const [target] = mosaic.planes;
    for (const strip of this.#strips) {
      this.#demand(strip, read);
      if (!choosesScenes(rule)) {
        const planes = strip.placed.flatMap((one) => this.#underClearSky(one, read(one)) ?? []);
        this.#row(target!, strip).set(combined(rule, planes, strip.count * this.#job.grid.widthPx));
        continue;
      }
      const part = this.#partOf(mosaic, strip);
      if (rule !== "max") {
        this.#takeFirst(strip, part, (one, isNeeded) => {
          const plane = this.#computed(one, positions, compute, isNeeded);
          return plane === null ? null : [plane];
        });
        continue;
      }
      const best = new Float32Array(part.choice.length).fill(Number.NaN);
      for (const one of strip.placed) {
        const values = read(one);
        if (values === null) continue;
        takeGreatest(part, { number: one.number, planes: [values], clear: this.#clearPixels(one) }, best, values);
      }
    }
    if (choosesScenes(rule)) this.#choice = mosaic.choice;
    return this.#inKernel(target!);
  }

  /** Of the reference: limits of colours that are the same in all tiles. */
  computeOverview(positions: readonly number[], compute: PixelComputation): Float32Array {
    const { access, reference, grid } = this.#job;
    const output = mercatorOutput(grid, sceneGeometry(reference.raster));
    return new SceneSampler(access, reference.raster, output).computeOverview(positions, compute);
  }

  /** Decides which scene each pixel comes from; the deciding bands are sampled on the way. */
  #choose(): void {
    if (this.#choice !== null) return;
    const { positions, mode } = this.#job.deciding;
    const mosaic = emptyMosaic(this.#pixels, positions.length);
    for (const strip of this.#strips) {
      const part = this.#partOf(mosaic, strip);
      this.#demand(strip, (one) => [this.#bands(one, positions, mode), this.#score(one)]);
      if (this.#job.source.rule === "max") this.#takeGreatest(strip, part);
      else this.#takeFirst(strip, part, (one, isNeeded) => this.#planes(one, positions, mode, isNeeded));
    }
    this.#choice = mosaic.choice;
    for (const [i, position] of positions.entries()) this.#made.set(`${mode} ${position}`, mosaic.planes[i]!);
  }

  #takeGreatest(strip: Strip, part: MosaicPixels): void {
    const { positions, mode } = this.#job.deciding;
    const best = new Float32Array(part.choice.length).fill(Number.NaN);
    for (const one of strip.placed) {
      const scores = this.#score(one);
      if (scores === null) continue;
      const planes = this.#bands(one, positions, mode);
      takeGreatest(part, { number: one.number, planes, clear: this.#clearPixels(one) }, best, scores);
    }
  }

  /**
   * Takes each pixel of the first scene that has it, in kernel memory. Later scenes are read only where a pixel is open.
   *
   * @param read planes of a scene in kernel memory; null when it lacks a band
   */
  #takeFirst(
    strip: Strip,
    part: MosaicPixels,
    read: (one: Placed, isNeeded: IsNeeded) => readonly number[] | null,
  ): void {
    const { access, coverage } = this.#job;
    const { kernel } = access;
    const needed = this.#row(coverage, strip);
    const count = needed.length;
    kernel.scratch(() => {
      const choice = kernel.allocate(count);
      const wanted = kernel.allocate(count);
      const planes = part.planes.map(() => kernel.allocateFloats(count));
      kernel.bytes(choice, count).fill(0);
      kernel.bytes(wanted, count).set(needed);
      let open = countWanted(needed);
      const isOpen = this.#has(() => {
        const chosen = kernel.bytes(choice, count);
        return (i) => chosen[i] === 0 && needed[i] !== 0;
      });
      for (const one of strip.placed) {
        if (open === 0) break;
        kernel.scratch(() => {
          const sampled = read(one, isOpen);
          if (sampled === null) return;
          const sky = this.#clearPixels(one);
          const clear = sky === null ? null : kernel.allocate(count);
          if (clear !== null) kernel.bytes(clear, count).set(sky!);
          open -= kernel.takeFirst({ choice, wanted, planes, count }, { number: one.number, planes: sampled, clear });
        });
      }
      part.choice.set(kernel.bytes(choice, count));
      for (const [i, plane] of planes.entries()) part.planes[i]!.set(kernel.floats(plane, count));
    });
  }

  /** Bands that did not decide, each pixel of its scene. */
  #sampleChosen(positions: readonly number[], mode: Mode): void {
    if (positions.length === 0) return;
    const { planes } = emptyMosaic(this.#pixels, positions.length);
    for (const strip of this.#strips) {
      const choice = this.#row(this.#choice!, strip);
      const used = new Set(choice);
      const chosen = strip.placed.filter(({ number }) => used.has(number));
      const read = (one: Placed): readonly Float32Array[] =>
        this.#bands(
          one,
          positions,
          mode,
          this.#has(() => (i) => choice[i] === one.number),
        );
      this.#demand({ ...strip, placed: chosen }, read);
      for (const one of chosen) {
        for (const [band, values] of read(one).entries()) {
          const target = this.#row(planes[band]!, strip);
          for (let i = 0; i < choice.length; i++) if (choice[i] === one.number) target[i] = values[i]!;
        }
      }
    }
    for (const [i, position] of positions.entries()) this.#made.set(`${mode} ${position}`, planes[i]!);
  }

  /** A band of which each pixel is made of all valid scenes. */
  #shared(position: number, mode: Mode): Float32Array {
    const target = new Float32Array(this.#pixels);
    for (const strip of this.#strips) {
      const read = (one: Placed): readonly Float32Array[] => this.#bands(one, [position], mode);
      this.#demand(strip, read);
      const planes = strip.placed.flatMap((one) => this.#underClearSky(one, read(one)[0] ?? null) ?? []);
      this.#row(target, strip).set(combined(this.#job.source.rule, planes, strip.count * this.#job.grid.widthPx));
    }
    return target;
  }

  /** Whether a rectangle of a strip has such a pixel; `judge` is asked anew for each rectangle. */
  #has(judge: () => (pixel: number) => boolean): IsNeeded {
    const { widthPx } = this.#job.grid;
    return (column, row, width, height) => {
      const isSuch = judge();
      for (let y = row; y < row + height; y++) {
        for (let i = y * widthPx + column; i < y * widthPx + column + width; i++) if (isSuch(i)) return true;
      }
      return false;
    };
  }

  /** Bands of a scene in the units of the reference, in kernel memory; null when the scene lacks one. */
  #planes(
    { sampler, bands }: Placed,
    positions: readonly number[],
    mode: Mode,
    isNeeded: IsNeeded | null = null,
  ): readonly number[] | null {
    const { kernel } = this.#job.access;
    const known = positions.flatMap((position) => bands[position] ?? []);
    if (known.length < positions.length) return null;
    const planes = sampler.sampleBands(
      known.map(({ position }) => position),
      mode,
      isNeeded,
    );
    for (const [i, plane] of planes.entries()) toReference(kernel.floats(plane, sampler.pixelCount), known[i]!);
    return planes;
  }

  /** Copies of the bands of a scene; one that the scene lacks has no value. */
  #bands(
    one: Placed,
    positions: readonly number[],
    mode: Mode,
    isNeeded: IsNeeded | null = null,
  ): readonly Float32Array[] {
    const { kernel } = this.#job.access;
    const length = one.sampler.pixelCount;
    const known = positions.filter((position) => one.bands[position] != null);
    const values = kernel.scratch(() => {
      const planes = this.#planes(one, known, mode, isNeeded) ?? [];
      return new Map(planes.map((plane, i) => [known[i]!, kernel.floats(plane, length).slice()]));
    });
    return positions.map((position) => values.get(position) ?? new Float32Array(length).fill(Number.NaN));
  }

  /** A copy of the plane that a step leaves in kernel memory, which is free again afterwards. */
  #copied({ sampler }: Placed, read: () => number | null): Float32Array | null {
    const { kernel } = this.#job.access;
    return kernel.scratch(() => {
      const plane = read();
      return plane === null ? null : kernel.floats(plane, sampler.pixelCount).slice();
    });
  }

  /**
   * Values computed of native pixels in the units of the reference, in kernel memory; null when the scene lacks a band.
   */
  #computed(
    { sampler, bands }: Placed,
    positions: readonly number[],
    compute: PixelComputation,
    isNeeded: IsNeeded | null = null,
  ): number | null {
    const known = positions.flatMap((position) => bands[position] ?? []);
    if (known.length < positions.length) return null;
    return sampler.sampleComputed(
      known.map(({ position }) => position),
      (inputs, target) => {
        for (const [i, input] of inputs.entries()) toReference(input, known[i]!);
        compute(inputs, target);
      },
      isNeeded,
    );
  }

  /** The index that decides by the rule `max`. */
  #score({ member, sampler }: Placed): Float32Array | null {
    const { access, source } = this.#job;
    if (source.score === null) return null;
    const { positions, compute } = indexComputation(source.score, member.scene, member.raster);
    return access.kernel.scratch(() => {
      const plane = sampler.sampleComputed(positions, compute);
      return access.kernel.floats(plane, sampler.pixelCount).slice();
    });
  }

  #underClearSky(one: Placed, values: Float32Array | null): Float32Array | null {
    if (values === null) return null;
    hideClouds([values], this.#clearPixels(one));
    return values;
  }

  /** 1 where the sky of a scene is clear; null when that is unknown. */
  #clearPixels({ member: { clearSky }, sky }: Placed): Uint8Array | null {
    if (clearSky === null || sky === null) return null;
    const { kernel } = this.#job.access;
    return kernel.scratch(() => {
      const [plane] = sky.sampleBands([clearSky.layer], "nearest");
      return Uint8Array.from(kernel.floats(plane!, sky.pixelCount), (value) => Number(value === clearSky.value));
    });
  }

  /** Has the bytes of all remote scenes of a strip fetched together; does nothing for local ones. */
  #demand({ placed }: Pick<Strip, "placed">, read: (one: Placed) => unknown): void {
    const { supply } = this.#job.access;
    const isRemote = ({ raster, clearSky }: MosaicMember): boolean =>
      [...raster.bands, ...(clearSky?.raster.bands ?? [])].some(({ key }) => !supply.isLocal(key));
    for (const one of placed) {
      if (isRemote(one.member)) supply.attempt(() => [read(one), this.#clearPixels(one)]);
    }
    supply.demand();
  }

  #partOf({ choice, planes }: MosaicPixels, strip: Strip): MosaicPixels {
    return { choice: this.#row(choice, strip), planes: planes.map((plane) => this.#row(plane, strip)) };
  }

  /** The values of a strip; a view. */
  #row<Values extends Float32Array | Uint8Array>(values: Values, { first, count }: Strip): Values {
    const { widthPx } = this.#job.grid;
    return values.subarray(first * widthPx, (first + count) * widthPx) as Values;
  }

  #inKernel(values: Float32Array): number {
    const { kernel } = this.#job.access;
    const plane = kernel.allocateFloats(values.length);
    kernel.floats(plane, values.length).set(values);
    return plane;
  }
}

function combined(rule: MosaicSource["rule"], planes: readonly Float32Array[], pixels: number): Float32Array {
  return rule === "median" ? medianPlane(planes, pixels) : meanPlane(planes, pixels);
}

function countWanted(wanted: Uint8Array): number {
  let count = 0;
  for (const share of wanted) if (share !== 0) count++;
  return count;
}

/** Strips of whole cells of the control lattice: positions do not depend on the strip. */
function stripsOf(job: MosaicJob): readonly Strip[] {
  const { grid, source } = job;
  const cell = TILE_ACCURACY.firstCellPx;
  const most = Math.floor(MAX_STRIP_VALUES / (source.members.length * grid.widthPx) / cell) * cell;
  const rows = Math.max(cell, most);
  const strips: Strip[] = [];
  for (let first = 0; first < grid.heightPx; first += rows) {
    const count = Math.min(rows, grid.heightPx - first);
    const part = { ...grid, originYM: grid.originYM - first * grid.pixelSizeM, heightPx: count };
    strips.push({ first, count, placed: placedIn(job, part) });
  }
  return strips;
}

function placedIn({ access, source, reference }: MosaicJob, grid: MercatorGrid): readonly Placed[] {
  return source.members.flatMap((member, index): readonly Placed[] => {
    const output = mercatorOutput(grid, sceneGeometry(member.raster));
    if (output.area === null) return [];
    const { clearSky } = member;
    const sky =
      clearSky === null
        ? null
        : new SceneSampler(access, clearSky.raster, mercatorOutput(grid, sceneGeometry(clearSky.raster)));
    return [
      {
        number: index + 1,
        member,
        bands: matchBands(reference, member),
        sampler: new SceneSampler(access, member.raster, output),
        sky,
      },
    ];
  });
}
