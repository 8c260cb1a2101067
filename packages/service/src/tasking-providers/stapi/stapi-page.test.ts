import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createLog } from "@swath/base/log/log";
import { catalogueFaults, sourceFactories } from "../../compose-sources.ts";
import { taskingFactories } from "../../compose-tasking.ts";
import { readStatus } from "./order-document.ts";
import { decideState } from "./order-state.ts";

const PAGE = readFileSync(join(import.meta.dirname, "../../../../../docs/stapi.md"), "utf8");
const CODES =
  "received accepted rejected completed cancelled failed expired scheduled held processing reserved user_cancelled tasked";

test("the configuration of the page is accepted as it is written", () => {
  process.env["ACME_STAPI_KEY"] = "secret";
  const deps = { clock: { now: () => new Date(0) }, log: createLog("silent"), db: null };
  const kinds = taskingFactories({ ...deps, passes: null, speed: 1 });
  const blocks = [...PAGE.matchAll(/```json\n([\s\S]*?)```/gu)].map(([, json = ""]): unknown => JSON.parse(json));
  assert.equal(blocks.length, 1);
  for (const document of blocks) {
    assert.deepEqual(catalogueFaults({ path: "catalog.json", document }, sourceFactories(deps), kinds), []);
  }
});

test("the page has each status code with its state", () => {
  const documented = [...PAGE.matchAll(/^\| (`.*`) +\| (\w+)/gmu)].flatMap(([, codes = "", state = ""]) =>
    [...codes.matchAll(/`(\w+)`/gu)].map(([, code = ""]) => [code, state] as const),
  );
  assert.deepEqual(documented.map(([code]) => code).toSorted(), CODES.split(" ").toSorted());
  for (const [code, state] of documented) {
    const status = readStatus({ timestamp: "2026-12-01T00:00:00Z", status_code: code });
    assert.ok(typeof status !== "string");
    assert.equal(decideState(status, [], false).state, state, code);
  }
});
