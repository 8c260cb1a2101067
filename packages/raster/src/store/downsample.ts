import type { DataType } from "@swath/kernel/scenes/stored-raster";
import type { PixelArray } from "../source-raster.ts";
import { highestValue, isFloat, newPixels, toPixelValue } from "./pixel-type.ts";

/** `average` of valid pixels; `mode` for classes and palettes; `any` for masks: valid when any pixel below is. */
export type OverviewMethod = "average" | "mode" | "any";

export interface DownsamplerOptions {
  readonly dataType: DataType;
  readonly method: OverviewMethod;
  /** Written where no pixel is valid; 0 when the band has none. */
  readonly nodata: number | null;
  readonly sourceWidth: number;
  readonly sourceHeight: number;
}

/** Receives one finished row; the arrays are reused for the next one. `valid` is null when all pixels are. */
export type RowSink = (row: PixelArray, valid: Uint8Array | null) => void;

/** Tolerance of GDAL for products that should be whole numbers. */
const EPSILON = 1e-8;

/**
 * Halves an image row by row as GDAL does. Sizes are rounded down. Where a size is odd, a target pixel is the
 * area-weighted mean of the two to four pixels it covers in that direction. Results equal the overviews of
 * `gdal_translate -of COG -co OVERVIEW_RESAMPLING=AVERAGE` bit by bit, for types of up to 32 bits whose values fit single
 * precision. GDAL 3.6 rounds wider values to single precision; this function does not.
 */
export class Downsampler {
  readonly width: number;
  readonly height: number;
  readonly #options: DownsamplerOptions;
  readonly #sink: RowSink;
  readonly #ratioX: number;
  readonly #ratioY: number;
  readonly #left: Int32Array;
  readonly #right: Int32Array;
  readonly #leftWeight: Float64Array;
  readonly #rightWeight: Float64Array;
  readonly #twoAcross: boolean;
  readonly #unsigned: boolean;
  readonly #replacement: number;
  readonly #out: PixelArray;
  readonly #outValid: Uint8Array;
  #rows: PixelArray;
  #valid: Uint8Array | null = null;
  /** Source row at the start of `#rows`. */
  #firstRow = 0;
  #rowCount = 0;
  #next = 0;

