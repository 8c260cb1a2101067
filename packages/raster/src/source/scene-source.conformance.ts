import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createProjection } from "@swath/kernel/crs/projection";
import { areaKm2 } from "@swath/kernel/geometry/area";
import { splitBounds, mbr } from "@swath/kernel/geometry/mbr";
import { overlapsEnough, prepareArea } from "@swath/kernel/geometry/intersection-ratio";
import { validateGeoJson } from "@swath/kernel/geometry/validate-geometry";
import type { Bounds, MultiPolygon } from "@swath/kernel/geometry/geojson";
import { applyAffine, invertAffine } from "@swath/kernel/raster-mathematics/affine";
import { parseSceneId } from "@swath/kernel/scenes/scene-id";
import type { Scene } from "@swath/kernel/scenes/scene";
import type { SourceRaster } from "../source-raster.ts";
import { compareKeys, keyOf } from "@swath/kernel/scenes/scene-key";
import type { SceneSource, SourceQuery } from "./scene-source.ts";

/** A source under test, with a search whose answer has at least three scenes and at most two hundred. */
export interface SourceSubject {
  readonly name: string;
  /** Called once; the suite disposes the source. */
  readonly open: () => Promise<SceneSource>;
  readonly provider: string;
  readonly dataset: string;
  /** Normal form. */
  readonly extent: MultiPolygon;
  /** Half-open interval, milliseconds since 1970. */
  readonly fromMs: number;
  readonly toMs: number;
  /** False when scenes of the dataset have no pixels to be read. Default true. */
  readonly hasPixels?: boolean;
  /** An identifier of the right form that no scene has. */
  readonly absentSceneId: string;
}

const MAX_SCENES = 200;
const never = new AbortController().signal;

/** A subject with its open source. */
interface Suite {
  readonly subject: SourceSubject;
  readonly source: () => SceneSource;
}

/** Tests of every source; call it from the test of each. */
export function conformsToSource(subject: SourceSubject): void {
  let source: SceneSource;
  before(async () => {
    source = await subject.open();
  });
  after(async () => {
    await source[Symbol.asyncDispose]();
  });
  const suite: Suite = { subject, source: () => source };
  testSearch(suite);
  testScenes(suite);
  if (subject.hasPixels !== false) testPixels(suite);
}

function query({ subject }: Suite, more: Partial<SourceQuery> = {}): SourceQuery {
  const { provider, dataset, extent, fromMs, toMs } = subject;
  const boxes = splitBounds(mbr(extent));
  return { provider, dataset, extent, boxes, fromMs, toMs, after: null, limit: 100, ...more };
}

/** All pages, joined. Fails when they do not come to an end. */
async function all(suite: Suite, more: Partial<SourceQuery> = {}): Promise<readonly Scene[]> {
  const scenes: Scene[] = [];
  let afterKey = more.after ?? null;
  for (let pages = 0; pages <= MAX_SCENES + 1; pages++) {
    const page = await suite.source().search(query(suite, { ...more, after: afterKey }), never);
    assert.ok(page.scenes.length <= (more.limit ?? 100), "a page is larger than asked for");
    scenes.push(...page.scenes);
    const last = page.scenes.at(-1);
    if (page.end) return scenes;
    assert.ok(last !== undefined, "a page without scenes is not the end: nothing to ask after");
    afterKey = keyOf(last);
  }
  return assert.fail(`no end after ${MAX_SCENES} pages`);
}

/** Identifiers of the scenes that overlap the extent of the subject. */
function matching({ subject }: Suite, scenes: readonly Scene[]): readonly string[] {
  const area = prepareArea(subject.extent);
  return scenes
    .filter(({ footprint }) => overlapsEnough(area, prepareArea(footprint), { of: "extent", ratio: 0 }))
    .map(({ sceneId }) => sceneId);
}

