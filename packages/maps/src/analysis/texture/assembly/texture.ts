// Pixel loops of spectral indices and texture. Compiled to texture.generated.ts by `npm run build:wasm`; called through ../texture-kernel.ts.
// Planes are row-major int16 in ten-thousandths; INVALID means "no data". Every plane has 64 bytes behind it that
// vectors may run over: rows are written in ascending order, so what a row writes behind itself is written again.
// Arithmetic is float64 and exact integers, so results do not depend on where a block begins.

const INVALID: i32 = -32768;
const LARGEST: i32 = 32767;
const STEPS: f64 = 10000;

/** First free byte of memory. */
export function heapBase(): usize {
  return __heap_base;
}

// @ts-ignore: decorator
@inline
function lowOf(x: v128): v128 {
  return i32x4.extend_low_i16x8_s(x);
}

// @ts-ignore: decorator
@inline
function highOf(x: v128): v128 {
  return i32x4.extend_high_i16x8_s(x);
}

/** The first two of four whole numbers. */
// @ts-ignore: decorator
@inline
function doublesLow(x: v128): v128 {
  return f64x2.convert_low_i32x4_s(x);
}

/** The last two of four whole numbers. */
// @ts-ignore: decorator
@inline
function doublesHigh(x: v128): v128 {
  return f64x2.convert_low_i32x4_s(v128.shuffle<i32>(x, x, 2, 3, 2, 3));
}

/** Two pairs of doubles without fraction as four whole numbers. */
// @ts-ignore: decorator
@inline
function wholes(low: v128, high: v128): v128 {
  return v128.shuffle<i32>(
    i32x4.trunc_sat_f64x2_s_zero(low),
    i32x4.trunc_sat_f64x2_s_zero(high),
    0, 1, 4, 5,
  );
}

/** The nearest whole number, the greater of two equally near. */
// @ts-ignore: decorator
@inline
function rounded(x: v128): v128 {
  const below = f64x2.floor(x);
  const up = f64x2.ge(f64x2.sub(x, below), f64x2.splat(0.5));
  return f64x2.add(below, v128.and(up, f64x2.splat(1)));
}

// ---- Pixels by themselves --------------------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function quantisedPair(values: v128, offset: v128, factor: v128): v128 {
  const scaled = f64x2.mul(f64x2.sub(f64x2.promote_low_f32x4(values), offset), factor);
  const whole = f64x2.floor(f64x2.add(scaled, f64x2.splat(0.5)));
  const most = f64x2.splat(<f64>LARGEST);
  const clipped = f64x2.pmin(f64x2.pmax(whole, f64x2.neg(most)), most);
  return v128.bitselect(clipped, f64x2.splat(<f64>INVALID), f64x2.eq(scaled, scaled));
}

// @ts-ignore: decorator
@inline
function quantisedFour(at: usize, offset: v128, factor: v128): v128 {
  const values = v128.load(at);
  return wholes(
    quantisedPair(values, offset, factor),
    quantisedPair(v128.shuffle<f32>(values, values, 2, 3, 2, 3), offset, factor),
  );
}

/** `(value - offset) * factor` of float32, rounded and clipped; INVALID where NaN. Answers whether a pixel is INVALID. */
export function quantise(plane: usize, out: usize, count: i32, factor: f64, offset: f64): bool {
  const factors = f64x2.splat(factor);
  const offsets = f64x2.splat(offset);
  const invalid = i16x8.splat(<i16>INVALID);
  let holes = i16x8.splat(0);
  const whole = count & ~7;
  for (let i = 0; i < count; i += 8) {
    const at = plane + (<usize>i << 2);
    const low = quantisedFour(at, offsets, factors);
    const high = quantisedFour(at + 16, offsets, factors);
    const values = i16x8.narrow_i32x4_s(low, high);
    v128.store(out + (<usize>i << 1), values);
    if (i < whole) holes = v128.or(holes, i16x8.eq(values, invalid));
  }
  if (v128.any_true(holes)) return true;
  for (let i = whole; i < count; i++) if (load<i16>(out + (<usize>i << 1)) == <i16>INVALID) return true;
  return false;
}

/** `valid` stays 1 where the plane is valid too. */
export function keepValid(plane: usize, valid: usize, count: i32): void {
  const invalid = i16x8.splat(<i16>INVALID);
  for (let i = 0; i < count; i += 8) {
    const isOff = i16x8.eq(v128.load(plane + (<usize>i << 1)), invalid);
    storeBytes(valid + <usize>i, v128.andnot(v128.load8x8_u(valid + <usize>i), isOff));
  }
}

/** The plane becomes INVALID where `valid` is 0. */
export function invalidate(plane: usize, valid: usize, count: i32): void {
  const invalid = i16x8.splat(<i16>INVALID);
  for (let i = 0; i < count; i += 8) {
    const at = plane + (<usize>i << 1);
    const isOff = i16x8.eq(v128.load8x8_u(valid + <usize>i), i16x8.splat(0));
    v128.store(at, v128.bitselect(invalid, v128.load(at), isOff));
  }
}

// @ts-ignore: decorator
@inline
function ratioPair(first: v128, second: v128): v128 {
  const sum = f64x2.add(first, second);
  const ratio = f64x2.div(f64x2.mul(f64x2.splat(STEPS), f64x2.sub(first, second)), sum);
  const whole = f64x2.floor(f64x2.add(ratio, f64x2.splat(0.5)));
  const clipped = f64x2.pmin(f64x2.pmax(whole, f64x2.splat(-STEPS)), f64x2.splat(STEPS));
  return v128.andnot(clipped, f64x2.lt(sum, f64x2.splat(10)));
}

// @ts-ignore: decorator
@inline
function ratioFour(a: v128, b: v128): v128 {
  return wholes(ratioPair(doublesLow(a), doublesLow(b)), ratioPair(doublesHigh(a), doublesHigh(b)));
}

/** `(a - b) / (a + b)`; 0 where the sum is below a thousandth. */
export function normalisedDifference(a: usize, b: usize, out: usize, count: i32): void {
  const invalid = i16x8.splat(<i16>INVALID);
  for (let i = 0; i < count; i += 8) {
    const at = <usize>i << 1;
    const first = v128.load(a + at);
    const second = v128.load(b + at);
    const ratio = i16x8.narrow_i32x4_s(
      ratioFour(lowOf(first), lowOf(second)),
      ratioFour(highOf(first), highOf(second)),
    );
    const isInvalid = v128.or(i16x8.eq(first, invalid), i16x8.eq(second, invalid));
    v128.store(out + at, v128.bitselect(invalid, ratio, isInvalid));
  }
}

