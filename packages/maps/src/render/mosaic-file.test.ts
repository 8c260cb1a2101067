import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { MosaicRule } from "@swath/kernel/raster-mathematics/mosaic";
import { SPECTRAL_INDICES } from "@swath/kernel/bands/spectral-index";
import type { GridRequest } from "./grid-renderer.ts";
import { joinFixtures } from "./mosaic-testing.ts";
import type { MosaicMember, MosaicSource } from "./mosaic-member.ts";
import { rgbaOf } from "./optical-scene-testing.ts";
import { renderInProcess } from "./render-in-process.ts";
import { bodyOf, gridRequest, jsonOf, sceneFixture, tileAt, type SceneFixture } from "./testing.ts";

const SIZE = 300;
/** At 9 degrees east, the corner of the fixtures of UTM zone 32N; the scenes lie south-east of it. */
const TILE = tileAt(9.02, 49.636, 13);
/** A scene on another grid than the others: half a pixel away. */
const MOVED = [10, 0, 500_005, 0, -10, 5_499_995] as const;

function plane(valueAt: (column: number, row: number) => number): Uint8Array {
  return Uint8Array.from({ length: SIZE * SIZE }, (_, i) => valueAt(i % SIZE, Math.floor(i / SIZE)));
}

/** An optical scene of bands B, G, R and N with data in some columns only. */
function scene(name: string, base: number, hasData: (column: number) => boolean, transform?: typeof MOVED) {
  const band = (offset: number): Uint8Array =>
    plane((column, row) => (hasData(column) ? 1 + ((base + offset + 7 * Math.floor(row / 9) + column) % 200) : 0));
  return sceneFixture({
    widthPx: SIZE,
    heightPx: SIZE,
    bands: [band(0), band(31), band(63), band(base)],
    roles: ["B", "G", "R", "N"],
    quantity: "display",
    nodata: 0,
    scene: { sceneId: name },
    ...(transform === undefined ? {} : { transform }),
  });
}

/** 1: clear, 2: cloud. */
const sky = sceneFixture({
  widthPx: SIZE,
  heightPx: SIZE,
  bands: [plane((_, row) => (row % 60 < 20 ? 2 : 1))],
  roles: [null],
  quantity: "class",
  nodata: 0,
});
const made: Promise<readonly SceneFixture[]> = Promise.all([
  scene("one", 10, (column) => column < 180),
  scene("two", 90, (column) => column >= 100, MOVED),
  scene("three", 140, () => true),
  sky,
]);
const fixtures = made.then(joinFixtures);
after(async () => {
  for (const fixture of await made) await fixture[Symbol.asyncDispose]();
});

interface DrawOptions {
  readonly order?: readonly number[];
  /** Whether the first scene has its clouds. */
  readonly clouds?: boolean;
  readonly file?: string;
  readonly mapType?: string;
  readonly from?: "local" | "remote";
  readonly more?: Partial<GridRequest>;
}

async function drawMosaic(rule: MosaicRule, options: DrawOptions = {}): Promise<ReturnType<typeof bodyOf>> {
  const { order = [0, 1, 2], clouds = false, file = "truecolor.png", mapType = "imagery", from = "local" } = options;
  const { stored, ...blobs } = await fixtures;
  const clearSky = { raster: stored[3].raster, layer: 0, value: 1 };
  const members = order.map((index): MosaicMember => ({
    ...stored[index],
    clearSky: clouds && index === 0 ? clearSky : null,
  }));
  const score = rule === "max" && mapType === "imagery" ? SPECTRAL_INDICES["ndvi"] : null;
  const mosaic: MosaicSource = { rule, members, score };
  const request = gridRequest(stored[0], mapType, file, TILE, {
    mosaic,
    stretch: { low: 0, high: 255 },
    ...options.more,
  });
  using renderer = renderInProcess(blobs[from], 16 * 2 ** 20);
  return bodyOf(await renderer.render(request));
}

let drawnPictures: Promise<readonly Uint8Array[]> | null = null;

/** The pictures of the single scenes, in the colours of the mosaic. */
function pictures(): Promise<readonly Uint8Array[]> {
  drawnPictures ??= drawPictures();
  return drawnPictures;
}

async function drawPictures(): Promise<readonly Uint8Array[]> {
  const { stored, local } = await fixtures;
  using renderer = renderInProcess(local, 16 * 2 ** 20);
  const drawn: Uint8Array[] = [];
  for (const one of stored.slice(0, 3)) {
    const request = gridRequest(one, "imagery", "truecolor.png", TILE, { stretch: { low: 0, high: 255 } });
    drawn.push(await rgbaOf(bodyOf(await renderer.render(request))));
  }
  return drawn;
}

/** Compares a mosaic with a picture made pixel by pixel; how many pixels have data. */
async function assertPixels(
  mosaic: Uint8Array,
  expectedAt: (valid: readonly Uint8Array[], at: number) => readonly number[] | null,
): Promise<number> {
  const rgba = await rgbaOf(mosaic);
  const singles = await pictures();
  let shown = 0;
  for (let at = 0; at < rgba.length; at += 4) {
    const valid = singles.filter((picture) => picture[at + 3] === 255);
    const expected = valid.length === 0 ? [0, 0, 0, 0] : expectedAt(valid, at);
    if (expected === null) continue;
    const isEqual = expected.every((value, channel) => rgba[at + channel] === value);
    if (!isEqual) assert.fail(`pixel ${at / 4} is ${rgba.subarray(at, at + 4).join()}, expected ${expected.join()}`);
    if (expected[3] === 255) shown++;
  }
  return shown;
}

