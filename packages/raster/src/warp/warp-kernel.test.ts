import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { ControlLattice } from "@swath/kernel/raster-mathematics/control-lattice";
import { resample, type Resampling } from "@swath/kernel/raster-mathematics/resample";
import type { DataType } from "@swath/kernel/scenes/stored-raster";
import { BYTES_PER_SAMPLE, WarpKernel } from "./warp-kernel.ts";

const latticeOf = (widthPx: number, heightPx: number, x: readonly number[], y: readonly number[]): ControlLattice => ({
  widthPx,
  heightPx,
  cellPx: 16,
  columns: 3,
  rows: 2,
  x: Float64Array.from(x),
  y: Float64Array.from(y),
});

test("the vector kernel equals its reference bit by bit, with and without data, inside and outside", () => {
  const kernel = new WarpKernel();
  const [width, height] = [37, 29];
  const filters: readonly Resampling[] = [
    { kind: "nearest" },
    { kind: "bilinear" },
    { kind: "triangle", scaleX: 1.37, scaleY: 1.81 },
  ];
  const position = fc.oneof(
    { weight: 9, arbitrary: fc.double({ min: -6, max: 44, noNaN: true }) },
    { weight: 1, arbitrary: fc.constantFrom(Number.NaN, -1e12, 1e12) },
  );
  fc.assert(
    fc.property(
      fc.array(position, { minLength: 6, maxLength: 6 }),
      fc.array(position, { minLength: 6, maxLength: 6 }),
      fc.integer({ min: 17, max: 32 }),
      fc.integer({ min: 1, max: 9 }),
      fc.integer(),
      fc.constantFrom(0, 0.02, 0.5),
      (x, y, widthPx, heightPx, seed, holes) => {
        kernel.reset();
        let state = seed;
        const next = (): number => {
          state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
          return state / 2 ** 32;
        };
        const bands = [0, 1].map(() =>
          Float32Array.from({ length: width * height }, () => (next() < holes ? Number.NaN : 10_000 * next() - 3_000)),
        );
        const lattice = latticeOf(widthPx, heightPx, x, y);
        for (const filter of filters) {
          const source = kernel.allocate(2 * width * height * 4);
          for (const [i, band] of bands.entries()) kernel.floats(source + i * band.byteLength, band.length).set(band);
          const count = widthPx * heightPx;
          const out = kernel.allocateFloats(2 * count);
          const stack = { ptr: source, widthPx: width, heightPx: height, bands: 2 };
          kernel.warp(stack, lattice, filter, out, widthPx, count * 4);
          for (const [i, data] of bands.entries()) {
            const expected = resample({ widthPx: width, heightPx: height, data }, lattice, filter);
            assert.deepEqual(kernel.floats(out + i * count * 4, count), expected, filter.kind);
          }
        }
      },
    ),
    { numRuns: 150 },
  );
});

test("a mosaic takes each wanted pixel of the first scene that has a value in each band and no cloud", () => {
  const kernel = new WarpKernel();
  const pixels = 37;
  const gap = fc.oneof({ weight: 3, arbitrary: fc.integer({ min: -50, max: 50 }) }, fc.constant(Number.NaN));
  const row = fc.array(gap, { minLength: pixels, maxLength: pixels });
  const flags = fc.array(fc.constantFrom(0, 0, 1, 255), { minLength: pixels, maxLength: pixels });
  const scenes = fc.array(fc.record({ red: row, blue: row, clear: fc.option(flags) }), { minLength: 1, maxLength: 7 });
  const bytesOf = (values: readonly number[]): number => {
    const ptr = kernel.allocate(pixels);
    kernel.bytes(ptr, pixels).set(values);
    return ptr;
  };
  const floatsOf = (values: readonly number[]): number => {
    const ptr = kernel.allocateFloats(pixels);
    kernel.floats(ptr, pixels).set(values);
    return ptr;
  };
  fc.assert(
    fc.property(scenes, flags, fc.integer({ min: 1, max: pixels }), (all, wanted, count) => {
      kernel.reset();
      const mosaic = {
        choice: bytesOf(Array.from({ length: pixels }, () => 0)),
        wanted: bytesOf(wanted),
        planes: [kernel.allocateFloats(pixels), kernel.allocateFloats(pixels)],
        count,
      };
      let taken = 0;
      for (const [index, { red, blue, clear }] of all.entries()) {
        taken += kernel.takeFirst(mosaic, {
          number: index + 1,
          planes: [floatsOf(red), floatsOf(blue)],
          clear: clear === null ? null : bytesOf(clear),
        });
      }
      const expected = wanted.map((isWanted, pixel) => {
        if (isWanted === 0 || pixel >= count) return -1;
        return all.findIndex(
          ({ red, blue, clear }) => !Number.isNaN(red[pixel]) && !Number.isNaN(blue[pixel]) && clear?.[pixel] !== 0,
        );
      });
      assert.deepEqual(
        [...kernel.bytes(mosaic.choice, pixels)],
        expected.map((index) => index + 1),
      );
      assert.deepEqual(
        [...kernel.floats(mosaic.planes[1]!, pixels)],
        expected.map((index, pixel) => all[index]?.blue[pixel] ?? Number.NaN),
      );
      assert.equal(taken, expected.filter((index) => index >= 0).length);
    }),
  );
});

const ARRAYS = {
  uint8: Uint8Array,
  int8: Int8Array,
  uint16: Uint16Array,
  int16: Int16Array,
  uint32: Uint32Array,
  int32: Int32Array,
  float32: Float32Array,
  float64: Float64Array,
} as const;