// @ts-ignore: decorator
@inline
function thirdOf(sum: v128): v128 {
  const three = f64x2.splat(3);
  return wholes(
    f64x2.floor(f64x2.div(doublesLow(sum), three)),
    f64x2.floor(f64x2.div(doublesHigh(sum), three)),
  );
}

/** Mean of three planes, rounded down; INVALID where the first is. */
export function meanOfThree(a: usize, b: usize, c: usize, out: usize, count: i32): void {
  const invalid = i16x8.splat(<i16>INVALID);
  for (let i = 0; i < count; i += 8) {
    const at = <usize>i << 1;
    const x = v128.load(a + at);
    const y = v128.load(b + at);
    const z = v128.load(c + at);
    const low = thirdOf(i32x4.add(i32x4.add(lowOf(x), lowOf(y)), lowOf(z)));
    const high = thirdOf(i32x4.add(i32x4.add(highOf(x), highOf(y)), highOf(z)));
    v128.store(out + at, v128.bitselect(invalid, i16x8.narrow_i32x4_s(low, high), i16x8.eq(x, invalid)));
  }
}

// @ts-ignore: decorator
@inline
function sharePair(part: v128, whole: v128): v128 {
  return rounded(f64x2.div(f64x2.mul(f64x2.splat(STEPS), part), whole));
}

// @ts-ignore: decorator
@inline
function shareFour(greatest: v128, least: v128): v128 {
  const part = i32x4.sub(greatest, least);
  return wholes(
    sharePair(doublesLow(part), doublesLow(greatest)),
    sharePair(doublesHigh(part), doublesHigh(greatest)),
  );
}

/** HSV saturation of three planes; 0 where all are black, INVALID where the first is. */
export function saturation(a: usize, b: usize, c: usize, out: usize, count: i32): void {
  const invalid = i16x8.splat(<i16>INVALID);
  const zero = i16x8.splat(0);
  for (let i = 0; i < count; i += 8) {
    const at = <usize>i << 1;
    const x = v128.load(a + at);
    const y = v128.load(b + at);
    const z = v128.load(c + at);
    const greatest = i16x8.max_s(i16x8.max_s(x, y), z);
    const least = i16x8.max_s(i16x8.min_s(i16x8.min_s(x, y), z), zero);
    const share = i16x8.narrow_i32x4_s(
      shareFour(lowOf(greatest), lowOf(least)),
      shareFour(highOf(greatest), highOf(least)),
    );
    const shown = v128.and(share, i16x8.gt_s(greatest, zero));
    v128.store(out + at, v128.bitselect(invalid, shown, i16x8.eq(x, invalid)));
  }
}

// @ts-ignore: decorator
@inline
function excessPair(a: v128, b: v128, overA: v128, slope: v128, overB: v128): v128 {
  const excess = f64x2.sub(f64x2.div(a, overA), f64x2.div(f64x2.mul(slope, b), overB));
  return rounded(f64x2.pmin(f64x2.pmax(excess, f64x2.splat(0)), f64x2.splat(32000)));
}

/** `a / overA - slope * b / overB` from 0 to 32,000, rounded; INVALID where a is. */
export function excess(a: usize, b: usize, out: usize, count: i32, overA: f64, slope: f64, overB: f64): void {
  const invalid = i16x8.splat(<i16>INVALID);
  const first = f64x2.splat(overA);
  const second = f64x2.splat(overB);
  const slopes = f64x2.splat(slope);
  for (let i = 0; i < count; i += 8) {
    const at = <usize>i << 1;
    const x = v128.load(a + at);
    const y = v128.load(b + at);
    const xl = lowOf(x);
    const yl = lowOf(y);
    const xh = highOf(x);
    const yh = highOf(y);
    const low = wholes(
      excessPair(doublesLow(xl), doublesLow(yl), first, slopes, second),
      excessPair(doublesHigh(xl), doublesHigh(yl), first, slopes, second),
    );
    const high = wholes(
      excessPair(doublesLow(xh), doublesLow(yh), first, slopes, second),
      excessPair(doublesHigh(xh), doublesHigh(yh), first, slopes, second),
    );
    v128.store(out + at, v128.bitselect(invalid, i16x8.narrow_i32x4_s(low, high), i16x8.eq(x, invalid)));
  }
}

// ---- Pixels and their neighbours --------------------------------------------------------------------------

// @ts-ignore: decorator
@inline
function lengthsPair(x: v128, y: v128): v128 {
  return f64x2.floor(
    f64x2.div(f64x2.sqrt(f64x2.add(f64x2.mul(x, x), f64x2.mul(y, y))), f64x2.splat(8)),
  );
}

// @ts-ignore: decorator
@inline
function lengths(x: v128, y: v128): v128 {
  return wholes(lengthsPair(doublesLow(x), doublesLow(y)), lengthsPair(doublesHigh(x), doublesHigh(y)));
}

/**
 * Sobel gradient over 8: rounded parts, length rounded down. 0 where one of the nine pixels is invalid or outside, INVALID
 * where the pixel is.
 */
export function gradient(plane: usize, across: usize, down: usize, magnitude: usize, columns: i32, rows: i32): void {
  const invalid = i16x8.splat(<i16>INVALID);
  const four = i32x4.splat(4);
  const stride = <usize>columns << 1;
  for (let row = 0; row < rows; row++) {
    const start = <usize>(row * columns) << 1;
    if (row == 0 || row == rows - 1) {
      for (let column = 0; column < columns; column++) {
        edge(plane, across, down, magnitude, start + (<usize>column << 1));
      }
      continue;
    }
    for (let column = 1; column < columns - 1; column += 8) {
      const at = start + (<usize>column << 1);
      const here = plane + at;
      const nw = v128.load(here - stride - 2);
      const n = v128.load(here - stride);
      const ne = v128.load(here - stride + 2);
      const w = v128.load(here - 2);
      const middle = v128.load(here);
      const e = v128.load(here + 2);
      const sw = v128.load(here + stride - 2);
      const s = v128.load(here + stride);
      const se = v128.load(here + stride + 2);
      // The least of the eight is INVALID where one of them is.
      const least = i16x8.min_s(
        i16x8.min_s(i16x8.min_s(nw, n), i16x8.min_s(ne, w)),
        i16x8.min_s(i16x8.min_s(e, sw), i16x8.min_s(s, se)),
      );
      const flat = i16x8.eq(least, invalid);
      const off = i16x8.eq(middle, invalid);
      const xl = i32x4.add(
        i32x4.add(i32x4.sub(lowOf(ne), lowOf(nw)), i32x4.sub(lowOf(se), lowOf(sw))),
        i32x4.shl(i32x4.sub(lowOf(e), lowOf(w)), 1),
      );
      const xh = i32x4.add(
        i32x4.add(i32x4.sub(highOf(ne), highOf(nw)), i32x4.sub(highOf(se), highOf(sw))),
        i32x4.shl(i32x4.sub(highOf(e), highOf(w)), 1),
      );
      const yl = i32x4.add(
        i32x4.add(i32x4.sub(lowOf(sw), lowOf(nw)), i32x4.sub(lowOf(se), lowOf(ne))),
        i32x4.shl(i32x4.sub(lowOf(s), lowOf(n)), 1),
      );
      const yh = i32x4.add(
        i32x4.add(i32x4.sub(highOf(sw), highOf(nw)), i32x4.sub(highOf(se), highOf(ne))),
        i32x4.shl(i32x4.sub(highOf(s), highOf(n)), 1),
      );
      const x = i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(xl, four), 3), i32x4.shr_s(i32x4.add(xh, four), 3));
      const y = i16x8.narrow_i32x4_s(i32x4.shr_s(i32x4.add(yl, four), 3), i32x4.shr_s(i32x4.add(yh, four), 3));
      const length = i16x8.narrow_i32x4_s(lengths(xl, yl), lengths(xh, yh));
      v128.store(across + at, v128.bitselect(invalid, v128.andnot(x, flat), off));
      v128.store(down + at, v128.bitselect(invalid, v128.andnot(y, flat), off));
      v128.store(magnitude + at, v128.bitselect(invalid, v128.andnot(length, flat), off));
    }
    edge(plane, across, down, magnitude, start);
    edge(plane, across, down, magnitude, start + stride - 2);
  }
}

