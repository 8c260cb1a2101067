import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptedEncoding } from "./send-kept.ts";

test("the encoding is one that the client accepts, brotli first", () => {
  for (const [header, encoding] of [
    [undefined, "identity"],
    ["", "identity"],
    ["gzip, deflate", "gzip"],
    ["gzip, deflate, br", "br"],
    ["GZIP;q=0.5", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["br; q=0.000, gzip;q=0", "identity"],
    ["*", "gzip"],
    ["*, gzip;q=0", "identity"],
    ["identity", "identity"],
  ] as const) {
    assert.equal(acceptedEncoding(header), encoding, `${header}`);
  }
});