  constructor(options: DownsamplerOptions, sink: RowSink) {
    this.#options = options;
    this.#sink = sink;
    this.width = Math.max(Math.floor(options.sourceWidth / 2), 1);
    this.height = Math.max(Math.floor(options.sourceHeight / 2), 1);
    this.#ratioX = options.sourceWidth / this.width;
    this.#ratioY = options.sourceHeight / this.height;
    this.#left = new Int32Array(this.width);
    this.#right = new Int32Array(this.width);
    this.#leftWeight = new Float64Array(this.width);
    this.#rightWeight = new Float64Array(this.width);
    let twoAcross = true;
    for (let x = 0; x < this.width; x++) {
      const span = coveredSpan(x, this.#ratioX, options.sourceWidth);
      this.#left[x] = span.first;
      this.#right[x] = span.end;
      this.#leftWeight[x] = span.firstWeight;
      this.#rightWeight[x] = span.lastWeight;
      if (span.end - span.first !== 2 || span.first !== 2 * x) twoAcross = false;
    }
    this.#twoAcross = twoAcross;
    this.#unsigned = options.dataType === "uint8" || options.dataType === "uint16";
    this.#replacement = options.nodata === null ? 0 : valueBeside(options.dataType, options.nodata);
    this.#rows = newPixels(options.dataType, 0);
    this.#out = newPixels(options.dataType, this.width);
    this.#outValid = new Uint8Array(this.width);
  }

  /**
   * Takes the next `count` source rows from the start of `rows`.
   *
   * @param valid 0 for pixels to leave out, null when all count
   */
  push(rows: PixelArray, valid: Uint8Array | null, count: number): void {
    this.#append(rows, valid, count);
    const available = this.#firstRow + this.#rowCount;
    while (this.#next < this.height) {
      const span = coveredSpan(this.#next, this.#ratioY, this.#options.sourceHeight);
      if (span.end > available) break;
      this.#emit(span);
      this.#next++;
    }
    const keepFrom =
      this.#next < this.height ? coveredSpan(this.#next, this.#ratioY, this.#options.sourceHeight).first : available;
    this.#dropBefore(keepFrom);
  }

  #append(rows: PixelArray, valid: Uint8Array | null, count: number): void {
    const width = this.#options.sourceWidth;
    if (this.#rowCount === 0) {
      // The usual case, even sizes: nothing is carried over and the caller's rows are read in place.
      this.#rows = rows;
      this.#valid = valid;
      this.#rowCount = count;
      return;
    }
    const joined = newPixels(this.#options.dataType, (this.#rowCount + count) * width);
    joined.set(this.#rows.subarray(0, this.#rowCount * width));
    joined.set(rows.subarray(0, count * width), this.#rowCount * width);
    if (this.#valid !== null || valid !== null) {
      const joinedValid = new Uint8Array(joined.length).fill(1);
      if (this.#valid !== null) joinedValid.set(this.#valid.subarray(0, this.#rowCount * width));
      if (valid !== null) joinedValid.set(valid.subarray(0, count * width), this.#rowCount * width);
      this.#valid = joinedValid;
    }
    this.#rows = joined;
    this.#rowCount += count;
  }

  #dropBefore(row: number): void {
    const width = this.#options.sourceWidth;
    const drop = row - this.#firstRow;
    const from = drop * width;
    const to = this.#rowCount * width;
    // Copies, because the caller reuses its rows.
    this.#rows = this.#rows.slice(from, to);
    this.#valid = this.#valid === null ? null : this.#valid.slice(from, to);
    this.#firstRow = row;
    this.#rowCount -= drop;
  }

  #emit(span: CoveredSpan): void {
    const valid = this.#valid;
    const { method } = this.#options;
    let allValid = true;
    if (method === "any") this.#anyRow(span);
    else if (method === "mode") allValid = this.#modeRow(span);
    else if (valid === null && this.#twoAcross && span.end - span.first === 2) {
      this.#plainRow(span);
      this.#stepAsideFromNodata();
    } else if (valid !== null && this.#twoAcross && span.end - span.first === 2)
      allValid = this.#maskedRow(span, valid);
    else allValid = this.#weightedRow(span);
    this.#sink(this.#out, allValid ? null : this.#outValid);
  }

  /** Two rows, no invalid pixel, even width. */
  #plainRow(span: CoveredSpan): void {
    const { dataType, sourceWidth } = this.#options;
    const rows = this.#rows;
    const out = this.#out;
    let upper = (span.first - this.#firstRow) * sourceWidth;
    let lower = upper + sourceWidth;
    const width = this.width;
    if (dataType === "uint8" || dataType === "uint16") {
      for (let x = 0; x < width; x++) {
        out[x] = (rows[upper]! + rows[upper + 1]! + rows[lower]! + rows[lower + 1]! + 2) >> 2;
        upper += 2;
        lower += 2;
      }
    } else if (dataType === "float32" && this.#options.nodata === null) {
      // GDAL adds columns first, four target pixels at a time, and the rest of a row in reading order: single
      // precision makes the difference visible in the last bit.
      const grouped = width - (width % 4);
      const f = Math.fround;
      for (let x = 0; x < width; x++) {
        const a = rows[upper]!;
        const b = rows[upper + 1]!;
        const c = rows[lower]!;
        const d = rows[lower + 1]!;
        out[x] = x < grouped ? f(f(a + c) + f(b + d)) * 0.25 : f(f(f(a + b) + c) + d) * 0.25;
        upper += 2;
        lower += 2;
      }
    } else {
      for (let x = 0; x < width; x++) {
        const mean = (rows[upper]! + rows[upper + 1]! + (rows[lower]! + rows[lower + 1]!)) / 4;
        out[x] = toPixelValue(dataType, mean);
        upper += 2;
        lower += 2;
      }
    }
  }

  /** A mean of valid pixels must not read as nodata. */
  #stepAsideFromNodata(): void {
    const { nodata } = this.#options;
    if (nodata === null) return;
    const out = this.#out;
    for (let x = 0; x < this.width; x++) if (out[x] === nodata) out[x] = this.#replacement;
  }

  /** Two rows, even width, some pixels invalid: the result of `#weightedRow`, without the weights. */
  #maskedRow(span: CoveredSpan, valid: Uint8Array): boolean {
    const { sourceWidth, nodata } = this.#options;
    const rows = this.#rows;
    let upper = (span.first - this.#firstRow) * sourceWidth;
    let lower = upper + sourceWidth;
    let allValid = true;
    for (let x = 0; x < this.width; x++) {
      let above = 0;
      let below = 0;
      let count = 0;
      if (valid[upper] !== 0) {
        above = rows[upper]!;
        count++;
      }
      if (valid[upper + 1] !== 0) {
        above += rows[upper + 1]!;
        count++;
      }
      if (valid[lower] !== 0) {
        below = rows[lower]!;
        count++;
      }
      if (valid[lower + 1] !== 0) {
        below += rows[lower + 1]!;
        count++;
      }
      if (count === 0) {
        this.#out[x] = nodata ?? 0;
        this.#outValid[x] = 0;
        allValid = false;
      } else {
        this.#out[x] = this.#meanAsPixel((above + below) / count);
        this.#outValid[x] = 1;
      }
      upper += 2;
      lower += 2;
    }
    return allValid;
  }

  #meanAsPixel(mean: number): number {
    const { dataType, nodata } = this.#options;
    let value = mean;
    if (this.#unsigned) value = Math.floor(mean + 0.5);
    else if (dataType === "float32") value = Math.fround(mean);
    else if (dataType !== "float64") value = toPixelValue(dataType, Math.fround(mean));
    return nodata !== null && value === nodata ? this.#replacement : value;
  }

  /** Any sizes, any validity. Answers whether every target pixel is valid. */
  #weightedRow(span: CoveredSpan): boolean {
    const { sourceWidth, nodata } = this.#options;
    const rows = this.#rows;
    const valid = this.#valid;
    const out = this.#out;
    const first = span.first - this.#firstRow;
    const end = span.end - this.#firstRow;
    let allValid = true;
    for (let x = 0; x < this.width; x++) {
      const left = this.#left[x]!;
      const right = this.#right[x]!;
      let total = 0;
      let weight = 0;
      for (let y = first; y < end; y++) {
        const base = y * sourceWidth;
        let lineTotal = 0;
        let lineWeight = 0;
        for (let i = left; i < right; i++) {
          if (valid !== null && valid[base + i] === 0) continue;
          const share = i === left ? this.#leftWeight[x]! : i === right - 1 ? this.#rightWeight[x]! : 1;
          lineTotal += rows[base + i]! * share;
          lineWeight += share;
        }
        const rowShare = y === first ? span.firstWeight : y === end - 1 ? span.lastWeight : 1;
        total += lineTotal * rowShare;
        weight += lineWeight * rowShare;
      }
      if (weight <= 0) {
        out[x] = nodata ?? 0;
        this.#outValid[x] = 0;
        allValid = false;
        continue;
      }
      out[x] = this.#meanAsPixel(total / weight);
      this.#outValid[x] = 1;
    }
    return allValid;
  }

  /** Most frequent valid value, the first met of equals. */
  #modeRow(span: CoveredSpan): boolean {
    const { sourceWidth, nodata } = this.#options;
    const rows = this.#rows;
    const valid = this.#valid;
    const seen: number[] = [];
    let allValid = true;
    for (let x = 0; x < this.width; x++) {
      // Inside of classes, which is nearly everywhere, nothing has to be counted.
      const same = valid === null ? this.#onlyValue(x, span) : null;
      if (same !== null) {
        this.#out[x] = same;
        this.#outValid[x] = 1;
        continue;
      }
      seen.length = 0;
      for (let y = span.first - this.#firstRow; y < span.end - this.#firstRow; y++) {
        for (let i = this.#left[x]!; i < this.#right[x]!; i++) {
          const at = y * sourceWidth + i;
          if (valid === null || valid[at] !== 0) seen.push(rows[at]!);
        }
      }
      this.#out[x] = mostFrequent(seen) ?? nodata ?? 0;
      this.#outValid[x] = seen.length === 0 ? 0 : 1;
      if (seen.length === 0) allValid = false;
    }
    return allValid;
  }

  /** The value that all source pixels of a target pixel share; null where they differ. */
  #onlyValue(x: number, span: CoveredSpan): number | null {
    const { sourceWidth } = this.#options;
    const rows = this.#rows;
    const [left, right] = [this.#left[x]!, this.#right[x]!];
    const value = rows[(span.first - this.#firstRow) * sourceWidth + left]!;
    for (let y = span.first - this.#firstRow; y < span.end - this.#firstRow; y++) {
      for (let at = y * sourceWidth + left; at < y * sourceWidth + right; at++) if (rows[at] !== value) return null;
    }
    return value;
  }

  #anyRow(span: CoveredSpan): void {
    const { sourceWidth } = this.#options;
    for (let x = 0; x < this.width; x++) {
      let value = 0;
      for (let y = span.first - this.#firstRow; y < span.end - this.#firstRow; y++) {
        for (let i = this.#left[x]!; i < this.#right[x]!; i++) value |= this.#rows[y * sourceWidth + i]!;
      }
      this.#out[x] = value === 0 ? 0 : 255;
    }
  }
}

interface CoveredSpan {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
  readonly firstWeight: number;
  readonly lastWeight: number;
}

/** Source pixels below target pixel `index` along one axis and the covered share of the outer two. */
function coveredSpan(index: number, ratio: number, size: number): CoveredSpan {
  const from = index * ratio;
  const to = (index + 1) * ratio;
  const first = Math.trunc(from + EPSILON);
  let end = Math.ceil(to - EPSILON);
  if (end === first) end++;
  if (end > size) end = size;
  return { first, end, firstWeight: end === first + 1 ? 1 : 1 - (from - first), lastWeight: 1 - (end - to) };
}

/** Replacement of a mean that equals nodata, as in GDAL. */
function valueBeside(dataType: DataType, nodata: number): number {
  if (isFloat(dataType)) {
    if (nodata === 0) return dataType === "float32" ? 1.401298464324817e-45 : 5e-324;
    if (!Number.isFinite(nodata)) return 0;
    const bits = dataType === "float32" ? new Float32Array([nodata]) : new Float64Array([nodata]);
    const words = new Uint32Array(bits.buffer);
    const low = words[0]!;
    words[0] = low === 0xffff_ffff ? low - 1 : low + 1;
    return bits[0]!;
  }
  return nodata === highestValue(dataType) ? nodata - 1 : nodata + 1;
}

function mostFrequent(values: readonly number[]): number | null {
  let best: number | null = null;
  let bestCount = 0;
  for (let i = 0; i < values.length; i++) {
    let count = 1;
    for (let j = i + 1; j < values.length; j++) if (values[j] === values[i]) count++;
    if (count > bestCount) {
      bestCount = count;
      best = values[i]!;
    }
  }
  return best;
}
