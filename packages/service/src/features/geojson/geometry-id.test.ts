import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { test } from "node:test";
import * as fc from "fast-check";
import { geometryForm } from "./stored-form.ts";

interface Vector {
  readonly name: string;
  readonly input: unknown;
  readonly canonicalJson: string;
  readonly id: string;
}

interface Reference {
  readonly canonical: unknown;
  readonly jcs: string;
  readonly id: string;
}

const VECTORS = new URL("../../../../../docs/geojson-vectors.json", import.meta.url);
const REFERENCE = fileURLToPath(new URL("reference.py", import.meta.url));
const hasPython = spawnSync("python3", ["--version"]).status === 0;

function published(): readonly Vector[] {
  const { vectors } = JSON.parse(readFileSync(VECTORS, "utf8")) as { readonly vectors: readonly Vector[] };
  assert.ok(vectors.length >= 20);
  return vectors;
}

function reference(geometries: readonly unknown[]): readonly Reference[] {
  const answer = execFileSync("python3", [REFERENCE], {
    input: JSON.stringify(geometries),
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(answer) as readonly Reference[];
}

test("the published vectors hold", async () => {
  for (const { name, input, canonicalJson, id } of published()) {
    const form = await geometryForm(input, "");
    assert.equal(form.json, canonicalJson, name);
    assert.equal(form.geometryId, id, name);
    assert.match(id, /^[\w-]{43}$/u);
  }
});

test("the published vectors are what the reference computes", { skip: !hasPython && "python3 absent" }, () => {
  const vectors = published();
  const computed = reference(vectors.map(({ input }) => input));
  assert.deepEqual(
    computed.map(({ jcs, id }) => [jcs, id]),
    vectors.map(({ canonicalJson, id }) => [canonicalJson, id]),
  );
});

const degree = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true });
/** Numbers of every magnitude: what is hardest to write the same way twice. */
const height = fc.double({ noNaN: true, noDefaultInfinity: true });
const position = fc.oneof(fc.tuple(degree(180), degree(90)), fc.tuple(degree(180), degree(90), height));
/** Corners around a centre, in any direction and anywhere from -540 to 540 degrees: some reach around a pole. */
const ring = fc
  .tuple(
    degree(530),
    degree(75),
    fc.array(fc.integer({ min: 1, max: 1e8 }), { minLength: 3, maxLength: 9 }),
    fc.boolean(),
  )
  .map(([lon, lat, radii, reversed]) => {
    const open = radii.map((radius, i) => {
      const angle = (2 * Math.PI * i) / radii.length;
      return [lon + (radius / 1e7) * Math.cos(angle), lat + (radius / 1e7) * Math.sin(angle)];
    });
    const closed = [...open, open[0]];
    return reversed ? closed.toReversed() : closed;
  });
const geometry = fc.oneof(
  position.map((coordinates) => ({ type: "Point", coordinates })),
  fc.array(position, { minLength: 2 }).map((coordinates) => ({ type: "LineString", coordinates })),
  ring.map((one) => ({ type: "Polygon", coordinates: [one] })),
  fc.array(ring, { minLength: 1, maxLength: 3 }).map((rings) => ({
    type: "GeometryCollection",
    geometries: [{ type: "MultiPolygon", coordinates: rings.map((one) => [one]) }],
  })),
);

test(
  "random geometries have the id that the reference computes",
  { skip: !hasPython && "python3 absent" },
  async () => {
    const geometries = fc.sample(geometry, { numRuns: 500, seed: 7 });
    const forms = await Promise.allSettled(geometries.map((one) => geometryForm(one, "")));
    // Those refused have a ring that crosses itself so that no area is left.
    const read = forms.flatMap((result, i) =>
      result.status === "fulfilled" ? [{ one: geometries[i], form: result.value }] : [],
    );
    assert.ok(read.length > 450, `${read.length} valid`);
    const computed = reference(read.map(({ one }) => one));
    for (const [i, { form }] of read.entries()) {
      assert.equal(form.json, computed[i]?.jcs);
      assert.equal(form.geometryId, computed[i]?.id);
    }
  },
);
