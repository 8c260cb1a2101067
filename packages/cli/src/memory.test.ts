import assert from "node:assert/strict";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { CommandContext } from "./command-context.ts";
import { UsageError } from "./exit-code.ts";
import { resolveMap } from "./map-name.ts";
import { readMemory, rememberForUser, rememberNames } from "./memory.ts";
import { createOutput } from "./output.ts";
import { rememberSeen } from "./remember.ts";
import { readEnvironment } from "./settings.ts";

const URL = "http://h:1";

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "swath-memory-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

function contextOf(folder: string, email: string, notes: string[] = []): CommandContext {
  return {
    output: createOutput(false, { write: () => true }, { write: (text) => notes.push(text) }),
    environment: readEnvironment({ SWATH_CONFIG_HOME: folder }),
    connection: { url: URL, email },
    signal: new AbortController().signal,
  };
}

test("maps are named by their type and @last, for each service and user", async (t) => {
  const folder = await folderOf(t);
  const kim = contextOf(folder, "kim@example.org");
  await rememberSeen(kim, {
    maps: [
      { mapId: "A", mapType: "imagery" },
      { mapId: "B", mapType: "ndvi" },
    ],
  });
  await rememberSeen(kim, { maps: [{ mapId: "C", mapType: "imagery" }] });
  assert.deepEqual(
    await Promise.all(["@last", "@imagery", "@ndvi", "a.signed.id"].map((name) => resolveMap(kim, name))),
    ["C", "C", "B", "a.signed.id"],
  );
  await assert.rejects(resolveMap(kim, "@ndvy"), /did you mean @ndvi\?; remembered: @last, @ndvi, @imagery/);
  await assert.rejects(resolveMap(contextOf(folder, "lee@example.org"), "@last"), UsageError);
  await assert.rejects(
    resolveMap({ ...kim, connection: { ...kim.connection, url: "http://other:1" } }, "@last"),
    /none is remembered for http:\/\/other:1, user kim@example\.org: release one first/,
  );
});

test("a token names its user, and no token is kept", async (t) => {
  const folder = await folderOf(t);
  const payload = Buffer.from(JSON.stringify({ email: "kim@example.org" })).toString("base64url");
  const byToken = { ...contextOf(folder, ""), connection: { url: URL, token: `h.${payload}.s` } };
  await rememberSeen(byToken, { maps: [{ mapId: "A", mapType: "ndvi" }] });
  assert.equal(await resolveMap(contextOf(folder, "kim@example.org"), "@last"), "A");
  const byKey = { ...contextOf(folder, ""), connection: { url: URL, token: "key_secret" } };
  await rememberSeen(byKey, { maps: [{ mapId: "B", mapType: "ndvi" }] });
  assert.equal(await resolveMap(byKey, "@last"), "B");
  assert.ok(!JSON.stringify(await readMemory(folder)).includes("secret"));
});

test("the memory is private, bounded, and survives a damaged file", async (t) => {
  const folder = join(await folderOf(t), "nested");
  const user = { url: URL, user: "kim@example.org" };
  await rememberNames(folder, URL, { types: ["ndvi"] });
  const path = join(folder, "memory.json");
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  const ids = Array.from({ length: 300 }, (_, index) => `scene-${index}`);
  await rememberForUser(folder, user, { scenes: ids });
  await rememberForUser(folder, user, { scenes: ["newest", "scene-1"] });
  const memory = await readMemory(folder);
  assert.deepEqual(memory[URL]?.types, ["ndvi"]);
  assert.deepEqual(memory[URL].users[user.user]?.scenes.slice(0, 3), ["newest", "scene-1", "scene-0"]);
  assert.equal(memory[URL].users[user.user]?.scenes.length, 200);
  await writeFile(path, `{"${URL}": {"users": [1], "types": "x"}, "y": 3`);
  assert.deepEqual(await readMemory(folder), {});
  await writeFile(path, `{"${URL}": {"users": {"a": 1}, "types": "x"}}`);
  assert.deepEqual((await readMemory(folder))[URL]?.users["a"], {
    last: null,
    maps: {},
    scenes: [],
    study: null,
    orders: [],
    analyses: [],
  });
});

test("a home that cannot be written to is noted, and fails no command", async (t) => {
  const file = join(await folderOf(t), "file");
  await writeFile(file, "");
  const notes: string[] = [];
  await rememberSeen(contextOf(file, "kim@example.org", notes), { scenes: ["s"] });
  assert.match(notes.join(""), /not remembered/);
});
