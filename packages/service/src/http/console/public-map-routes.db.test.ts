import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../testing.ts";

const MAP_ID = `${"a".repeat(3_000)}.b.c`;

test("any site may frame the embedded map, none the page of it", async () => {
  await using here = await testServer({});
  const page = await here.server.app.inject({ method: "GET", url: `/m/${MAP_ID}` });
  assert.equal(page.statusCode, 200);
  assert.equal(page.headers["x-frame-options"], "DENY");
  assert.match(String(page.headers["content-security-policy"]), /frame-ancestors 'none'/);
  const embed = await here.server.app.inject({ method: "GET", url: `/m/${MAP_ID}/embed` });
  assert.equal(embed.statusCode, 200);
  assert.equal(embed.headers["x-frame-options"], undefined);
  assert.match(String(embed.headers["content-security-policy"]), /frame-ancestors \*/);
  for (const answer of [page, embed]) {
    assert.match(String(answer.headers["content-type"]), /^text\/html/);
    assert.equal(answer.headers["referrer-policy"], "no-referrer");
    assert.equal(answer.headers["set-cookie"], undefined);
    assert.match(String(answer.headers["content-security-policy"]), /^default-src 'none'; script-src 'self'/);
  }
});

test("addresses beside the page of a map are none", async () => {
  await using here = await testServer({});
  for (const url of ["/m", `/m/${MAP_ID}/other`, "/console/map.html"]) {
    const { statusCode } = await here.server.app.inject({ method: "GET", url });
    assert.equal(statusCode, 404, url);
  }
  const { statusCode, headers } = await here.server.app.inject({ method: "POST", url: `/m/${MAP_ID}` });
  assert.deepEqual([statusCode, headers["allow"]], [405, "GET, HEAD"]);
});
