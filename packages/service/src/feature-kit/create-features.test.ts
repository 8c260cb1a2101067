import assert from "node:assert/strict";
import { test } from "node:test";
import { Type } from "typebox";
import { defineOperation } from "@swath/contract/kit/operation";
import { createFeatures } from "./create-features.ts";
import { defineFeature, type AnyFeature } from "./define-feature.ts";
import type { Platform } from "./platform.ts";

const ping = defineOperation({
  path: "/ping",
  summary: "Answer",
  request: Type.Object({}),
  response: Type.Object({ from: Type.String() }),
});
const look = defineOperation({
  path: "/look",
  summary: "Look at a picture",
  contentPermissions: ["pictures.<name>"],
  request: Type.Object({ name: Type.String() }),
  response: Type.Object({}),
});
const clock = { now: () => new Date(0) };
// The features below need nothing but the clock.
const platform = { clock } as unknown as Platform;

/** A feature whose service notes its creation and its end. */
function noting<const Name extends string, const N extends readonly AnyFeature[]>(
  name: Name,
  needs: N,
  events: string[],
) {
  return defineFeature({
    name,
    contract: { ping },
    needs,
    create: () => {
      events.push(`create ${name}`);
      return { name, [Symbol.asyncDispose]: async () => void events.push(`dispose ${name}`) };
    },
    handlers: (service) => ({ ping: async () => ({ from: service.name }) }),
  });
}

test("services are created after the services they need, once, and disposed in reverse order", async () => {
  const events: string[] = [];
  const base = noting("base", [], events);
  const left = noting("left", [base], events);
  const right = noting("right", [base, left], events);
  {
    await using stack = new AsyncDisposableStack();
    const created = await createFeatures([right, left, base], platform, stack);
    assert.deepEqual(Object.keys(created.contract), ["right", "left", "base"]);
    assert.equal(created.serviceOf(left).name, "left");
    assert.throws(() => created.serviceOf(noting("stranger", [], [])), { message: /stranger is not in the list/ });
  }
  assert.deepEqual(events, [
    "create base",
    "create left",
    "create right",
    "dispose right",
    "dispose left",
    "dispose base",
  ]);
});

test("a feature receives the values and services it needs under their names, and nothing else", async () => {
  const base = noting("base", [], []);
  const seen: unknown[] = [];
  const watch = defineFeature({
    name: "watch",
    contract: { ping },
    needs: ["clock", base],
    create: async (needs) => {
      seen.push(Object.keys(needs), needs.clock.now().getTime(), needs.base.name);
      // @ts-expect-error -- the feature does not need the database
      return { db: needs.db };
    },
    handlers: () => ({ ping: async () => ({ from: "watch" }) }),
    schedules: () => [{ name: "watch: look", everyMs: 5, runsIn: "workers", run: async () => {} }],
    pipelines: () => ({ limits: { "/watch": 1 } }),
  });
  await using stack = new AsyncDisposableStack();
  const { all, handlers } = await createFeatures([base, watch], platform, stack);
  assert.deepEqual(seen, [["clock", "base"], 0, "base"]);
  assert.deepEqual(all[1]?.pipelines, { limits: { "/watch": 1 } });
  assert.deepEqual(
    all[1]?.schedules.map(({ name }) => name),
    ["watch: look"],
  );
  assert.deepEqual(Object.keys(handlers), ["base", "watch"]);
});

test("a need that is not in the list stops the start, and the message names the way to it", async () => {
  const base = noting("base", [], []);
  const middle = noting("middle", [base], []);
  const top = noting("top", [middle], []);
  await using stack = new AsyncDisposableStack();
  await assert.rejects(createFeatures([top, middle], platform, stack), {
    name: "TypeError",
    message: "top needs middle needs base, which is not in the list of features",
  });
});

test("features that need each other stop the start", async () => {
  const needs: AnyFeature[] = [];
  const egg = noting("egg", needs, []);
  const hen = noting("hen", [egg], []);
  needs.push(hen);
  await using stack = new AsyncDisposableStack();
  await assert.rejects(createFeatures([hen, egg], platform, stack), {
    message: "features need each other: hen needs egg needs hen",
  });
});

test("a contract with permissions by content needs their functions, which know the needs of the feature", () => {
  const parts = {
    name: "gallery",
    contract: { look },
    needs: ["clock"],
    create: () => ({}),
    handlers: () => ({ look: async () => ({}) }),
  } as const;
  // @ts-expect-error -- a missing function does not compile
  assert.deepEqual(defineFeature(parts).permissions({ clock }), {});
  const gallery = defineFeature({
    ...parts,
    permissions: (needs) => ({ look: ({ name }) => [`pictures.${name}.${needs.clock.now().getTime()}`] }),
  });
  assert.deepEqual(gallery.permissions({ clock }).look({ name: "a" }), ["pictures.a.0"]);
});