// @ts-ignore: decorator
@inline
function edge(plane: usize, across: usize, down: usize, magnitude: usize, at: usize): void {
  const value: i16 = load<i16>(plane + at) == <i16>INVALID ? <i16>INVALID : 0;
  store<i16>(across + at, value);
  store<i16>(down + at, value);
  store<i16>(magnitude + at, value);
}

/** Least, or greatest, of three columns. */
function ofThreeColumns(from: usize, to: usize, columns: i32, rows: i32, greatest: bool): void {
  const last = <usize>(columns - 1) << 1;
  for (let row = 0; row < rows; row++) {
    const start = <usize>(row * columns) << 1;
    for (let column = 0; column < columns; column += 8) {
      const at = start + (<usize>column << 1);
      const before = v128.load(from + at - 2);
      const here = v128.load(from + at);
      const after = v128.load(from + at + 2);
      v128.store(
        to + at,
        greatest
          ? i16x8.max_s(i16x8.max_s(before, here), after)
          : i16x8.min_s(i16x8.min_s(before, here), after),
      );
    }
    const inner: usize = columns > 1 ? 2 : 0;
    const a = load<i16>(from + start);
    const b = load<i16>(from + start + inner);
    const y = load<i16>(from + start + last - inner);
    const z = load<i16>(from + start + last);
    store<i16>(to + start, greatest ? max<i16>(a, b) : min<i16>(a, b));
    store<i16>(to + start + last, greatest ? max<i16>(y, z) : min<i16>(y, z));
  }
}

/** Least, or greatest, of three rows. */
function ofThreeRows(from: usize, to: usize, columns: i32, rows: i32, greatest: bool): void {
  for (let row = 0; row < rows; row++) {
    const above = from + (<usize>(max(0, row - 1) * columns) << 1);
    const here = from + (<usize>(row * columns) << 1);
    const below = from + (<usize>(min(rows - 1, row + 1) * columns) << 1);
    const out = to + (<usize>(row * columns) << 1);
    for (let column = 0; column < columns; column += 8) {
      const at = <usize>column << 1;
      const a = v128.load(above + at);
      const b = v128.load(here + at);
      const c = v128.load(below + at);
      v128.store(
        out + at,
        greatest ? i16x8.max_s(i16x8.max_s(a, b), c) : i16x8.min_s(i16x8.min_s(a, b), c),
      );
    }
  }
}

/** Each of one value becomes another. */
function replace(from: usize, to: usize, count: i32, value: i16, other: i16): void {
  const values = i16x8.splat(value);
  const others = i16x8.splat(other);
  for (let i = 0; i < count; i += 8) {
    const at = <usize>i << 1;
    const x = v128.load(from + at);
    v128.store(to + at, v128.bitselect(others, x, i16x8.eq(x, values)));
  }
}

/** The plane minus its opening by 3 x 3 pixels; INVALID where the plane is. `scratch` and `out` are planes. */
export function topHat(plane: usize, scratch: usize, out: usize, columns: i32, rows: i32): void {
  const count = columns * rows;
  const invalid = i16x8.splat(<i16>INVALID);
  // Invalid pixels are never the least, and windows of them alone never the greatest.
  replace(plane, out, count, <i16>INVALID, <i16>LARGEST);
  ofThreeColumns(out, scratch, columns, rows, false);
  ofThreeRows(scratch, out, columns, rows, false);
  replace(out, out, count, <i16>LARGEST, <i16>INVALID);
  ofThreeColumns(out, scratch, columns, rows, true);
  ofThreeRows(scratch, out, columns, rows, true);
  for (let i = 0; i < count; i += 8) {
    const at = <usize>i << 1;
    const x = v128.load(plane + at);
    const hat = i16x8.sub_sat_s(x, v128.load(out + at));
    v128.store(out + at, v128.bitselect(invalid, hat, i16x8.eq(x, invalid)));
  }
}

// ---- Windows ---------------------------------------------------------------------------------------------------

/** `line[c] += sign * plane[c]` of one row, invalid pixels as 0. */
// @ts-ignore: decorator
@inline
function addRow(line: usize, row: usize, columns: i32, enters: bool): void {
  const invalid = i16x8.splat(<i16>INVALID);
  for (let column = 0; column < columns; column += 8) {
    const x = v128.load(row + (<usize>column << 1));
    const value = v128.andnot(x, i16x8.eq(x, invalid));
    const at = line + (<usize>column << 2);
    const low = v128.load(at);
    const high = v128.load(at, 16);
    v128.store(at, enters ? i32x4.add(low, lowOf(value)) : i32x4.sub(low, lowOf(value)));
    v128.store(at, enters ? i32x4.add(high, highOf(value)) : i32x4.sub(high, highOf(value)), 16);
  }
}

// @ts-ignore: decorator
@inline
function plus<T>(a: T, b: T): T {
  if (isVector<T>()) return f64x2.add(a, b);
  return a + b;
}

// @ts-ignore: decorator
@inline
function less<T>(a: T, b: T): T {
  if (isVector<T>()) return f64x2.sub(a, b);
  return a - b;
}

