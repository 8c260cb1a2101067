// Pixel loops of the serving path. Compiled to warp.generated.ts by `npm run build:wasm`; called through ../warp-kernel.ts.
// Windows and planes are row-major float32; NaN means "no data". Addresses and strides are in bytes unless named Px.
// Source coordinates are pixel corners of the window: the centre of its first pixel is (0.5, 0.5).
// The same arithmetic, operation by operation, is in kernel/raster/resample.ts, which tests compare bit by bit.

const NAN4: v128 = f32x4.splat(f32.NaN);

/** First free byte of memory. */
export function heapBase(): usize {
  return __heap_base;
}

// ---- TIFF predictors -------------------------------------------------------------------------------------------

/** Undoes horizontal differencing (predictor 2) in place; `rowBytes` is a multiple of 16. */
export function undoPredictor2(ptr: usize, rowBytes: i32, rows: i32, bytesPerSample: i32): void {
  for (let row = 0; row < rows; row++) {
    const start = ptr + <usize>(row * rowBytes);
    const end = start + <usize>rowBytes;
    if (bytesPerSample == 1) prefixSum8(start, end);
    else if (bytesPerSample == 2) prefixSum16(start, end);
    else if (bytesPerSample == 4) prefixSum32(start, end);
    else prefixSum64(start, end);
  }
}

function prefixSum8(start: usize, end: usize): void {
  const zero = i8x16.splat(0);
  let carry = zero;
  for (let p = start; p < end; p += 16) {
    let x = v128.load(p);
    x = i8x16.add(x, v128.shuffle<u8>(zero, x, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30));
    x = i8x16.add(x, v128.shuffle<u8>(zero, x, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29));
    x = i8x16.add(x, v128.shuffle<u8>(zero, x, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27));
    x = i8x16.add(x, v128.shuffle<u8>(zero, x, 0, 0, 0, 0, 0, 0, 0, 0, 16, 17, 18, 19, 20, 21, 22, 23));
    x = i8x16.add(x, carry);
    v128.store(p, x);
    carry = v128.shuffle<u8>(x, x, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15);
  }
}

function prefixSum16(start: usize, end: usize): void {
  const zero = i16x8.splat(0);
  let carry = zero;
  for (let p = start; p < end; p += 16) {
    let x = v128.load(p);
    x = i16x8.add(x, v128.shuffle<u16>(zero, x, 0, 8, 9, 10, 11, 12, 13, 14));
    x = i16x8.add(x, v128.shuffle<u16>(zero, x, 0, 0, 8, 9, 10, 11, 12, 13));
    x = i16x8.add(x, v128.shuffle<u16>(zero, x, 0, 0, 0, 0, 8, 9, 10, 11));
    x = i16x8.add(x, carry);
    v128.store(p, x);
    carry = v128.shuffle<u16>(x, x, 7, 7, 7, 7, 7, 7, 7, 7);
  }
}

function prefixSum32(start: usize, end: usize): void {
  const zero = i32x4.splat(0);
  let carry = zero;
  for (let p = start; p < end; p += 16) {
    let x = v128.load(p);
    x = i32x4.add(x, v128.shuffle<u32>(zero, x, 0, 4, 5, 6));
    x = i32x4.add(x, v128.shuffle<u32>(zero, x, 0, 0, 4, 5));
    x = i32x4.add(x, carry);
    v128.store(p, x);
    carry = v128.shuffle<u32>(x, x, 3, 3, 3, 3);
  }
}

function prefixSum64(start: usize, end: usize): void {
  let sum: u64 = 0;
  for (let p = start; p < end; p += 8) {
    sum += load<u64>(p);
    store<u64>(p, sum);
  }
}

