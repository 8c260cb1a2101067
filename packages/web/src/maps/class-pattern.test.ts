import assert from "node:assert/strict";
import { test } from "node:test";
import { drawPatterns, isMarked, markColour, PATTERN_PX } from "./class-pattern.ts";

const PIXELS = Array.from({ length: PATTERN_PX ** 2 }, (_, at) => [at % PATTERN_PX, Math.floor(at / PATTERN_PX)]);

function shapeOf(position: number): string {
  return PIXELS.map(([x = 0, y = 0]) => (isMarked(position, x, y) ? "#" : ".")).join("");
}

test("twelve classes have twelve patterns, and each leaves more of its colour than it covers", () => {
  const shapes = Array.from({ length: 12 }, (_, position) => shapeOf(position));
  assert.equal(new Set(shapes).size, 12);
  for (const shape of shapes) assert.ok(shape.replaceAll(".", "").length <= shape.length / 2, shape);
  assert.equal(shapeOf(12), shapeOf(0));
});

test("a mark contrasts with every colour by 4.5 or more", () => {
  const steps = [0, 51, 102, 153, 204, 255];
  for (const red of steps) {
    for (const green of steps) {
      for (const blue of steps) {
        const contrast = contrastOf([red, green, blue], markColour([red, green, blue]));
        assert.ok(contrast >= 4.5, `${[red, green, blue].join(",")}: ${contrast}`);
      }
    }
  }
});

test("pixels of a class are marked by its pattern, and all others stay", () => {
  const [water, town, other] = [
    [20, 60, 200, 255],
    [230, 60, 40, 255],
    [1, 2, 3, 255],
  ];
  const clear = [20, 60, 200, 0];
  const row = [water, town, other, clear].flatMap((pixel) => Array.from({ length: 8 }, () => pixel ?? [])).flat();
  const rgba = Uint8ClampedArray.from([...row, ...row]);
  drawPatterns(rgba, 32, { water: [20, 60, 200], town: [230, 60, 40] });
  for (let at = 0; at < 64; at += 1) {
    const [x, y] = [at % 32, Math.floor(at / 32)];
    const made = [...rgba.subarray(at * 4, at * 4 + 4)];
    const isTown = x >= 8 && x < 16;
    const expected = isTown && isMarked(1, x, y) ? [...markColour([230, 60, 40]), 255] : row.slice(x * 4, x * 4 + 4);
    assert.deepEqual(made, expected, `${x}, ${y}`);
  }
});

test("patterns of neighbouring tiles meet: a tile is whole repeats wide", () => {
  assert.equal(512 % PATTERN_PX, 0);
});

function contrastOf(one: readonly number[], other: readonly number[]): number {
  const [pale = 0, dark = 0] = [one, other].map(brightness).toSorted((a, b) => b - a);
  return (pale + 0.05) / (dark + 0.05);
}

function brightness([red = 0, green = 0, blue = 0]: readonly number[]): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