interface DescribedMosaic {
  readonly scenes: readonly { readonly sceneId: string; readonly cloudsMasked: boolean; readonly areaM2?: number }[];
  readonly seamlines: {
    readonly features: readonly { readonly properties: { readonly sceneId: string; readonly areaM2: number } }[];
  } | null;
}

/** The members of metadata.json about the mosaic. */
function describedBy(body: Uint8Array): DescribedMosaic {
  return jsonOf({ kind: "file", mediaType: "application/json", body })["mosaic"] as DescribedMosaic;
}

test("the first rule shows the first scene with data, pixel for pixel as its own picture", async () => {
  const shown = await assertPixels(await drawMosaic("first"), ([first], at) => [...first.subarray(at, at + 4)]);
  assert.ok(shown > 10_000, `${shown} pixels`);
});

type Channels = (valid: readonly Uint8Array[], at: number) => readonly number[];

/** Red, green and blue of a pixel, each combined over the valid pictures. */
function channels(combine: (values: readonly number[]) => number): Channels {
  return (valid, at) => [0, 1, 2].map((channel) => combine(valid.map((picture) => picture[at + channel])));
}

test("the median and the mean of the scenes are those of their pictures", async () => {
  // Of an odd number the median is one of the values, whatever the rounding of colours.
  const median = await assertPixels(await drawMosaic("median"), (valid, at) =>
    valid.length % 2 === 0
      ? null
      : [...channels((values) => values.toSorted((a, b) => a - b)[values.length >> 1]!)(valid, at), 255],
  );
  assert.ok(median > 1000, `${median} pixels`);
  const rgba = await rgbaOf(await drawMosaic("mean"));
  const singles = await pictures();
  const mean = channels((values) => values.reduce((sum, one) => sum + one, 0) / values.length);
  for (let at = 0; at < rgba.length; at += 4) {
    const valid = singles.filter((picture) => picture[at + 3] === 255);
    if (valid.length === 0) continue;
    for (const [channel, value] of mean(valid, at).entries()) {
      assert.ok(Math.abs(rgba[at + channel] - value) <= 1, `pixel ${at / 4}: ${rgba[at + channel]}, expected ${value}`);
    }
  }
});

function areaOf({ scenes }: DescribedMosaic, index: number): number {
  return scenes[index].areaM2!;
}

test("clouds of a scene give its pixels to the next, and metadata states scenes, areas and seamlines", async () => {
  const clear = describedBy(await drawMosaic("first", { file: "metadata.json" }));
  const file = await drawMosaic("first", { file: "metadata.json", clouds: true });
  const mosaic = describedBy(file);
  assert.deepEqual(
    mosaic.scenes.map(({ sceneId, cloudsMasked }) => [sceneId, cloudsMasked]),
    [
      ["one", true],
      ["two", false],
      ["three", false],
    ],
  );
  assert.ok(areaOf(mosaic, 0) < areaOf(clear, 0));
  assert.ok(areaOf(mosaic, 0) > 0 && areaOf(mosaic, 1) > 0 && areaOf(mosaic, 2) > 0);
  for (const [index, id] of ["one", "two", "three"].entries()) {
    const own = mosaic.seamlines!.features.filter(({ properties }) => properties.sceneId === id);
    const area = own.reduce((sum, { properties }) => sum + properties.areaM2, 0);
    assert.ok(Math.abs(area - areaOf(mosaic, index)) < 1, `${id}: ${area} m2 inside its seamlines`);
  }
  const median = describedBy(await drawMosaic("median", { file: "metadata.json" }));
  assert.equal(median.seamlines, null);
});

async function areasOfMaximum(mapType: string): Promise<readonly number[]> {
  return describedBy(await drawMosaic("max", { mapType, file: "metadata.json" })).scenes.map(({ areaM2 }) => areaM2!);
}

async function maximumInOrder(order: readonly number[]): Promise<Uint8Array> {
  return await rgbaOf(await drawMosaic("max", { mapType: "ndvi", file: "ndvi.png", order, more: { stretch: null } }));
}

test("the maximum takes the scene with the highest index, of a picture and of the index itself", async () => {
  const [picture, index] = [await areasOfMaximum("imagery"), await areasOfMaximum("ndvi")];
  assert.deepEqual(picture, index);
  assert.ok(index.filter((area) => area > 0).length > 1, index.join());
  assert.deepEqual(await maximumInOrder([0, 1, 2]), await maximumInOrder([2, 1, 0]));
});

test("scenes of a remote store give the same bytes as local ones", async () => {
  for (const rule of ["first", "median", "max"] as const) {
    for (const mapType of ["imagery", "ndvi"]) {
      const options = { mapType, file: "analysis.geotiff", clouds: true };
      assert.deepEqual(await drawMosaic(rule, { ...options, from: "remote" }), await drawMosaic(rule, options));
    }
  }
});
