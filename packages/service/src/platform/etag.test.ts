import assert from "node:assert/strict";
import { test } from "node:test";
import { etagOf, matchesEtag } from "./etag.ts";

test("equal inputs have equal strong tags, different ones different tags", () => {
  assert.match(etagOf(["a", 1]), /^"[A-Za-z0-9_-]{27}"$/u);
  assert.equal(etagOf(["a", 1]), etagOf(["a", 1]));
  assert.notEqual(etagOf(["a", 1]), etagOf(["a1"]));
});

test("If-None-Match is a list, a weak tag or a star", () => {
  const etag = etagOf(["a"]);
  assert.equal(matchesEtag(etag, etag), true);
  assert.equal(matchesEtag(`"x", W/${etag}`, etag), true);
  assert.equal(matchesEtag(etag, `W/${etag}`), true);
  assert.equal(matchesEtag("*", etag), true);
  assert.equal(matchesEtag('"x"', etag), false);
  assert.equal(matchesEtag(undefined, etag), false);
});