function testSearch(suite: Suite): void {
  const { name, provider, dataset } = suite.subject;
  test(`${name}: a search finds scenes of the dataset, newest first, each once`, async () => {
    const scenes = await all(suite);
    assert.ok(scenes.length >= 3 && scenes.length <= MAX_SCENES, `${scenes.length} scenes`);
    assert.ok(matching(suite, scenes).length > 0, "no scene overlaps the extent");
    for (const [index, scene] of scenes.entries()) {
      assert.equal(scene.provider, provider);
      assert.equal(scene.dataset, dataset);
      const previous = scenes[index - 1];
      if (previous !== undefined) {
        assert.ok(compareKeys(keyOf(previous), keyOf(scene)) < 0, `${previous.sceneId} before ${scene.sceneId}`);
      }
    }
  });

  test(`${name}: pages of any size join to the same answer`, async () => {
    const whole = matching(suite, await all(suite, { limit: 1000 }));
    for (const limit of [1, 2, 7]) {
      assert.deepEqual(matching(suite, await all(suite, { limit })), whole, `limit ${limit}`);
    }
  });

  test(`${name}: what follows a scene is the rest of the answer`, async () => {
    const scenes = await all(suite, { limit: 1000 });
    const middle = scenes[Math.floor(scenes.length / 2)];
    assert.ok(middle !== undefined);
    const rest = await all(suite, { after: keyOf(middle) });
    const expected = scenes.slice(scenes.indexOf(middle) + 1);
    assert.deepEqual(matching(suite, rest), matching(suite, expected));
    const last = scenes.at(-1);
    assert.ok(last !== undefined);
    assert.deepEqual(matching(suite, await all(suite, { after: keyOf(last) })), []);
  });

  test(`${name}: the interval is half-open`, async () => {
    const scenes = await all(suite, { limit: 1000 });
    for (const scene of scenes) {
      const { acquiredAtMs } = keyOf(scene);
      assert.ok(acquiredAtMs >= suite.subject.fromMs - 999 && acquiredAtMs < suite.subject.toMs, scene.datetime);
    }
    const middle = scenes[Math.floor(scenes.length / 2)];
    assert.ok(middle !== undefined);
    const atMs = keyOf(middle).acquiredAtMs;
    const newer = await all(suite, { fromMs: atMs + 1000, limit: 1000 });
    const older = await all(suite, { toMs: atMs, limit: 1000 });
    assert.ok(newer.every((scene) => keyOf(scene).acquiredAtMs > atMs));
    assert.ok(older.every((scene) => keyOf(scene).acquiredAtMs < atMs));
    const same = scenes.filter((scene) => keyOf(scene).acquiredAtMs === atMs);
    assert.deepEqual(
      [...matching(suite, newer), ...matching(suite, same), ...matching(suite, older)],
      matching(suite, scenes),
    );
  });
}

function testScenes(suite: Suite): void {
  const { name, provider, dataset } = suite.subject;
  test(`${name}: footprints are valid, in normal form and have the area that is stated`, async () => {
    for (const { footprint, sceneId, areaKm2: stated } of await all(suite)) {
      assert.deepEqual(validateGeoJson(footprint, "/footprint"), [], sceneId);
      for (const [lon, lat] of footprint.coordinates.flat(2)) {
        assert.ok(Math.abs(lon) <= 180 && Math.abs(lat) <= 90, `${sceneId}: ${lon} ${lat}`);
      }
      const area = areaKm2(footprint);
      assert.ok(area > 0 && Math.abs(stated - area) <= Math.max(0.01, area * 0.001), `${sceneId}: ${stated}, ${area}`);
    }
  });

  test(`${name}: identifiers name provider and dataset, and find the same scene again`, async () => {
    const scenes = await all(suite);
    for (const { sceneId } of scenes) {
      const parts = parseSceneId(sceneId);
      assert.deepEqual([parts?.provider, parts?.dataset], [provider, dataset], sceneId);
    }
    for (const scene of scenes.slice(0, 3)) {
      assert.deepEqual(await suite.source().scene(scene.sceneId, never), scene);
    }
    assert.equal(await suite.source().scene(suite.subject.absentSceneId, never), null);
  });

  test(`${name}: bands and angles of scenes lie in their ranges`, async () => {
    for (const scene of await all(suite)) {
      for (const band of scene.bands) {
        assert.ok(band.names.length > 0 && band.gsd > 0 && band.bitDepth >= 1, scene.sceneId);
        assert.ok(band.approximateResolutionX > 0 && band.approximateResolutionY > 0, scene.sceneId);
      }
      assert.ok(scene.cloudCover === undefined || (scene.cloudCover >= 0 && scene.cloudCover <= 1));
      assert.ok(scene.sunElevation === undefined || Math.abs(scene.sunElevation) <= 90);
      assert.ok(scene.satellite.length > 0 && scene.foreignId.length > 0);
    }
  });

  test(`${name}: an aborted request ends as aborted`, async () => {
    const aborted = AbortSignal.abort(new Error("given up"));
    await assert.rejects(suite.source().search(query(suite), aborted), /given up|abort/iu);
    await assert.rejects(suite.source().scene(suite.subject.absentSceneId, aborted), /given up|abort/iu);
  });
}