/** Sums of `2 * radius + 1` columns of a line of numbers; of two lines side by side where T is a pair of float64. */
function slide<T>(line: usize, sums: usize, columns: i32, radius: i32): void {
  const size = sizeof<T>();
  const reach = <usize>radius * size;
  const first = min(radius + 1, columns);
  const whole = max(radius + 1, columns - radius);
  let sum = load<T>(line);
  for (let column = 1; column < first; column++) sum = plus<T>(sum, load<T>(line + <usize>column * size));
  store<T>(sums, sum);
  for (let column = 1; column < first; column++) {
    const at = <usize>column * size;
    if (column + radius < columns) sum = plus<T>(sum, load<T>(line + at + reach));
    store<T>(sums + at, sum);
  }
  for (let column = radius + 1; column < columns - radius; column++) {
    const at = <usize>column * size;
    sum = plus<T>(sum, less<T>(load<T>(line + at + reach), load<T>(line + at - reach - size)));
    store<T>(sums + at, sum);
  }
  for (let column = whole; column < columns; column++) {
    const at = <usize>column * size;
    sum = less<T>(sum, load<T>(line + at - reach - size));
    store<T>(sums + at, sum);
  }
}

/** Pixels of each window that are 1 in `valid`, as uint16. `line` holds a row of uint16. */
export function boxCounts(
  valid: usize, out: usize, columns: i32, rows: i32, radius: i32, line: usize,
): void {
  memory.fill(line, 0, (<usize>columns << 1) + 16);
  for (let row = -radius; row < rows; row++) {
    if (row + radius < rows) addValid(line, valid + <usize>((row + radius) * columns), columns, true);
    if (row > radius) addValid(line, valid + <usize>((row - radius - 1) * columns), columns, false);
    if (row >= 0) slide<u16>(line, out + (<usize>(row * columns) << 1), columns, radius);
  }
}

// @ts-ignore: decorator
@inline
function addValid(line: usize, row: usize, columns: i32, enters: bool): void {
  for (let column = 0; column < columns; column += 8) {
    const at = line + (<usize>column << 1);
    const counts = v128.load(at);
    const valid = v128.load8x8_u(row + <usize>column);
    v128.store(at, enters ? i16x8.add(counts, valid) : i16x8.sub(counts, valid));
  }
}

// @ts-ignore: decorator
@inline
function meanFour(sums: v128, counts: v128): v128 {
  return wholes(
    f64x2.floor(f64x2.div(doublesLow(sums), doublesLow(counts))),
    f64x2.floor(f64x2.div(doublesHigh(sums), doublesHigh(counts))),
  );
}

/** Mean of each window, rounded down; INVALID where the plane is. `line` and `sums` hold a row of int32. */
export function boxMean(
  plane: usize, counts: usize, out: usize, columns: i32, rows: i32, radius: i32, line: usize, sums: usize,
): void {
  const invalid = i16x8.splat(<i16>INVALID);
  memory.fill(line, 0, (<usize>columns << 2) + 32);
  for (let row = -radius; row < rows; row++) {
    if (row + radius < rows) addRow(line, plane + (<usize>((row + radius) * columns) << 1), columns, true);
    if (row > radius) addRow(line, plane + (<usize>((row - radius - 1) * columns) << 1), columns, false);
    if (row < 0) continue;
    slide<i32>(line, sums, columns, radius);
    const start = <usize>(row * columns) << 1;
    for (let column = 0; column < columns; column += 8) {
      const at = start + (<usize>column << 1);
      const window = sums + (<usize>column << 2);
      const n = v128.load(counts + at);
      const low = meanFour(v128.load(window), i32x4.extend_low_i16x8_u(n));
      const high = meanFour(v128.load(window, 16), i32x4.extend_high_i16x8_u(n));
      const off = i16x8.eq(v128.load(plane + at), invalid);
      v128.store(out + at, v128.bitselect(invalid, i16x8.narrow_i32x4_s(low, high), off));
    }
  }
}

/** `line[c] += sign * a[c] * b[c]` of one row in float64, invalid pixels of a as 0. */
// @ts-ignore: decorator
@inline
function addProducts(line: usize, a: usize, b: usize, columns: i32, enters: bool): void {
  const invalid = i16x8.splat(<i16>INVALID);
  for (let column = 0; column < columns; column += 8) {
    const x = v128.load(a + (<usize>column << 1));
    const value = v128.andnot(x, i16x8.eq(x, invalid));
    const y = v128.load(b + (<usize>column << 1));
    addEightProducts(line + (<usize>column << 3), value, y, enters);
  }
}

// @ts-ignore: decorator
@inline
function addDoubles(at: usize, value: v128, enters: bool): void {
  const before = v128.load(at);
  v128.store(at, enters ? f64x2.add(before, value) : f64x2.sub(before, value));
}

/** Adds the products of eight pixels to a line of float64, or takes them off. */
// @ts-ignore: decorator
@inline
function addEightProducts(at: usize, a: v128, b: v128, enters: bool): void {
  const low = i32x4.extmul_low_i16x8_s(a, b);
  const high = i32x4.extmul_high_i16x8_s(a, b);
  addDoubles(at, doublesLow(low), enters);
  addDoubles(at + 16, doublesHigh(low), enters);
  addDoubles(at + 32, doublesLow(high), enters);
  addDoubles(at + 48, doublesHigh(high), enters);
}

/** Adds four pairs of whole numbers to a line of pairs, or takes them off. */
// @ts-ignore: decorator
@inline
function addPairs(at: usize, a: v128, b: v128, enters: bool): void {
  addDoubles(at, f64x2.convert_low_i32x4_s(v128.shuffle<i32>(a, b, 0, 4, 0, 4)), enters);
  addDoubles(at + 16, f64x2.convert_low_i32x4_s(v128.shuffle<i32>(a, b, 1, 5, 1, 5)), enters);
  addDoubles(at + 32, f64x2.convert_low_i32x4_s(v128.shuffle<i32>(a, b, 2, 6, 2, 6)), enters);
  addDoubles(at + 48, f64x2.convert_low_i32x4_s(v128.shuffle<i32>(a, b, 3, 7, 3, 7)), enters);
}

// @ts-ignore: decorator
@inline
function deviationPair(sum: v128, count: v128, squares: v128): v128 {
  const mean = f64x2.div(sum, count);
  const variance = f64x2.sub(f64x2.div(squares, count), f64x2.mul(mean, mean));
  return f64x2.floor(f64x2.sqrt(f64x2.pmax(variance, f64x2.splat(0))));
}

// @ts-ignore: decorator
@inline
function deviationFour(sums: v128, counts: v128, squares: usize): v128 {
  return wholes(
    deviationPair(doublesLow(sums), doublesLow(counts), v128.load(squares)),
    deviationPair(doublesHigh(sums), doublesHigh(counts), v128.load(squares, 16)),
  );
}

