import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageError } from "../exit-code.ts";
import { collectionItems } from "./collection-items.ts";

async function read(text: string, pieceBytes: number): Promise<readonly unknown[]> {
  const bytes = Buffer.from(text);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const found: unknown[] = [];
  for await (const one of collectionItems(pieces())) found.push(one);
  return found;
}

const FEATURES = [
  { id: "a", text: 'brackets } ] { [ and "quotes" and \\' },
  { id: "b", nested: { list: [{ deep: "}" }], empty: {} } },
  { id: "ž€😀", text: "\u2028\\\\" },
];

test("features are read whole, wherever the pieces end", async () => {
  const text = JSON.stringify({
    type: "FeatureCollection",
    numberMatched: 3,
    features: FEATURES,
    links: [{ rel: "x" }],
  });
  for (const pieceBytes of [1, 2, 3, 17, 64, text.length * 4]) assert.deepEqual(await read(text, pieceBytes), FEATURES);
  const spaced = JSON.stringify({ features: FEATURES }, null, 2);
  assert.deepEqual(await read(spaced, 5), FEATURES);
  assert.deepEqual(await read('{"features": []}', 4), []);
});

test("a document that ends early, or has no features, is refused", async () => {
  const text = JSON.stringify({ features: FEATURES });
  for (const cut of [2, 3, 30, text.length - 5]) await assert.rejects(read(text.slice(0, -cut), 16), UsageError);
  await assert.rejects(read('{"type": "Catalog"}', 16), UsageError);
});
