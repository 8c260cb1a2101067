import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, rename, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { seededRandom } from "../bench/statistics.ts";
import { COAST_AREA, ingestCoast } from "./main-job.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

const ROOT = join(import.meta.dirname, "..");
const WRITERS = 4;

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** A folder of an operator, where commands of the page run as they are written. */
interface Desk extends AsyncDisposable {
  readonly folder: string;
  run(command: string, settings?: Readonly<Record<string, string>>): Promise<Outcome>;
}

async function openDesk(): Promise<Desk> {
  const folder = await mkdtemp(join(tmpdir(), "swath-desk-"));
  await mkdir(join(folder, "bin"));
  await symlink(join(ROOT, "packages/cli/bin/swath.js"), join(folder, "bin", "swath"));
  const PATH = [join(folder, "bin"), process.env["PATH"]].join(delimiter);
  return {
    folder,
    run: (command, settings = {}) =>
      new Promise((resolve) => {
        const options = { cwd: folder, env: { PATH, HOME: folder, ...settings } };
        execFile("sh", ["-c", command], options, (error, stdout, stderr) => {
          resolve({ code: typeof error?.code === "number" ? error.code : 0, output: stdout + stderr });
        });
      }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The commands of the page of operations, line by line. */
function commandsOfPage(): readonly string[] {
  const page = readFileSync(join(ROOT, "docs/operations.md"), "utf8");
  const section = page.slice(page.indexOf("## Backup and restore"));
  const block = /^```sh\n([^]*?)^```$/mu.exec(section)?.[1] ?? assert.fail("the section has no commands");
  return block.trim().split("\n");
}

interface Manifest {
  readonly tables: readonly { readonly name: string; readonly rows: number; readonly sha256: string }[];
  readonly sequences: Readonly<Record<string, number>>;
  readonly blobs: { readonly count: number; readonly bytes: number };
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "manifest.json"), "utf8"));
}

/** Charges and saved geometries, one after another, until the signal. */
async function write(client: RawClient, sceneId: string, seed: number, stop: AbortSignal, note: () => void) {
  const random = seededRandom(seed);
  for (let number = 0; !stop.aborted; number += 1) {
    const [west, south] = [15.0005 + random() * 0.017, 0.8823 + random() * 0.017];
    const [east, north] = [west + 0.001, south + 0.001];
    const geojson = boundsPolygon([west, south, east, north]);
    const idempotencyKey = `writer ${seed} request ${number}`;
    const charged = await client.post("/credits/area/allocate-geojson", {
      sceneIds: [sceneId],
      geojson,
      idempotencyKey,
    });
    assert.equal(charged.status, 200, JSON.stringify(charged.body));
    const saved = await client.post("/geojson/geometry/save", geojson);
    assert.equal(saved.status, 200, JSON.stringify(saved.body));
    note();
  }
}