/** Undoes floating-point differencing (predictor 3) in place; `scratch` holds one row. */
export function undoPredictor3(ptr: usize, rowBytes: i32, rows: i32, bytesPerSample: i32, scratch: usize): void {
  for (let row = 0; row < rows; row++) {
    const start = ptr + <usize>(row * rowBytes);
    prefixSum8(start, start + <usize>rowBytes);
    memory.copy(scratch, start, <usize>rowBytes);
    // Byte planes follow each other, the most significant first.
    const width = <usize>(rowBytes / bytesPerSample);
    if (bytesPerSample == 4) {
      for (let i: usize = 0; i < width; i += 16) {
        const a = v128.load(scratch + i);
        const b = v128.load(scratch + width + i);
        const c = v128.load(scratch + 2 * width + i);
        const d = v128.load(scratch + 3 * width + i);
        const lowA = v128.shuffle<u8>(d, c, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const lowB = v128.shuffle<u8>(d, c, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const highA = v128.shuffle<u8>(b, a, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
        const highB = v128.shuffle<u8>(b, a, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
        const out = start + 4 * i;
        v128.store(out, v128.shuffle<u16>(lowA, highA, 0, 8, 1, 9, 2, 10, 3, 11));
        v128.store(out, v128.shuffle<u16>(lowA, highA, 4, 12, 5, 13, 6, 14, 7, 15), 16);
        v128.store(out, v128.shuffle<u16>(lowB, highB, 0, 8, 1, 9, 2, 10, 3, 11), 32);
        v128.store(out, v128.shuffle<u16>(lowB, highB, 4, 12, 5, 13, 6, 14, 7, 15), 48);
      }
    } else {
      const last = <usize>bytesPerSample - 1;
      for (let i: usize = 0; i < width; i++) {
        for (let byte: usize = 0; byte <= last; byte++) {
          store<u8>(start + i * <usize>bytesPerSample + (last - byte), load<u8>(scratch + byte * width + i));
        }
      }
    }
  }
}

// ---- Blocks to windows -----------------------------------------------------------------------------------------

export function fillNaN(ptr: usize, count: i32): void {
  let p = ptr;
  const end = ptr + <usize>count * 4;
  for (; p + 16 <= end; p += 16) v128.store(p, NAN4);
  for (; p < end; p += 4) store<f32>(p, f32.NaN);
}

/**
 * Copies a rectangle of native pixels into a window as float32; nodata and values that are not finite become NaN.
 * `type`: 0 uint8, 1 int8, 2 uint16, 3 int16, 4 uint32, 5 int32, 6 float32, 7 float64.
 */
export function place(
  type: i32,
  src: usize,
  srcStride: i32,
  widthPx: i32,
  rows: i32,
  dst: usize,
  dstStride: i32,
  hasNodata: i32,
  nodata: f64,
): void {
  const nodata4 = f32x4.splat(hasNodata ? <f32>nodata : f32.NaN);
  for (let row = 0; row < rows; row++) {
    const s = src + <usize>(row * srcStride);
    const d = dst + <usize>(row * dstStride);
    let i = 0;
    if (type == 0) {
      for (; i + 8 <= widthPx; i += 8) {
        const x = v128.load8x8_u(s + <usize>i);
        storeValid(d + <usize>(i * 4), f32x4.convert_i32x4_u(i32x4.extend_low_i16x8_u(x)), nodata4);
        storeValid(d + <usize>(i * 4 + 16), f32x4.convert_i32x4_u(i32x4.extend_high_i16x8_u(x)), nodata4);
      }
    } else if (type == 2) {
      for (; i + 4 <= widthPx; i += 4) {
        storeValid(d + <usize>(i * 4), f32x4.convert_i32x4_u(v128.load16x4_u(s + <usize>(i * 2))), nodata4);
      }
    } else if (type == 3) {
      for (; i + 4 <= widthPx; i += 4) {
        storeValid(d + <usize>(i * 4), f32x4.convert_i32x4_s(v128.load16x4_s(s + <usize>(i * 2))), nodata4);
      }
    } else if (type == 6) {
      for (; i + 4 <= widthPx; i += 4) {
        const x = v128.load(s + <usize>(i * 4));
        // Infinity minus infinity is NaN, any finite value minus itself is 0.
        const finite = f32x4.eq(f32x4.sub(x, x), f32x4.splat(0));
        storeValid(d + <usize>(i * 4), v128.bitselect(x, NAN4, finite), nodata4);
      }
    }
    for (; i < widthPx; i++) {
      const value = native(type, s, i);
      const invalid = value - value != 0 || (hasNodata && (value == nodata || (type == 6 && <f32>value == <f32>nodata)));
      store<f32>(d + <usize>(i * 4), invalid ? f32.NaN : <f32>value);
    }
  }
}

// @ts-ignore: decorator
@inline
function storeValid(ptr: usize, value: v128, nodata4: v128): void {
  v128.store(ptr, v128.bitselect(NAN4, value, f32x4.eq(value, nodata4)));
}

// @ts-ignore: decorator
@inline
function native(type: i32, ptr: usize, index: i32): f64 {
  const i = <usize>index;
  if (type == 0) return <f64>load<u8>(ptr + i);
  if (type == 1) return <f64>load<i8>(ptr + i);
  if (type == 2) return <f64>load<u16>(ptr + i * 2);
  if (type == 3) return <f64>load<i16>(ptr + i * 2);
  if (type == 4) return <f64>load<u32>(ptr + i * 4);
  if (type == 5) return <f64>load<i32>(ptr + i * 4);
  if (type == 6) return <f64>load<f32>(ptr + i * 4);
  return load<f64>(ptr + i * 8);
}

/** Makes NaN of every value whose mask value is 0 or NaN. */
export function applyMask(values: usize, mask: usize, count: i32): void {
  let i = 0;
  const zero = f32x4.splat(0);
  for (; i + 4 <= count; i += 4) {
    const at = <usize>(i * 4);
    v128.store(values + at, v128.bitselect(v128.load(values + at), NAN4, f32x4.gt(v128.load(mask + at), zero)));
  }
  for (; i < count; i++) {
    const at = <usize>(i * 4);
    if (!(load<f32>(mask + at) > 0)) store<f32>(values + at, f32.NaN);
  }
}

// ---- Warp ------------------------------------------------------------------------------------------------------

// One call fills one cell of the control lattice: out pixels [0, cellW) x [0, cellH) from `out` on.
// (x00, y00) is the source position of the cell's top-left corner, 10 top-right, 01 bottom-left, 11 bottom-right.

// @ts-ignore: decorator
@inline
function clampLow(value: f32, low: f32, high: f32): f32 {
  // NaN, a position without source, becomes `low`, which is padding.
  const raised: f32 = low < value ? value : low;
  return high < raised ? high : raised;
}

export function warpNearest(
  src: usize,
  srcBandStride: i32,
  bands: i32,
  srcW: i32,
  srcH: i32,
  out: usize,
  outBandStride: i32,
  outStride: i32,
  cellW: i32,
  cellH: i32,
  x00: f64,
  y00: f64,
  x10: f64,
  y10: f64,
  x01: f64,
  y01: f64,
  x11: f64,
  y11: f64,
): void {
  const highX = <f32>(srcW - 3);
  const highY = <f32>(srcH - 3);
  for (let row = 0; row < cellH; row++) {
    const t = (<f64>row + 0.5) / <f64>cellH;
    const xl = x00 + (x01 - x00) * t;
    const yl = y00 + (y01 - y00) * t;
    const dx = (x10 + (x11 - x10) * t - xl) / <f64>cellW;
    const dy = (y10 + (y11 - y10) * t - yl) / <f64>cellW;
    const sx = <f32>(xl + 0.5 * dx);
    const sy = <f32>(yl + 0.5 * dy);
    for (let i = 0; i < cellW; i++) {
      const column = <i32>clampLow(sx + <f32>dx * <f32>i, 1, highX);
      const line = <i32>clampLow(sy + <f32>dy * <f32>i, 1, highY);
      const at = <usize>((line * srcW + column) * 4);
      const to = out + <usize>(row * outStride + i * 4);
      for (let band = 0; band < bands; band++) {
        store<f32>(to + <usize>(band * outBandStride), load<f32>(src + <usize>(band * srcBandStride) + at));
      }
    }
  }
}

export function warpBilinear(
  src: usize,
  srcBandStride: i32,
  bands: i32,
  srcW: i32,
  srcH: i32,
  out: usize,
  outBandStride: i32,
  outStride: i32,
  cellW: i32,
  cellH: i32,
  x00: f64,
  y00: f64,
  x10: f64,
  y10: f64,
  x01: f64,
  y01: f64,
  x11: f64,
  y11: f64,
): void {
  const highX = <f32>(srcW - 3);
  const highY = <f32>(srcH - 3);
  const srcStride = <usize>(srcW * 4);
  const one4 = f32x4.splat(1);
  const lanes = f32x4(0, 1, 2, 3);
  for (let row = 0; row < cellH; row++) {
    const t = (<f64>row + 0.5) / <f64>cellH;
    const xl = x00 + (x01 - x00) * t;
    const yl = y00 + (y01 - y00) * t;
    const dx = (x10 + (x11 - x10) * t - xl) / <f64>cellW;
    const dy = (y10 + (y11 - y10) * t - yl) / <f64>cellW;
    const sx = <f32>(xl + 0.5 * dx - 0.5);
    const sy = <f32>(yl + 0.5 * dy - 0.5);
    const line = out + <usize>(row * outStride);
    let i = 0;
    for (; i + 4 <= cellW; i += 4) {
      const step = f32x4.add(f32x4.splat(<f32>i), lanes);
      let u = f32x4.add(f32x4.splat(sx), f32x4.mul(f32x4.splat(<f32>dx), step));
      let v = f32x4.add(f32x4.splat(sy), f32x4.mul(f32x4.splat(<f32>dy), step));
      u = f32x4.pmin(f32x4.pmax(one4, u), f32x4.splat(highX));
      v = f32x4.pmin(f32x4.pmax(one4, v), f32x4.splat(highY));
      const uf = f32x4.floor(u);
      const vf = f32x4.floor(v);
      const fx = f32x4.sub(u, uf);
      const fy = f32x4.sub(v, vf);
      const index = i32x4.add(i32x4.mul(i32x4.trunc_sat_f32x4_s(vf), i32x4.splat(srcW)), i32x4.trunc_sat_f32x4_s(uf));
      const a0 = <usize>(i32x4.extract_lane(index, 0) * 4);
      const a1 = <usize>(i32x4.extract_lane(index, 1) * 4);
      const a2 = <usize>(i32x4.extract_lane(index, 2) * 4);
      const a3 = <usize>(i32x4.extract_lane(index, 3) * 4);
      const gx = f32x4.sub(one4, fx);
      const gy = f32x4.sub(one4, fy);
      for (let band = 0; band < bands; band++) {
        const base = src + <usize>(band * srcBandStride);
        const below = base + srcStride;
        const t0 = v128.shuffle<u32>(v128.load64_zero(base + a0), v128.load64_zero(base + a1), 0, 4, 1, 5);
        const t1 = v128.shuffle<u32>(v128.load64_zero(base + a2), v128.load64_zero(base + a3), 0, 4, 1, 5);
        const b0 = v128.shuffle<u32>(v128.load64_zero(below + a0), v128.load64_zero(below + a1), 0, 4, 1, 5);
        const b1 = v128.shuffle<u32>(v128.load64_zero(below + a2), v128.load64_zero(below + a3), 0, 4, 1, 5);
        const p00 = v128.shuffle<u64>(t0, t1, 0, 2);
        const p01 = v128.shuffle<u64>(t0, t1, 1, 3);
        const p10 = v128.shuffle<u64>(b0, b1, 0, 2);
        const p11 = v128.shuffle<u64>(b0, b1, 1, 3);
        const top = f32x4.add(f32x4.mul(p00, gx), f32x4.mul(p01, fx));
        const bottom = f32x4.add(f32x4.mul(p10, gx), f32x4.mul(p11, fx));
        const value = f32x4.add(f32x4.mul(top, gy), f32x4.mul(bottom, fy));
        const to = line + <usize>(band * outBandStride + i * 4);
        v128.store(to, value);
        if (v128.any_true(f32x4.ne(value, value))) {
          v128.store(to, v128.bitselect(value, bilinearValid4(p00, p01, p10, p11, fx, fy), f32x4.eq(value, value)));
        }
      }
    }
    for (; i < cellW; i++) {
      const lx = clampLow(sx + <f32>dx * <f32>i, 1, highX);
      const ly = clampLow(sy + <f32>dy * <f32>i, 1, highY);
      for (let band = 0; band < bands; band++) {
        const value = bilinearValid(src + <usize>(band * srcBandStride), srcW, lx, ly);
        store<f32>(line + <usize>(band * outBandStride + i * 4), value);
      }
    }
  }
}

/** Bilinear of four points over their valid taps only; NaN when the pixel under the point is invalid. */
// @ts-ignore: decorator
@inline
function bilinearValid4(p00: v128, p01: v128, p10: v128, p11: v128, fx: v128, fy: v128): v128 {
  const half4 = f32x4.splat(0.5);
  const isLeft = f32x4.lt(fx, half4);
  const upper = v128.bitselect(p00, p01, isLeft);
  const lower = v128.bitselect(p10, p11, isLeft);
  const nearest = v128.bitselect(upper, lower, f32x4.lt(fy, half4));
  const known = f32x4.eq(nearest, nearest);
  if (!v128.any_true(known)) return NAN4;
  const one4 = f32x4.splat(1);
  const gx = f32x4.sub(one4, fx);
  const gy = f32x4.sub(one4, fy);
  const v00 = f32x4.eq(p00, p00);
  const v01 = f32x4.eq(p01, p01);
  const v10 = f32x4.eq(p10, p10);
  const v11 = f32x4.eq(p11, p11);
  const w00 = v128.and(f32x4.mul(gx, gy), v00);
  const w01 = v128.and(f32x4.mul(fx, gy), v01);
  const w10 = v128.and(f32x4.mul(gx, fy), v10);
  const w11 = v128.and(f32x4.mul(fx, fy), v11);
  let sum = f32x4.mul(v128.and(p00, v00), w00);
  sum = f32x4.add(sum, f32x4.mul(v128.and(p01, v01), w01));
  sum = f32x4.add(sum, f32x4.mul(v128.and(p10, v10), w10));
  sum = f32x4.add(sum, f32x4.mul(v128.and(p11, v11), w11));
  const weight = f32x4.add(f32x4.add(f32x4.add(w00, w01), w10), w11);
  return v128.bitselect(f32x4.div(sum, weight), NAN4, known);
}

/** Bilinear over the valid taps only; NaN when the pixel under the point is invalid. */
function bilinearValid(base: usize, srcW: i32, u: f32, v: f32): f32 {
  const uf = Mathf.floor(u);
  const vf = Mathf.floor(v);
  const fx = u - uf;
  const fy = v - vf;
  const gx: f32 = 1 - fx;
  const gy: f32 = 1 - fy;
  const at = base + <usize>((<i32>vf * srcW + <i32>uf) * 4);
  const below = at + <usize>(srcW * 4);
  const p00 = load<f32>(at);
  const p01 = load<f32>(at, 4);
  const p10 = load<f32>(below);
  const p11 = load<f32>(below, 4);
  const value: f32 = (p00 * gx + p01 * fx) * gy + (p10 * gx + p11 * fx) * fy;
  if (value == value) return value;
  const nearest: f32 = fy < 0.5 ? (fx < 0.5 ? p00 : p01) : fx < 0.5 ? p10 : p11;
  if (nearest != nearest) return f32.NaN;
  let sum: f32 = 0;
  let weight: f32 = 0;
  if (p00 == p00) {
    sum += p00 * (gx * gy);
    weight += gx * gy;
  }
  if (p01 == p01) {
    sum += p01 * (fx * gy);
    weight += fx * gy;
  }
  if (p10 == p10) {
    sum += p10 * (gx * fy);
    weight += gx * fy;
  }
  if (p11 == p11) {
    sum += p11 * (fx * fy);
    weight += fx * fy;
  }
  return sum / weight;
}

/** Triangle filter widened by `scaleX`, `scaleY` (1 to 2 source pixels per output pixel) over 4 x 4 taps. */
export function warpTriangle(
  src: usize,
  srcBandStride: i32,
  bands: i32,
  srcW: i32,
  srcH: i32,
  out: usize,
  outBandStride: i32,
  outStride: i32,
  cellW: i32,
  cellH: i32,
  x00: f64,
  y00: f64,
  x10: f64,
  y10: f64,
  x01: f64,
  y01: f64,
  x11: f64,
  y11: f64,
  scaleX: f64,
  scaleY: f64,
): void {
  const highX = <f32>(srcW - 3);
  const highY = <f32>(srcH - 3);
  const srcStride = <usize>(srcW * 4);
  const taps = f32x4(-1, 0, 1, 2);
  const one4 = f32x4.splat(1);
  const zero4 = f32x4.splat(0);
  const invX = f32x4.splat(<f32>(1 / scaleX));
  const invY = f32x4.splat(<f32>(1 / scaleY));
  for (let row = 0; row < cellH; row++) {
    const t = (<f64>row + 0.5) / <f64>cellH;
    const xl = x00 + (x01 - x00) * t;
    const yl = y00 + (y01 - y00) * t;
    const dx = (x10 + (x11 - x10) * t - xl) / <f64>cellW;
    const dy = (y10 + (y11 - y10) * t - yl) / <f64>cellW;
    const sx = <f32>(xl + 0.5 * dx - 0.5);
    const sy = <f32>(yl + 0.5 * dy - 0.5);
    const line = out + <usize>(row * outStride);
    for (let i = 0; i < cellW; i++) {
      const u = clampLow(sx + <f32>dx * <f32>i, 1, highX);
      const v = clampLow(sy + <f32>dy * <f32>i, 1, highY);
      const uf = Mathf.floor(u);
      const vf = Mathf.floor(v);
      const wx = f32x4.max(zero4, f32x4.sub(one4, f32x4.mul(f32x4.abs(f32x4.sub(taps, f32x4.splat(u - uf))), invX)));
      const wy = f32x4.max(zero4, f32x4.sub(one4, f32x4.mul(f32x4.abs(f32x4.sub(taps, f32x4.splat(v - vf))), invY)));
      const norm: f32 = 1 / (sum4(wx) * sum4(wy));
      const w0 = v128.shuffle<u32>(wy, wy, 0, 0, 0, 0);
      const w1 = v128.shuffle<u32>(wy, wy, 1, 1, 1, 1);
      const w2 = v128.shuffle<u32>(wy, wy, 2, 2, 2, 2);
      const w3 = v128.shuffle<u32>(wy, wy, 3, 3, 3, 3);
      const at = <usize>(((<i32>vf - 1) * srcW + <i32>uf - 1) * 4);
      for (let band = 0; band < bands; band++) {
        const p = src + <usize>(band * srcBandStride) + at;
        const upper = f32x4.add(f32x4.mul(v128.load(p), w0), f32x4.mul(v128.load(p + srcStride), w1));
        const lower = f32x4.add(f32x4.mul(v128.load(p + 2 * srcStride), w2), f32x4.mul(v128.load(p + 3 * srcStride), w3));
        let value: f32 = sum4(f32x4.mul(f32x4.add(upper, lower), wx)) * norm;
        if (value != value) value = triangleValid(p, srcStride, u - uf, v - vf, wx, wy);
        store<f32>(line + <usize>(band * outBandStride + i * 4), value);
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function sum4(x: v128): f32 {
  const pair = f32x4.add(x, v128.shuffle<u32>(x, x, 2, 3, 2, 3));
  return f32x4.extract_lane(pair, 0) + f32x4.extract_lane(pair, 1);
}

/** The triangle filter over valid taps only; NaN when the pixel under the point is invalid. */
function triangleValid(p: usize, srcStride: usize, fx: f32, fy: f32, wx: v128, wy: v128): f32 {
  const nearest = load<f32>(p + (fy < 0.5 ? srcStride : 2 * srcStride) + (fx < 0.5 ? 4 : 8));
  if (nearest != nearest) return f32.NaN;
  let sum: f32 = 0;
  let weight: f32 = 0;
  for (let j = 0; j < 4; j++) {
    const rowWeight = lane(wy, j);
    for (let i = 0; i < 4; i++) {
      const value = load<f32>(p + <usize>j * srcStride + <usize>(i * 4));
      if (value == value) {
        const w: f32 = rowWeight * lane(wx, i);
        sum += value * w;
        weight += w;
      }
    }
  }
  return sum / weight;
}

// @ts-ignore: decorator
@inline
function lane(x: v128, i: i32): f32 {
  if (i == 0) return f32x4.extract_lane(x, 0);
  if (i == 1) return f32x4.extract_lane(x, 1);
  if (i == 2) return f32x4.extract_lane(x, 2);
  return f32x4.extract_lane(x, 3);
}

// ---- Mosaics --------------------------------------------------------------------------------------------------

/**
 * Gives a scene the wanted pixels that no scene has so far and where each of its bands has a value.
 *
 * @param choice number of the scene of each pixel, 0 without one
 * @param clear 0 under clouds; the null address when no cloud is known
 * @param planes addresses of the bands of the scene, then of the mosaic
 * @returns number of pixels taken
 */
export function takeFirst(
  choice: usize,
  wanted: usize,
  clear: usize,
  number: i32,
  planes: usize,
  bands: i32,
  count: i32,
): i32 {
  const zero = i8x16.splat(0);
  let taken = 0;
  for (let i = 0; i < count; i += 16) {
    const at = <usize>i;
    let open = v128.and(i8x16.eq(v128.load(choice + at), zero), i8x16.ne(v128.load(wanted + at), zero));
    if (clear != 0) open = v128.and(open, i8x16.ne(v128.load(clear + at), zero));
    const bits = i8x16.bitmask(open);
    if (bits == 0) continue;
    for (let quarter = 0; quarter < 16; quarter += 4) {
      const first = i + quarter;
      const left = count - first;
      let four = (bits >> quarter) & 15;
      if (left < 4) four &= (1 << max(left, 0)) - 1;
      if (four == 0) continue;
      const offset = <usize>(first * 4);
      let valid = i32x4.splat(-1);
      for (let band = 0; band < bands; band++) {
        const value = v128.load(<usize>load<u32>(planes + <usize>(band * 4)) + offset);
        valid = v128.and(valid, f32x4.eq(value, value));
      }
      four &= i32x4.bitmask(valid);
      if (four == 0) continue;
      const mask = i32x4.ne(v128.and(i32x4.splat(four), i32x4(1, 2, 4, 8)), i32x4.splat(0));
      for (let band = 0; band < bands; band++) {
        const from = <usize>load<u32>(planes + <usize>(band * 4)) + offset;
        const to = <usize>load<u32>(planes + <usize>((bands + band) * 4)) + offset;
        v128.store(to, v128.bitselect(v128.load(from), v128.load(to), mask));
      }
      for (let lane = 0; lane < 4; lane++) {
        if (four & (1 << lane)) store<u8>(choice + <usize>(first + lane), <u8>number);
      }
      taken += popcnt(four);
    }
  }
  return taken;
}

// ---- Colour ----------------------------------------------------------------------------------------------------

/**
 * Three planes to RGBA through a table of 4096 bytes: index = round((value - low) * gain), clamped to 0..4095.
 * Alpha is `coverage`, 0 where a plane is NaN; pixels with alpha 0 are (0, 0, 0, 0).
 *
 * @returns number of pixels with alpha above 0
 */
export function compose(
  red: usize,
  green: usize,
  blue: usize,
  lowR: f32,
  gainR: f32,
  lowG: f32,
  gainG: f32,
  lowB: f32,
  gainB: f32,
  table: usize,
  coverage: usize,
  out: usize,
  count: i32,
): i32 {
  let visible = 0;
  let i = 0;
  const zero4 = f32x4.splat(0);
  const top4 = f32x4.splat(4095);
  for (; i + 4 <= count; i += 4) {
    const at = <usize>(i * 4);
    const alphas = load<u32>(coverage + <usize>i);
    if (alphas == 0) {
      v128.store(out + at, zero4);
      continue;
    }
    const r = v128.load(red + at);
    const g = v128.load(green + at);
    const b = v128.load(blue + at);
    const valid = v128.and(v128.and(f32x4.eq(r, r), f32x4.eq(g, g)), f32x4.eq(b, b));
    const ri = tableIndex(r, f32x4.splat(lowR), f32x4.splat(gainR), zero4, top4);
    const gi = tableIndex(g, f32x4.splat(lowG), f32x4.splat(gainG), zero4, top4);
    const bi = tableIndex(b, f32x4.splat(lowB), f32x4.splat(gainB), zero4, top4);
    const bits = i32x4.bitmask(valid);
    const p = out + at;
    visible += pixel(p, table, i32x4.extract_lane(ri, 0), i32x4.extract_lane(gi, 0), i32x4.extract_lane(bi, 0), bits & 1 ? alphas & 255 : 0);
    visible += pixel(p + 4, table, i32x4.extract_lane(ri, 1), i32x4.extract_lane(gi, 1), i32x4.extract_lane(bi, 1), bits & 2 ? (alphas >> 8) & 255 : 0);
    visible += pixel(p + 8, table, i32x4.extract_lane(ri, 2), i32x4.extract_lane(gi, 2), i32x4.extract_lane(bi, 2), bits & 4 ? (alphas >> 16) & 255 : 0);
    visible += pixel(p + 12, table, i32x4.extract_lane(ri, 3), i32x4.extract_lane(gi, 3), i32x4.extract_lane(bi, 3), bits & 8 ? alphas >> 24 : 0);
  }
  for (; i < count; i++) {
    const at = <usize>(i * 4);
    const r = load<f32>(red + at);
    const g = load<f32>(green + at);
    const b = load<f32>(blue + at);
    const alpha = r == r && g == g && b == b ? <u32>load<u8>(coverage + <usize>i) : 0;
    const ri = tableIndex(f32x4.splat(r), f32x4.splat(lowR), f32x4.splat(gainR), zero4, top4);
    const gi = tableIndex(f32x4.splat(g), f32x4.splat(lowG), f32x4.splat(gainG), zero4, top4);
    const bi = tableIndex(f32x4.splat(b), f32x4.splat(lowB), f32x4.splat(gainB), zero4, top4);
    visible += pixel(out + at, table, i32x4.extract_lane(ri, 0), i32x4.extract_lane(gi, 0), i32x4.extract_lane(bi, 0), alpha);
  }
  return visible;
}

// @ts-ignore: decorator
@inline
function tableIndex(value: v128, low: v128, gain: v128, zero4: v128, top4: v128): v128 {
  const scaled = f32x4.nearest(f32x4.mul(f32x4.sub(value, low), gain));
  return i32x4.trunc_sat_f32x4_s(f32x4.pmin(f32x4.pmax(zero4, scaled), top4));
}

// @ts-ignore: decorator
@inline
function pixel(ptr: usize, table: usize, r: i32, g: i32, b: i32, alpha: u32): i32 {
  if (alpha == 0) {
    store<u32>(ptr, 0);
    return 0;
  }
  const rgb =
    <u32>load<u8>(table + <usize>r) | (<u32>load<u8>(table + <usize>g) << 8) | (<u32>load<u8>(table + <usize>b) << 16);
  store<u32>(ptr, rgb | (alpha << 24));
  return 1;
}
