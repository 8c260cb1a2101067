import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_IMPORT_BYTES, MAX_IMPORT_LINES } from "@swath/kernel/scenes/import-limits";
import { partsOf, type ItemPart } from "./item-part.ts";

async function parts(text: string, pieceBytes: number): Promise<readonly ItemPart[]> {
  const bytes = Buffer.from(text);
  async function* pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const found: ItemPart[] = [];
  for await (const one of partsOf(pieces())) found.push(one);
  return found;
}

const textOf = (found: readonly ItemPart[]): string => found.map(({ bytes }) => Buffer.from(bytes).toString()).join("");

test("parts end at ends of lines, have no more lines than a request, and are the whole text", async () => {
  const text = Array.from({ length: MAX_IMPORT_LINES * 2 + 3 }, (_, i) => `{"id":"ž${i}"}`).join("\n");
  for (const pieceBytes of [7, 1000, text.length * 2]) {
    const found = await parts(text, pieceBytes);
    assert.deepEqual(
      found.map(({ lines }) => lines),
      [MAX_IMPORT_LINES, MAX_IMPORT_LINES, 3],
    );
    assert.equal(textOf(found), text);
    for (const { bytes } of found.slice(0, -1)) assert.equal(bytes.at(-1), 0x0a);
  }
});

test("parts have fewer bytes than a request may have, however long the lines are", async () => {
  const text = `${"x".repeat(900_000)}\n`.repeat(60);
  const found = await parts(text, 1024 * 1024);
  assert.ok(found.length > 2);
  for (const { bytes } of found) assert.ok(bytes.length <= MAX_IMPORT_BYTES);
  assert.equal(textOf(found), text);
});

test("an empty text has no part, and a line beyond all bounds is refused", async () => {
  assert.deepEqual(await parts("", 10), []);
  await assert.rejects(parts("x".repeat(MAX_IMPORT_BYTES + 1), 1024 * 1024), RangeError);
});
