import assert from "node:assert/strict";
import { test } from "node:test";
import { Ajv } from "ajv";
import {
  ClassPolygons,
  Detections,
  MapAreas,
  MapMetadata,
} from "../packages/contract/src/features/maps/grid-file-schemas.ts";
import { placeObject } from "../packages/maps/src/analysis/place-object.ts";
import type { MapTypeDescriptor } from "../packages/maps/src/map-type.ts";
import { createMapTypes } from "../packages/maps/src/registry.ts";
import { renderInProcess } from "../packages/maps/src/render/render-in-process.ts";
import { gridRequest, jsonOf, sceneFixture } from "../packages/maps/src/render/testing.ts";

const SIZE = 64;
const mapTypes = createMapTypes([]);
const ajv = new Ajv({ strict: false });

const SCHEMAS: Readonly<Record<string, object>> = {
  "metadata.json": MapMetadata,
  "area.json": MapAreas,
  "detections.geojson": Detections,
  "attention_regions.geojson": Detections,
  "polygons.geojson": ClassPolygons,
};

const shape = {
  className: "ship",
  confidence: 0.9,
  count: 1,
  areaM2: 900,
  centre: [32, 32],
  corners: [
    [30, 31],
    [34, 31],
    [34, 33],
    [30, 33],
  ],
  properties: { lengthM: 40 },
} as const;
const objects = [shape, { ...shape, count: 3 }].map((one) =>
  placeObject(one, (column, row) => [9 + column * 1e-4, 49.7 - row * 1e-4]),
);

/** Stripes of all classes, or all values of the range, of each layer. */
function planesOf({ rendering }: MapTypeDescriptor): readonly (Uint8Array | Float32Array)[] {
  assert.equal(rendering.kind, "result");
  return rendering.layers.map((layer) => {
    const share = (i: number): number => (i % SIZE) / SIZE;
    if (layer.kind === "values") {
      const [low, high] = layer.range;
      return Float32Array.from({ length: SIZE * SIZE }, (_, i) => low + (high - low) * share(i));
    }
    const { classes } = layer;
    const valueAt = (i: number): number => classes[Math.floor(share(i) * classes.length)]?.value ?? 0;
    return Uint8Array.from({ length: SIZE * SIZE }, (_, i) => valueAt(i));
  });
}

async function check(
  id: string,
  fileNames: readonly string[],
  fixture: Awaited<ReturnType<typeof sceneFixture>>,
): Promise<void> {
  using renderer = renderInProcess(fixture.local, 2 ** 22);
  for (const name of fileNames) {
    const schema = SCHEMAS[name];
    assert.ok(schema !== undefined, `${id} ${name} has no schema`);
    const target = { kind: "scene", maxSizePx: SIZE } as const;
    const result = { objects, metadata: {} };
    const file = jsonOf(await renderer.render(gridRequest(fixture.stored, id, name, target, { result })));
    const accepts = ajv.compile(schema);
    assert.ok(accepts(file), `${id} ${name}: ${ajv.errorsText(accepts.errors)}`);
    assert.ok(!accepts({ type: "Polygon", mapType: 1 }), `${name} accepts anything`);
  }
}

test("JSON and GeoJSON of every analysed map type are as the document describes them", async () => {
  const analysed = mapTypes.all.filter(({ rendering }) => rendering.kind === "result");
  assert.ok(analysed.length >= 4);
  for (const mapType of analysed) {
    const bands = planesOf(mapType);
    const isClass = bands.every((plane) => plane instanceof Uint8Array);
    await using fixture = await sceneFixture({
      widthPx: SIZE,
      heightPx: SIZE,
      bands,
      roles: bands.map(() => null),
      quantity: isClass ? "class" : "other",
      nodata: isClass ? 0 : null,
    });
    const { json = [], geojson = [] } = mapType.gridFiles;
    await check(mapType.id, [...json, ...geojson], fixture);
  }
});

test("JSON of a picture and of an index is as the document describes it", async () => {
  const roles = ["B", "G", "R", "N"] as const;
  const bands = roles.map((_, band) =>
    Float32Array.from({ length: SIZE * SIZE }, (__, i) => ((i + band) % SIZE) / SIZE),
  );
  await using fixture = await sceneFixture({ widthPx: SIZE, heightPx: SIZE, bands, roles, quantity: "reflectance" });
  for (const id of ["imagery", "ndvi"]) await check(id, mapTypes.find(id)?.gridFiles.json ?? [], fixture);
});