test("the commands of the page back up a service under writes, restore it exactly and prove its ledger", async () => {
  const [backup = "", restore = "", verify = ""] = commandsOfPage();
  await using desk = await openDesk();
  await using service = await ServiceProcess.start();
  const settings = { SWATH_DATA: service.folder };
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const sceneId = await ingestCoast(demo);
  const stop = new AbortController();
  const progress = { written: 0 };
  const writers = Array.from({ length: WRITERS }, (_, seed) =>
    write(demo, sceneId, seed, stop.signal, () => (progress.written += 1)),
  );
  while (progress.written < WRITERS) await new Promise((resolve) => setImmediate(resolve));
  const before = progress.written;
  const made = await desk.run(backup, settings);
  const after = progress.written;
  stop.abort();
  await Promise.all(writers);
  assert.equal(made.code, 0, made.output);
  assert.ok(after > before, `no write ended during the backup: ${before}, then ${after}`);

  const monday = join(desk.folder, "backups/monday");
  const manifest = manifestOf(monday);
  const rowsOf = (name: string): number => manifest.tables.find((table) => table.name === name)?.rows ?? 0;
  assert.ok(rowsOf("credit_transactions") >= before, `${rowsOf("credit_transactions")} transactions`);
  assert.ok(manifest.blobs.count > 0);

  const restored = await desk.run(restore, settings);
  assert.equal(restored.code, 0, restored.output);
  assert.match(restored.output, /the ledger is proved/u);
  const proved = await desk.run(verify, settings);
  assert.equal(proved.code, 0, proved.output);

  // A backup of the restored service has the same rows in the same order, and the same blobs.
  const again = await desk.run("SWATH_DATA=restored swath backup again", settings);
  assert.equal(again.code, 0, again.output);
  const { blobs, sequences, tables } = manifestOf(join(desk.folder, "again"));
  assert.deepEqual(
    { blobs, sequences, tables },
    { blobs: manifest.blobs, sequences: manifest.sequences, tables: manifest.tables },
  );
  const kept = globSync("**/*", { cwd: join(monday, "blobs"), withFileTypes: true }).filter((entry) => entry.isFile());
  assert.equal(kept.length, manifest.blobs.count);
  for (const { name, parentPath } of kept) {
    const path = join(parentPath, name);
    const key = path.slice(join(monday, "blobs").length);
    const bytes = readFileSync(join(service.folder, "blobs", key));
    assert.ok(bytes.equals(readFileSync(join(desk.folder, "restored/blobs", key))), key);
  }

  await using revived = await ServiceProcess.start({ SWATH_DATA: join(desk.folder, "restored") });
  const returned = await new RawClient(revived.baseUrl).login(DEMO);
  const allocated = await returned.post("/credits/area/allocate-geojson", { sceneIds: [sceneId], geojson: COAST_AREA });
  assert.equal(allocated.status, 200, JSON.stringify(allocated.body));
  const released = await returned.run("/mapsvc/release", { mapType: "ndvi", sceneIds: [sceneId], extent: COAST_AREA });
  assert.equal(released.status, 200, JSON.stringify(released.body));
  const [z, x, y] = released.body.maps[0].tiles[0];
  const tile = await returned.get(`/mapsvc/grid/${released.body.maps[0].mapId}/-/${z}/${x}/${y}/ndvi.png`);
  assert.equal(tile.status, 200, tile.statusText);
});

test("a backup that is not whole and a service that has data are refused, and nothing is loaded", async () => {
  await using desk = await openDesk();
  await using service = await ServiceProcess.start();
  const settings = { SWATH_DATA: service.folder };
  assert.equal((await desk.run("swath backup whole", settings)).code, 0);

  const full = await desk.run("swath backup whole", settings);
  assert.equal(full.code, 1);
  assert.match(full.output, /whole is not empty: name a new folder/u);
  const nowhere = await desk.run("SWATH_DATA=nowhere swath backup other", settings);
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.output, /there is no database in .*nowhere/u);

  const running = await desk.run("swath restore whole", settings);
  assert.equal(running.code, 1);
  assert.match(running.output, /in use by the running process/u);
  await service.stop();
  const used = await desk.run("swath restore whole", settings);
  assert.equal(used.code, 1);
  assert.match(used.output, /the database has users: restore into an empty SWATH_DATA/u);

  await appendFile(join(desk.folder, "whole/tables/users.copy.gz"), gzipSync(""));
  await rename(join(desk.folder, "whole/tables/groups.copy.gz"), join(desk.folder, "groups"));
  const missing = await desk.run("SWATH_DATA=restored swath restore whole", settings);
  assert.equal(missing.code, 2);
  assert.match(missing.output, /there is no file .*groups\.copy\.gz/u);
  await rename(join(desk.folder, "groups"), join(desk.folder, "whole/tables/groups.copy.gz"));
  // The failed restore has loaded nothing: the next one finds no users and succeeds.
  const repaired = await desk.run("SWATH_DATA=restored swath restore whole", settings);
  assert.equal(repaired.code, 0, repaired.output);

  await rm(join(desk.folder, "whole/manifest.json"));
  const partial = await desk.run("SWATH_DATA=third swath restore whole", settings);
  assert.equal(partial.code, 1);
  assert.match(partial.output, /holds no whole backup: manifest\.json cannot be read/u);
});