/**
 * Standard deviation of each window, rounded down; INVALID where the plane is. `line` and `sums` hold a row of int32,
 * `squareLine` and `squareSums` of float64.
 */
export function boxDeviation(
  plane: usize, counts: usize, out: usize, columns: i32, rows: i32, radius: i32,
  line: usize, sums: usize, squareLine: usize, squareSums: usize,
): void {
  const invalid = i16x8.splat(<i16>INVALID);
  memory.fill(line, 0, (<usize>columns << 2) + 32);
  memory.fill(squareLine, 0, (<usize>columns << 3) + 64);
  for (let row = -radius; row < rows; row++) {
    if (row + radius < rows) {
      const enters = plane + (<usize>((row + radius) * columns) << 1);
      addRow(line, enters, columns, true);
      addProducts(squareLine, enters, enters, columns, true);
    }
    if (row > radius) {
      const leaves = plane + (<usize>((row - radius - 1) * columns) << 1);
      addRow(line, leaves, columns, false);
      addProducts(squareLine, leaves, leaves, columns, false);
    }
    if (row < 0) continue;
    slide<i32>(line, sums, columns, radius);
    slide<f64>(squareLine, squareSums, columns, radius);
    const start = <usize>(row * columns) << 1;
    for (let column = 0; column < columns; column += 8) {
      const at = start + (<usize>column << 1);
      const window = sums + (<usize>column << 2);
      const squares = squareSums + (<usize>column << 3);
      const n = v128.load(counts + at);
      const low = deviationFour(v128.load(window), i32x4.extend_low_i16x8_u(n), squares);
      const high = deviationFour(v128.load(window, 16), i32x4.extend_high_i16x8_u(n), squares + 32);
      const off = i16x8.eq(v128.load(plane + at), invalid);
      v128.store(out + at, v128.bitselect(invalid, i16x8.narrow_i32x4_s(low, high), off));
    }
  }
}

// @ts-ignore: decorator
@inline
function coherencePair(xx: v128, yy: v128, xy: v128): v128 {
  const trace = f64x2.add(xx, yy);
  const difference = f64x2.sub(xx, yy);
  const cross = f64x2.mul(f64x2.splat(2), xy);
  const anisotropy = f64x2.mul(
    f64x2.splat(STEPS),
    f64x2.add(f64x2.mul(difference, difference), f64x2.mul(cross, cross)),
  );
  return v128.andnot(
    rounded(f64x2.div(anisotropy, f64x2.mul(trace, trace))),
    f64x2.eq(trace, f64x2.splat(0)),
  );
}

/** Structure tensors of a row: squares to a line of pairs, products to one of float64. */
// @ts-ignore: decorator
@inline
function addTensors(squares: usize, products: usize, across: usize, down: usize, columns: i32, enters: bool): void {
  const invalid = i16x8.splat(<i16>INVALID);
  for (let column = 0; column < columns; column += 8) {
    const offset = <usize>column << 1;
    const x = v128.load(across + offset);
    const isValid = v128.not(i16x8.eq(x, invalid));
    const a = v128.and(x, isValid);
    const b = v128.and(v128.load(down + offset), isValid);
    const pair = squares + (<usize>column << 4);
    addPairs(pair, i32x4.extmul_low_i16x8_s(a, a), i32x4.extmul_low_i16x8_s(b, b), enters);
    addPairs(pair + 64, i32x4.extmul_high_i16x8_s(a, a), i32x4.extmul_high_i16x8_s(b, b), enters);
    addEightProducts(products + (<usize>column << 3), a, b, enters);
  }
}

// @ts-ignore: decorator
@inline
function coherenceAt(squares: usize, products: usize): v128 {
  const a = v128.load(squares);
  const b = v128.load(squares, 16);
  return coherencePair(v128.shuffle<f64>(a, b, 0, 2), v128.shuffle<f64>(a, b, 1, 3), v128.load(products));
}

/**
 * Coherence of the structure tensor of each window; INVALID where the gradient is. `lines` holds two rows of pairs of
 * float64 and two of float64.
 */
export function coherence(
  across: usize, down: usize, out: usize, columns: i32, rows: i32, radius: i32, lines: usize,
): void {
  const invalid = i16x8.splat(<i16>INVALID);
  const bytes = (<usize>columns << 3) + 64;
  const squareLine = lines;
  const productLine = lines + 2 * bytes;
  const squareSums = lines + 3 * bytes;
  const productSums = lines + 5 * bytes;
  memory.fill(lines, 0, 3 * bytes);
  for (let row = -radius; row < rows; row++) {
    if (row + radius < rows) {
      const offset = <usize>((row + radius) * columns) << 1;
      addTensors(squareLine, productLine, across + offset, down + offset, columns, true);
    }
    if (row > radius) {
      const offset = <usize>((row - radius - 1) * columns) << 1;
      addTensors(squareLine, productLine, across + offset, down + offset, columns, false);
    }
    if (row < 0) continue;
    slide<v128>(squareLine, squareSums, columns, radius);
    slide<f64>(productLine, productSums, columns, radius);
    const start = <usize>(row * columns) << 1;
    for (let column = 0; column < columns; column += 8) {
      const at = start + (<usize>column << 1);
      const squares = squareSums + (<usize>column << 4);
      const products = productSums + (<usize>column << 3);
      const low = wholes(coherenceAt(squares, products), coherenceAt(squares + 32, products + 16));
      const high = wholes(coherenceAt(squares + 64, products + 32), coherenceAt(squares + 96, products + 48));
      const off = i16x8.eq(v128.load(across + at), invalid);
      v128.store(out + at, v128.bitselect(invalid, i16x8.narrow_i32x4_s(low, high), off));
    }
  }
}

// ---- Rules of land cover ------------------------------------------------------------------------------------------

/** `plane - value`; INVALID where the plane is. */
export function minus(plane: usize, out: usize, count: i32, value: i32): void {
  const invalid = i16x8.splat(<i16>INVALID);
  const values = i16x8.splat(<i16>value);
  for (let i = 0; i < count; i += 8) {
    const at = <usize>i << 1;
    const x = v128.load(plane + at);
    v128.store(out + at, v128.bitselect(invalid, i16x8.sub(x, values), i16x8.eq(x, invalid)));
  }
}

/** Water that needs no forest; `mndwi` is 0 without a shortwave infrared band. */
// @ts-ignore: decorator
@inline
function surelyWater(ndvi: v128, ndwi: v128, mndwi: usize, nir: v128): v128 {
  const isDark = v128.and(i16x8.lt_s(ndvi, i16x8.splat(1000)), i16x8.lt_s(nir, i16x8.splat(1200)));
  let isWater = i16x8.gt_s(ndwi, i16x8.splat(500));
  if (mndwi != 0) {
    const wet = v128.and(i16x8.gt_s(v128.load(mndwi), i16x8.splat(3000)), i16x8.gt_s(ndwi, i16x8.splat(0)));
    isWater = v128.or(isWater, wet);
  }
  return v128.and(isDark, isWater);
}

