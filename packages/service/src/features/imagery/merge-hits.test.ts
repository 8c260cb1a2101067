import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createCatalog } from "../../providers/catalog.ts";
import { providers } from "../../providers/registry.ts";
import { compareKeys } from "@swath/kernel/scenes/scene-key";
import type { Hit } from "./hit.ts";
import { mergeHits, type HitStream } from "./merge-hits.ts";

const signal = new AbortController().signal;
const registered = createCatalog(providers).findDataset("pl", "PSScene");

function hit(acquiredAtMs: number, id: string): Hit {
  return {
    key: { acquiredAtMs, sceneId: id },
    footprint: { type: "MultiPolygon", coordinates: [] },
    ingested: true,
    clipped: false,
    origin: { kind: "table", sceneKey: 1 },
  };
}

/** Batches of the sizes given, the last size for all that follow; fails after as many batches as said. */
function streamOf(hits: readonly Hit[], batch: number, failsAfter: number | null, reads: number[]): HitStream {
  return {
    registered,
    hits: (async function* () {
      for (let start = 0, batches = 0; ; start += batch, batches++) {
        if (failsAfter !== null && batches === failsAfter) throw new Error("down");
        if (start >= hits.length) return;
        reads.push(Math.min(batch, hits.length - start));
        yield hits.slice(start, start + batch);
      }
    })(),
  };
}

const all = (hits: readonly Hit[]): Promise<ReadonlySet<Hit>> => Promise.resolve(new Set(hits));
const ids = (hits: readonly Hit[]): readonly string[] => hits.map(({ key }) => key.sceneId);

test("any split of scenes over streams and batches merges to the sorted whole, each scene once", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ at: fc.integer({ min: 0, max: 9 }), id: fc.integer({ min: 0, max: 40 }) }), {
        maxLength: 60,
      }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 0, max: 70 }),
      async (drawn, count, batch, wanted) => {
        // An identifier belongs to one moment.
        const unique = [
          ...new Map(drawn.map(({ at, id }) => [id, hit(at, `s${String(id).padStart(2, "0")}`)])).values(),
        ];
        const sorted = unique.toSorted((a, b) => compareKeys(a.key, b.key));
        const streams = Array.from({ length: count }, (_, i) =>
          streamOf(
            sorted.filter((_hit, position) => position % count === i || position % 11 === 0),
            batch,
            null,
            [],
          ),
        );
        const { hits, failed } = await mergeHits(streams, wanted, all, { log: null, signal });
        assert.deepEqual(ids(hits), ids(sorted.slice(0, wanted)));
        assert.deepEqual(failed, []);
      },
    ),
  );
});

test("what a stream brought before it failed counts, in its place", async () => {
  const failing = streamOf([hit(9, "a"), hit(7, "c"), hit(5, "e")], 1, 2, []);
  const sound = streamOf([hit(8, "b"), hit(6, "d"), hit(4, "f")], 3, null, []);
  const { hits, failed } = await mergeHits([failing, sound], 10, all, { log: null, signal });
  assert.deepEqual(ids(hits), ["a", "b", "c", "d", "f"]);
  assert.deepEqual(failed, [
    {
      provider: "pl",
      dataset: "PSScene",
      errorCode: "PROCESSING-ERROR",
      errorMessage: "the catalogue could not be asked",
    },
  ]);
});

test("a failure of the table is a failure of the search", async () => {
  const table = { ...streamOf([], 1, 0, []), registered: null };
  await assert.rejects(mergeHits([table], 10, all, { log: null, signal }), /down/u);
});

test("streams are read no further than the page needs", async () => {
  const reads: number[] = [];
  const many = Array.from({ length: 100 }, (_, i) => hit(1000 - i, `s${i}`));
  const { hits } = await mergeHits([streamOf(many, 10, null, reads)], 15, all, { log: null, signal });
  assert.equal(hits.length, 15);
  assert.deepEqual(reads, [10, 10]);
});
