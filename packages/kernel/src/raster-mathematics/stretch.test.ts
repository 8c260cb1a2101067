import assert from "node:assert/strict";
import { test } from "node:test";
import type { StoredBand } from "../scenes/stored-raster.ts";
import { defaultStretch, percentileStretch, stretchTable, type StretchBand } from "./stretch.ts";

function band(
  more: Partial<StoredBand> & { readonly bitDepth?: number; readonly reflectance?: StretchBand["reflectance"] },
): StretchBand {
  const { bitDepth = 16, reflectance = null, ...stored } = more;
  const statistics = {
    validPixels: 5_000,
    min: 1,
    max: 9_000,
    mean: 0,
    std: 1,
    p005: 50,
    p05: 90,
    p50: 1_000,
    p95: 3_000,
    p995: 4_000,
  };
  return {
    bitDepth,
    reflectance,
    stored: {
      key: "k",
      role: null,
      quantity: "other",
      dataType: "uint16",
      widthPx: 1,
      heightPx: 1,
      geotransform: [1, 0, 0, 0, -1, 0],
      nodata: null,
      maskKey: null,
      palette: null,
      statistics,
      ...stored,
    },
  };
}

test("reflectance is shown from 0 to 0.3, or 0.35 when its median is above 0.25, with gamma 1/1.4", () => {
  const dark = band({ reflectance: { mult: 1e-4, add: -0.1 } });
  const stretch = defaultStretch([dark]);
  assert.ok(Math.abs((stretch.ranges[0]?.low ?? 0) - 1_000) < 1e-9);
  assert.ok(Math.abs((stretch.ranges[0]?.high ?? 0) - 4_000) < 1e-9);
  assert.equal(stretch.gamma, 1 / 1.4);
  const bright = band({ reflectance: { mult: 3e-4, add: 0 } });
  assert.ok(Math.abs((defaultStretch([bright]).ranges[0]?.high ?? 0) - 0.35 / 3e-4) < 1e-9);
});

test("bytes are shown as they are, other integers up to the scene's 99.5th percentile", () => {
  assert.deepEqual(defaultStretch([band({ dataType: "uint8" })]), { ranges: [{ low: 0, high: 255 }], gamma: 1 });
  assert.deepEqual(defaultStretch([band({})]).ranges, [{ low: 0, high: 4_000 }]);
  const empty = { ...band({}).stored.statistics, p995: 0, max: 3 };
  assert.deepEqual(defaultStretch([band({ statistics: empty, bitDepth: 12 })]).ranges, [{ low: 0, high: 4_096 }]);
});

test("percentiles need a thousand pixels and a spread, in every band", () => {
  const { statistics } = band({}).stored;
  assert.deepEqual(percentileStretch([band({})]), { ranges: [{ low: 50, high: 4_000 }], gamma: 1 });
  assert.equal(percentileStretch([band({}), band({ statistics: { ...statistics, validPixels: 999 } })]), null);
  assert.equal(percentileStretch([band({ statistics: { ...statistics, p995: 50 } })]), null);
});

test("the table is the identity without gamma and keeps its ends with it", () => {
  const linear = stretchTable(1);
  for (let value = 0; value < 256; value++) assert.equal(linear[Math.round((value / 255) * 4_095)], value);
  const curved = stretchTable(1 / 1.4);
  assert.equal(curved[0], 0);
  assert.equal(curved[4_095], 255);
  assert.equal(curved[2_048], Math.round(255 * (2_048 / 4_095) ** (1 / 1.4)));
});