// @ts-ignore: decorator
@inline
function storeBytes(at: usize, values: v128): void {
  store<u64>(at, <u64>i64x2.extract_lane(i8x16.narrow_i16x8_s(values, values), 0));
}

/** 1 where the rules are sure of water, as bytes. */
export function sureWater(ndvi: usize, ndwi: usize, mndwi: usize, nir: usize, out: usize, count: i32): void {
  for (let i = 0; i < count; i += 8) {
    const at = <usize>i << 1;
    const swir: usize = mndwi == 0 ? 0 : mndwi + at;
    const sure = surelyWater(v128.load(ndvi + at), v128.load(ndwi + at), swir, v128.load(nir + at));
    storeBytes(out + <usize>i, v128.and(sure, i16x8.splat(1)));
  }
}

/**
 * Class of the pixels that rules can tell at more than 3.2 m, as bytes; 0 elsewhere and where `mask` is not 1.
 * `dense` and `sparse` limit the density of towns and of land.
 */
export function coarseSeeds(
  mask: usize, ndvi: usize, ndwi: usize, mndwi: usize, nir: usize, density: usize, out: usize, count: i32,
  dense: i32, sparse: i32, water: i32, urban: i32, nonurban: i32,
): void {
  const zero = i16x8.splat(0);
  for (let i = 0; i < count; i += 8) {
    const at = <usize>i << 1;
    const swir: usize = mndwi == 0 ? 0 : mndwi + at;
    const green = v128.load(ndvi + at);
    const wet = v128.load(ndwi + at);
    const far = v128.load(nir + at);
    let likely = v128.and(
      v128.and(i16x8.lt_s(green, i16x8.splat(2000)), i16x8.lt_s(far, i16x8.splat(1200))),
      i16x8.gt_s(wet, i16x8.splat(-1000)),
    );
    if (swir != 0) likely = v128.and(likely, i16x8.gt_s(v128.load(swir), i16x8.splat(-500)));
    const isWater = v128.or(surelyWater(green, wet, swir, far), likely);
    const possible = v128.and(i16x8.gt_s(wet, i16x8.splat(-1500)), i16x8.lt_s(far, i16x8.splat(1500)));
    const around = v128.load(density + at);
    const isUrban = i16x8.ge_s(around, i16x8.splat(<i16>dense));
    const isOpen = i16x8.le_s(around, i16x8.splat(<i16>sparse));
    const land = v128.bitselect(
      i16x8.splat(<i16>urban),
      v128.and(isOpen, i16x8.splat(<i16>nonurban)),
      isUrban,
    );
    const seed = v128.bitselect(i16x8.splat(<i16>water), v128.bitselect(zero, land, possible), isWater);
    const isAsked = i16x8.eq(v128.load8x8_u(mask + <usize>i), i16x8.splat(1));
    storeBytes(out + <usize>i, v128.and(seed, isAsked));
  }
}

// ---- Clouds ----------------------------------------------------------------------------------------------------------

/** Classes of `cloud/potential-cloud.ts`. */
const CLEAR: i32 = 1;
const POTENTIAL_CLOUD: i32 = 2;
const SNOW: i32 = 3;

// @ts-ignore: decorator
@inline
function times(x: v128, factor: i32): v128 {
  return i32x4.mul(x, i32x4.splat(factor));
}

// @ts-ignore: decorator
@inline
function above(x: v128, limit: i32): v128 {
  return i32x4.gt_s(x, i32x4.splat(limit));
}

/** Four pixels at an address as int32. */
// @ts-ignore: decorator
@inline
function fourAt(at: usize): v128 {
  return lowOf(v128.load64_zero(at));
}

/** What passes for a cloud by brightness, haze, whiteness and near infrared. `nir` and `swir2` are 0 where absent. */
// @ts-ignore: decorator
@inline
function looksLikeCloud(
  b: v128, g: v128, r: v128, nir: usize, swir2: usize, offset: usize, leastTotal: i32, mostNdviTenths: i32,
): v128 {
  const total = i32x4.add(i32x4.add(b, g), r);
  const apart = i32x4.add(
    i32x4.add(i32x4.abs(i32x4.sub(times(b, 3), total)), i32x4.abs(i32x4.sub(times(g, 3), total))),
    i32x4.abs(i32x4.sub(times(r, 3), total)),
  );
  const isWhite = i32x4.lt_s(times(apart, 10), times(total, 7));
  const isHazy = above(i32x4.sub(i32x4.shl(b, 1), r), 1600);
  let passes = v128.and(v128.and(isWhite, isHazy), above(total, leastTotal - 1));
  if (swir2 != 0) passes = v128.and(passes, above(fourAt(swir2 + offset), 300));
  if (nir == 0) return passes;
  const n = fourAt(nir + offset);
  const sum = i32x4.add(n, r);
  const isGreen = v128.and(
    above(sum, 0),
    i32x4.ge_s(times(i32x4.sub(n, r), 10), times(sum, mostNdviTenths)),
  );
  const isDark = i32x4.lt_s(times(n, 30), times(total, 7));
  return v128.andnot(passes, v128.or(isGreen, isDark));
}

// @ts-ignore: decorator
@inline
function cloudClasses(
  blue: usize, green: usize, red: usize, nir: usize, swir1: usize, swir2: usize, cirrus: usize, thermal: usize,
  offset: usize, leastTotal: i32, mostNdviTenths: i32, brighterThanGround: i32, cirrusAbove: i32,
): v128 {
  const b = fourAt(blue + offset);
  const g = fourAt(green + offset);
  const r = fourAt(red + offset);
  const n = nir == 0 ? b : fourAt(nir + offset);
  const isBright = above(i32x4.min_s(i32x4.min_s(b, g), i32x4.min_s(r, n)), brighterThanGround - 1);
  let isCloud = v128.or(isBright, looksLikeCloud(b, g, r, nir, swir2, offset, leastTotal, mostNdviTenths));
  let isSnow = i32x4.splat(0);
  if (swir1 != 0) {
    const s = fourAt(swir1 + offset);
    if (nir != 0) {
      const isGround = v128.and(above(s, 0), i32x4.le_s(times(n, 4), times(s, 3)));
      isCloud = v128.andnot(isCloud, isGround);
    }
    const sum = i32x4.add(g, s);
    const difference = times(i32x4.sub(g, s), 10);
    isSnow = v128.and(
      v128.and(above(sum, 0), i32x4.gt_s(difference, times(sum, 4))),
      above(g, 1000),
    );
    if (nir != 0) isSnow = v128.and(isSnow, above(n, 1100));
    const isIce = v128.and(
      i32x4.lt_s(difference, times(sum, 8)),
      v128.and(above(g, 4500), above(s, 1500)),
    );
    isCloud = v128.or(v128.andnot(isCloud, isSnow), v128.and(isSnow, isIce));
    isSnow = v128.andnot(isSnow, isIce);
  }
  if (thermal != 0) {
    const isWarm = above(fourAt(thermal + offset), 30015);
    isCloud = v128.andnot(isCloud, isWarm);
    isSnow = v128.andnot(isSnow, isWarm);
  }
  if (cirrus != 0) {
    const isHigh = above(fourAt(cirrus + offset), cirrusAbove);
    isCloud = v128.or(isCloud, isHigh);
    isSnow = v128.andnot(isSnow, isHigh);
  }
  return v128.bitselect(
    i32x4.splat(POTENTIAL_CLOUD),
    v128.bitselect(i32x4.splat(SNOW), i32x4.splat(CLEAR), isSnow),
    isCloud,
  );
}