test("differences of every sample size are undone", () => {
  const kernel = new WarpKernel();
  for (const dataType of ["uint8", "int16", "uint32", "float64"] as const satisfies readonly DataType[]) {
    const bytes = BYTES_PER_SAMPLE[dataType];
    const [width, height] = [32, 3];
    kernel.reset();
    const ptr = kernel.allocate(width * height * bytes);
    const words = bytes === 8 ? BigUint64Array : bytes === 4 ? Uint32Array : bytes === 2 ? Uint16Array : Uint8Array;
    const original = new Uint8Array(width * height * bytes).map((_, i) => (i * i * 31 + i) & 255);
    const values = new words(original.buffer);
    const differences = values.slice();
    for (let i = values.length - 1; i > 0; i--) {
      if (i % width === 0) continue;
      const [a, b] = [values[i]!, values[i - 1]!];
      differences[i] = typeof a === "bigint" && typeof b === "bigint" ? a - b : Number(a) - Number(b);
    }
    kernel.bytes(ptr, original.length).set(new Uint8Array(differences.buffer));
    kernel.undoPredictor(2, { ptr, dataType, widthPx: width }, height, 0);
    assert.deepEqual(Uint8Array.from(kernel.bytes(ptr, original.length)), original, dataType);
  }
});

test("byte planes of floating-point rows are put together again", () => {
  const kernel = new WarpKernel();
  for (const dataType of ["float32", "float64"] as const) {
    const [width, height] = [48, 2];
    const bytes = BYTES_PER_SAMPLE[dataType];
    const values = new ARRAYS[dataType](width * height);
    for (const i of values.keys()) values[i] = Math.sin(i) * 1e4;
    const plain = new Uint8Array(values.buffer);
    const planes = new Uint8Array(plain.length);
    const rowBytes = width * bytes;
    for (let row = 0; row < height; row++) {
      const at = row * rowBytes;
      for (let i = 0; i < width; i++) {
        for (let byte = 0; byte < bytes; byte++)
          planes[at + (bytes - 1 - byte) * width + i] = plain[at + i * bytes + byte]!;
      }
      for (let i = at + rowBytes - 1; i > at; i--) planes[i]! -= planes[i - 1]!;
    }
    kernel.reset();
    const ptr = kernel.allocate(planes.length);
    const scratch = kernel.allocate(rowBytes);
    kernel.bytes(ptr, planes.length).set(planes);
    kernel.undoPredictor(3, { ptr, dataType, widthPx: width }, height, scratch);
    assert.deepEqual(Uint8Array.from(kernel.bytes(ptr, planes.length)), plain);
  }
});

test("native pixels of every type become float32, nodata and infinities NaN", () => {
  const kernel = new WarpKernel();
  for (const [name, type] of Object.entries(ARRAYS)) {
    const dataType = name as DataType;
    const width = 19;
    const pixels = new type(width * 4);
    for (const i of pixels.keys()) pixels[i] = i % 7 === 3 ? 5 : i + 1;
    if (pixels instanceof Float32Array || pixels instanceof Float64Array) pixels[20] = Infinity;
    kernel.reset();
    const ptr = kernel.allocate(pixels.byteLength);
    kernel.bytes(ptr, pixels.byteLength).set(new Uint8Array(pixels.buffer));
    const target = kernel.allocateFloats(13 * 3);
    const rectangle = { fromX: 4, fromY: 1, toX: 1, toY: 1, widthPx: 11, heightPx: 2 };
    kernel.place({ ptr, dataType, widthPx: width }, rectangle, target, 13, 5);
    const got = kernel.floats(target, 39);
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 13; column++) {
        const inside = row >= 1 && column >= 1 && column < 12;
        const value = inside ? Number(pixels[row * width + column + 3]) : Number.NaN;
        assert.equal(got[row * 13 + column], value === 5 || !Number.isFinite(value) ? Number.NaN : value, dataType);
      }
    }
  }
});

test("colours follow the table and the coverage, and invisible pixels are all zero", () => {
  const kernel = new WarpKernel();
  const count = 11;
  const plane = kernel.allocateFloats(count);
  kernel.floats(plane, count).set([0, 10, 20, 30, 40, 50, 60, 70, Number.NaN, 1e9, -1e9]);
  const table = kernel.allocate(4_096);
  kernel.bytes(table, 4_096).set(Uint8Array.from({ length: 4_096 }, (_, i) => i >> 4));
  const coverage = kernel.allocate(count);
  kernel.bytes(coverage, count).set([255, 255, 0, 128, 255, 255, 0, 255, 255, 255, 255]);
  const out = kernel.allocate(count * 4);
  const range = { low: 0, high: 100 };
  const visible = kernel.compose(
    [plane, plane, plane],
    [range, range, { low: 0, high: 50 }],
    table,
    coverage,
    out,
    count,
  );
  assert.equal(visible, 8);
  const pixel = (i: number): readonly number[] => [...kernel.bytes(out + 4 * i, 4)];
  assert.deepEqual(pixel(1), [25, 25, 51, 255]);
  assert.deepEqual(pixel(2), [0, 0, 0, 0]);
  assert.deepEqual(pixel(3), [76, 76, 153, 128]);
  assert.deepEqual(pixel(8), [0, 0, 0, 0]);
  assert.deepEqual(pixel(9), [255, 255, 255, 255]);
  assert.deepEqual(pixel(10), [0, 0, 0, 255]);
});
