import assert from "node:assert/strict";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { requestedRange, streamRange } from "./byte-range.ts";

/** Of a file of 1000 bytes. */
function asked(range: string | undefined, more = {}): ReturnType<typeof requestedRange> {
  return requestedRange({ range, ...more }, 1000, '"v1"');
}

test("one range of bytes is read as RFC 9110 says: from, to, the last ones, cut at the end of the file", () => {
  assert.deepEqual(asked("bytes=0-99"), { first: 0, last: 99 });
  assert.deepEqual(asked("bytes=900-"), { first: 900, last: 999 });
  assert.deepEqual(asked("bytes=900-5000"), { first: 900, last: 999 });
  assert.deepEqual(asked("bytes=-100"), { first: 900, last: 999 });
  assert.deepEqual(asked("bytes=-5000"), { first: 0, last: 999 });
  assert.deepEqual(asked("bytes=0-9", { "if-range": '"v1"' }), { first: 0, last: 9 });
});

test("ranges that the file does not have are refused, other headers mean the whole file", () => {
  assert.equal(asked("bytes=1000-"), "unsatisfiable");
  assert.equal(asked("bytes=-0"), "unsatisfiable");
  assert.equal(requestedRange({ range: "bytes=0-" }, 0, '"v1"'), "unsatisfiable");
  for (const whole of [undefined, "bytes=-", "bytes=9-1", "bytes=0-1,4-5", "lines=0-9", "bytes=a-b"]) {
    assert.equal(asked(whole), null, String(whole));
  }
  assert.equal(asked("bytes=0-9", { "if-range": '"v0"' }), null);
});

test("a long range is read in parts that make the bytes of the file", async () => {
  const file = Uint8Array.from({ length: 2_500_000 }, (_, i) => i % 251);
  const lengths: number[] = [];
  const stream = streamRange({ first: 7, last: 2_400_000 }, async (offset, length) => {
    lengths.push(length);
    return file.subarray(offset, offset + length);
  });
  assert.ok((await buffer(stream)).equals(file.subarray(7, 2_400_001)));
  assert.deepEqual(lengths, [1_048_576, 1_048_576, 302_842]);
});