/**
 * Class of each pixel by its spectrum, as bytes; 0 where `valid` is. Planes that are absent are 0. Clouds are of
 * `leastTotal` at least in the sum of their visible bands, and below `mostNdviTenths` tenths of NDVI. Pixels of
 * `brighterThanGround` in every band are clouds, as are pixels above `cirrusAbove` at 1.38 µm.
 */
export function potentialClouds(
  valid: usize, blue: usize, green: usize, red: usize, nir: usize, swir1: usize, swir2: usize, cirrus: usize,
  thermal: usize, out: usize, count: i32, leastTotal: i32, mostNdviTenths: i32, brighterThanGround: i32, cirrusAbove: i32,
): void {
  for (let i = 0; i < count; i += 8) {
    const at = <usize>i << 1;
    const low = cloudClasses(
      blue, green, red, nir, swir1, swir2, cirrus, thermal, at, leastTotal, mostNdviTenths,
      brighterThanGround, cirrusAbove,
    );
    const high = cloudClasses(
      blue, green, red, nir, swir1, swir2, cirrus, thermal, at + 8, leastTotal, mostNdviTenths,
      brighterThanGround, cirrusAbove,
    );
    const isOff = i16x8.eq(v128.load8x8_u(valid + <usize>i), i16x8.splat(0));
    storeBytes(out + <usize>i, v128.andnot(i16x8.narrow_i32x4_s(low, high), isOff));
  }
}

// ---- Mixtures of water and land ----------------------------------------------------------------------------------

/** Bits of `water/water-mixture.ts`. */
const SEED: i64 = 1;
const COURSE: i64 = 2;
const BANK: i64 = 4;

/** Reflectance of water, and the least of land around it, ten-thousandths. */
const WATER_NIR: f64 = 200;
const LEAST_LAND_NIR: f64 = 800;
const WATER_SWIR: f64 = 100;
const LEAST_LAND_SWIR: f64 = 200;

/** Weights of a row, which are its near infrared, and their products with each of three planes. */
// @ts-ignore: decorator
@inline
function addMixtures(land: usize, wet: usize, nir: usize, swir: usize, ndwi: usize, columns: i32, enters: bool): void {
  for (let column = 0; column < columns; column += 8) {
    const offset = <usize>column << 1;
    // INVALID is below 0, and weighs nothing.
    const weight = i16x8.max_s(v128.load(nir + offset), i16x8.splat(0));
    const s = v128.load(swir + offset);
    const d = v128.load(ndwi + offset);
    const at = <usize>column << 4;
    addPairs(land + at, lowOf(weight), i32x4.extmul_low_i16x8_s(weight, weight), enters);
    addPairs(land + at + 64, highOf(weight), i32x4.extmul_high_i16x8_s(weight, weight), enters);
    addPairs(wet + at, i32x4.extmul_low_i16x8_s(weight, s), i32x4.extmul_low_i16x8_s(weight, d), enters);
    addPairs(wet + at + 64, i32x4.extmul_high_i16x8_s(weight, s), i32x4.extmul_high_i16x8_s(weight, d), enters);
  }
}

/** Whether a share of more than `fraction` has sunk from the land around to water. All is times the sum of weights. */
// @ts-ignore: decorator
@inline
function sinksBeyond(fraction: f64, land: v128, weights: v128, value: v128, water: f64): v128 {
  return f64x2.gt(
    f64x2.sub(land, f64x2.mul(value, weights)),
    f64x2.mul(f64x2.splat(fraction), f64x2.sub(land, f64x2.mul(weights, f64x2.splat(water)))),
  );
}

/** 1 for clear pixels, of which `mask` is 1, that are wet, bare and dark enough to begin a river. Answers how many. */
export function riverPixels(
  mask: usize, ndwi: usize, ndvi: usize, nir: usize, out: usize, count: i32, leastNdwi: i32, mostNdvi: i32, mostNir: i32,
): i32 {
  let found = 0;
  for (let i = 0; i < count; i += 8) {
    const at = <usize>i << 1;
    const isWet = i16x8.gt_s(v128.load(ndwi + at), i16x8.splat(<i16>leastNdwi));
    const isBare = i16x8.lt_s(v128.load(ndvi + at), i16x8.splat(<i16>mostNdvi));
    const isDark = i16x8.lt_s(v128.load(nir + at), i16x8.splat(<i16>mostNir));
    const isClear = i16x8.eq(v128.load8x8_u(mask + <usize>i), i16x8.splat(1));
    const fits = v128.and(v128.and(isWet, isBare), v128.and(isDark, isClear));
    storeBytes(out + <usize>i, v128.and(fits, i16x8.splat(1)));
    found += popcnt<i32>(i16x8.bitmask(fits) & (count - i >= 8 ? 255 : (1 << (count - i)) - 1));
  }
  return found;
}

/**
 * Which shares of water pixels have, as bits: enough to begin a river, to go on with it, and for its banks. Land around is
 * the mean of a window, weighted by the near infrared. Only `pixels` that are 1 begin one. `swir` is 0 without that band;
 * `lines` holds eight float64 a column and as many spare bytes as four lines have. Answers how many pixels begin a river.
 */