function testPixels(suite: Suite): void {
  const { name } = suite.subject;
  test(`${name}: the rasters of an opened scene cover the window that was asked for`, async () => {
    const ids = new Set(matching(suite, await all(suite)));
    const scene = (await all(suite)).find(({ sceneId }) => ids.has(sceneId));
    assert.ok(scene !== undefined);
    const window = smallWindow(scene.footprint);
    await using opened = await suite.source().open(scene, { extent: window }, never);
    assert.ok(opened.rasters.length > 0 && opened.metadata.bands.length > 0);
    for (const { raster, band } of opened.metadata.bands) {
      const named = opened.rasters[raster];
      assert.ok(named !== undefined && named.raster.bands[band] !== undefined, `raster ${raster} band ${band}`);
    }
    for (const { name: rasterName, raster } of opened.rasters) {
      covers(raster, mbr(window), rasterName);
      const rows = await raster.readRows(0, Math.min(2, raster.heightPx), never);
      assert.equal(rows.length, raster.bands.length);
      assert.equal(rows[0]?.length, raster.widthPx * Math.min(2, raster.heightPx));
    }
  });
}

/** A hundredth of the sides of the largest part of a footprint, in the middle of it. */
function smallWindow(footprint: MultiPolygon): MultiPolygon {
  const parts = footprint.coordinates.map((coordinates): MultiPolygon => ({
    type: "MultiPolygon",
    coordinates: [coordinates],
  }));
  const largest = parts.toSorted((a, b) => areaKm2(b) - areaKm2(a))[0] ?? footprint;
  const [west, south, east, north] = mbr(largest);
  const [x, y, dx, dy] = [(west + east) / 2, (south + north) / 2, (east - west) / 200, (north - south) / 200];
  return {
    type: "MultiPolygon",
    coordinates: [
      [
        [
          [x - dx, y - dy],
          [x + dx, y - dy],
          [x + dx, y + dy],
          [x - dx, y + dy],
          [x - dx, y - dy],
        ],
      ],
    ],
  };
}

/** Rasters with control points only are taken by their word. */
function covers(raster: SourceRaster, [west, south, east, north]: Bounds, name: string): void {
  if (raster.georeference.kind !== "affine" || raster.crs === null) return;
  const { proj4 } = raster.crs;
  const inverse = invertAffine(raster.georeference.transform);
  const projection = createProjection(proj4);
  for (const [lon, lat] of [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
  ] as const) {
    const [x, y] = projection.forward(lon, lat);
    const [column, row] = applyAffine(inverse, x, y);
    assert.ok(column >= -1 && column <= raster.widthPx + 1, `${name}: column ${column} of ${raster.widthPx}`);
    assert.ok(row >= -1 && row <= raster.heightPx + 1, `${name}: row ${row} of ${raster.heightPx}`);
  }
}
