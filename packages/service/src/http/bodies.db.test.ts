import assert from "node:assert/strict";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { testServer } from "./testing.ts";

test("a body that is not text of any language is refused, escaped or not", async () => {
  await using here = await testServer();
  const { token } = await here.addUser("a@example.org", ["sample"]);
  const post = async (payload: string | Buffer) => {
    const answer = await here.server.app.inject({
      method: "POST",
      url: "/sample/echo",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      payload,
    });
    return [answer.statusCode, answer.json().error ?? answer.json().received];
  };
  const refused = [400, "BAD-REQUEST"];
  assert.deepEqual(await post('{"other": "a\\u0000b"}'), refused);
  assert.deepEqual(await post('{"a\\u0000": [1]}'), refused);
  assert.deepEqual(await post('{"other": [[{"deep": "\\ud800"}]]}'), refused, "half a surrogate pair");
  assert.deepEqual(await post(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])), refused, "not UTF-8");
  assert.deepEqual(await post('{"other": "\\ud83d\\ude80 \\u00e9 \\\\u0000"}'), [
    200,
    { other: "\u{1f680} \u00e9 \\u0000" },
  ]);
});

test("an address with U+0000 is refused before anything is asked with it", async () => {
  await using here = await testServer();
  for (const url of ["/sample/greet/%00", "/sample/files/a%00/1", "/sample/files/a/1?x=%00"]) {
    const answer = await here.server.app.inject({ method: "GET", url });
    assert.deepEqual([answer.statusCode, answer.json().error], [400, "BAD-REQUEST"], url);
  }
});

test("a compressed body is read, within the same limit; one that only says so is refused", async () => {
  await using here = await testServer();
  const { token } = await here.addUser("a@example.org", ["sample"]);
  const post = async (encoding: string, payload: Buffer) => {
    const answer = await here.server.app.inject({
      method: "POST",
      url: "/sample/echo",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "content-encoding": encoding },
      payload,
    });
    return [answer.statusCode, answer.json().error ?? answer.json().received];
  };
  assert.deepEqual(await post("gzip", gzipSync('{"other": 1}')), [200, { other: 1 }]);
  assert.deepEqual(await post("gzip", Buffer.from("{}")), [400, "BAD-REQUEST"]);
  assert.deepEqual(await post("rot13", Buffer.from("{}")), [400, "BAD-CONTENT-TYPE"]);
  const bomb = gzipSync(Buffer.alloc(50_000_000, " "));
  assert.ok(bomb.length < 60_000);
  assert.deepEqual(await post("gzip", bomb), [413, "PAYLOAD-TOO-LARGE"]);
});

test("a JSON body that does not arrive is given up", async () => {
  await using here = await testServer({ traffic: { bodyMs: 50 } });
  const { token } = await here.addUser("a@example.org", ["sample"]);
  const base = await here.server.listen({ host: "127.0.0.1", port: 0 });
  const begin = (method: string, path: string) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const sending = request(`${base}${path}`, { method, headers });
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      sending.once("response", (response) => resolve(response.resume()));
      sending.once("error", reject);
    });
    sending.write('{"text": "');
    return { sending, answered };
  };
  for (const path of ["/sample/echo", "/oauth/ro"]) {
    const slow = begin("POST", path);
    assert.equal((await slow.answered).statusCode, 408, path);
    slow.sending.destroy();
  }
});

test("a request that announces a large body is not light: others do not wait for it", async () => {
  await using here = await testServer();
  const { token } = await here.addUser("a@example.org", ["sample"]);
  const { light } = here.server.traffic.turns.spaced;
  const isLight = async (characters: number, expectedStatus: number): Promise<boolean> => {
    const earlierMs = light.endedMs;
    const answer = await here.server.app.inject({
      method: "POST",
      url: "/sample/echo",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      payload: JSON.stringify({ other: "x".repeat(characters) }),
    });
    assert.equal(answer.statusCode, expectedStatus);
    return light.endedMs > earlierMs;
  };
  assert.deepEqual([await isLight(10, 200), await isLight(150_000, 413)], [true, false]);
});