export function waterMixture(
  pixels: usize, nir: usize, swir: usize, ndwi: usize, out: usize, columns: i32, rows: i32, radius: i32, lines: usize,
  seedFraction: f64, seedRise: f64, courseFraction: f64, courseRise: f64, bankFraction: f64,
): i32 {
  let seeds = 0;
  const hasSwir = swir != 0;
  const other = hasSwir ? swir : nir;
  const bytes = (<usize>columns << 4) + 128;
  const landLine = lines;
  const wetLine = lines + bytes;
  const landSums = lines + 2 * bytes;
  const wetSums = lines + 3 * bytes;
  memory.fill(lines, 0, 2 * bytes);
  for (let row = -radius; row < rows; row++) {
    if (row + radius < rows) {
      const offset = <usize>((row + radius) * columns) << 1;
      addMixtures(landLine, wetLine, nir + offset, other + offset, ndwi + offset, columns, true);
    }
    if (row > radius) {
      const offset = <usize>((row - radius - 1) * columns) << 1;
      addMixtures(landLine, wetLine, nir + offset, other + offset, ndwi + offset, columns, false);
    }
    if (row < 0) continue;
    slide<v128>(landLine, landSums, columns, radius);
    slide<v128>(wetLine, wetSums, columns, radius);
    const start = <usize>(row * columns);
    for (let column = 0; column < columns; column += 2) {
      const at = start + <usize>column;
      const pair = <usize>column << 4;
      const a = v128.load(landSums + pair);
      const b = v128.load(landSums + pair, 16);
      const weights = v128.shuffle<f64>(a, b, 0, 2);
      const nirLand = v128.shuffle<f64>(a, b, 1, 3);
      const nirHere = doublesLow(lowOf(v128.load32_zero(nir + (at << 1))));
      const isLand = f64x2.gt(nirLand, f64x2.mul(weights, f64x2.splat(LEAST_LAND_NIR)));
      let seed = v128.and(isLand, sinksBeyond(seedFraction, nirLand, weights, nirHere, WATER_NIR));
      let course = v128.and(isLand, sinksBeyond(courseFraction, nirLand, weights, nirHere, WATER_NIR));
      let bank = v128.and(isLand, sinksBeyond(bankFraction, nirLand, weights, nirHere, WATER_NIR));
      const c = v128.load(wetSums + pair);
      const d = v128.load(wetSums + pair, 16);
      if (hasSwir) {
        const swirLand = v128.shuffle<f64>(c, d, 0, 2);
        const swirHere = doublesLow(lowOf(v128.load32_zero(swir + (at << 1))));
        const isBright = f64x2.gt(swirLand, f64x2.mul(weights, f64x2.splat(LEAST_LAND_SWIR)));
        seed = v128.and(seed, v128.and(isBright, sinksBeyond(seedFraction, swirLand, weights, swirHere, WATER_SWIR)));
        course = v128.and(course, v128.and(isBright, sinksBeyond(courseFraction, swirLand, weights, swirHere, WATER_SWIR)));
        bank = v128.and(isBright, sinksBeyond(bankFraction, swirLand, weights, swirHere, WATER_SWIR));
      }
      const ndwiLand = v128.shuffle<f64>(c, d, 1, 3);
      const ndwiHere = doublesLow(lowOf(v128.load32_zero(ndwi + (at << 1))));
      seed = v128.and(seed, f64x2.gt(f64x2.mul(f64x2.sub(ndwiHere, f64x2.splat(seedRise)), weights), ndwiLand));
      course = v128.and(course, f64x2.gt(f64x2.mul(f64x2.sub(ndwiHere, f64x2.splat(courseRise)), weights), ndwiLand));
      const bits = v128.or(
        v128.and(seed, i64x2.splat(SEED)),
        v128.or(v128.and(course, i64x2.splat(COURSE)), v128.and(bank, i64x2.splat(BANK))),
      );
      const first = <u8>i64x2.extract_lane(bits, 0) & (~<u8>SEED | load<u8>(pixels + at));
      const second = <u8>i64x2.extract_lane(bits, 1) & (~<u8>SEED | load<u8>(pixels + at, 1));
      store<u8>(out + at, first);
      store<u8>(out + at, second, 1);
      seeds += first & <u8>SEED;
      if (column + 1 < columns) seeds += second & <u8>SEED;
    }
  }
  return seeds;
}

// ---- Forests ---------------------------------------------------------------------------------------------------------

/** The next node of a pixel; a leaf is followed by itself. */
// @ts-ignore: decorator
@inline
function nextNode(nodes: usize, node: i32, features: usize): i32 {
  const at = nodes + (<usize>node << 3);
  const packed = load<i32>(at);
  const feature = packed & 31;
  const value = <i32>load<i16>(features + (<usize>feature << 1));
  const next = (packed >> 5) + i32(value > load<i32>(at, 4));
  return select<i32>(node, next, feature == 31);
}

// @ts-ignore: decorator
@inline
function isLeaf(nodes: usize, node: i32): bool {
  return (load<i32>(nodes + (<usize>node << 3)) & 31) == 31;
}

// @ts-ignore: decorator
@inline
function count(votes: usize, column: i32, classes: i32, nodes: usize, leaf: i32): void {
  const at = votes + <usize>(column * classes + (load<i32>(nodes + (<usize>leaf << 3)) >> 5));
  store<u8>(at, load<u8>(at) + 1);
}

/**
 * Adds the votes of the trees `from` to `until` for the active columns of a row, four columns at a time: each waits for its
 * nodes while the others go on. `features` holds `featureCount` int16 for each column, `votes` a byte for each class.
 */
export function vote(
  nodes: usize, roots: usize, from: i32, until: i32,
  features: usize, featureCount: i32, active: usize, length: i32, votes: usize, classes: i32,
): void {
  for (let tree = from; tree < until; tree++) {
    const root = load<i32>(roots + (<usize>tree << 2));
    for (let a = 0; a < length; a += 4) {
      const at = active + (<usize>a << 2);
      const last = length - a - 1;
      const c0 = load<i32>(at);
      const c1 = load<i32>(at + (<usize>min(1, last) << 2));
      const c2 = load<i32>(at + (<usize>min(2, last) << 2));
      const c3 = load<i32>(at + (<usize>min(3, last) << 2));
      const f0 = features + (<usize>(c0 * featureCount) << 1);
      const f1 = features + (<usize>(c1 * featureCount) << 1);
      const f2 = features + (<usize>(c2 * featureCount) << 1);
      const f3 = features + (<usize>(c3 * featureCount) << 1);
      let n0 = root;
      let n1 = root;
      let n2 = root;
      let n3 = root;
      while (!(isLeaf(nodes, n0) && isLeaf(nodes, n1) && isLeaf(nodes, n2) && isLeaf(nodes, n3))) {
        n0 = nextNode(nodes, n0, f0);
        n1 = nextNode(nodes, n1, f1);
        n2 = nextNode(nodes, n2, f2);
        n3 = nextNode(nodes, n3, f3);
      }
      count(votes, c0, classes, nodes, n0);
      if (last >= 1) count(votes, c1, classes, nodes, n1);
      if (last >= 2) count(votes, c2, classes, nodes, n2);
      if (last >= 3) count(votes, c3, classes, nodes, n3);
    }
  }
}
