import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { COAST_AREA, ingestCoast } from "./main-job.ts";
import { RawClient } from "./raw-client.ts";
import { DEMO, ServiceProcess } from "./service-process.ts";

const SWATH = join(import.meta.dirname, "..", "packages", "cli", "src", "main.ts");
/** West, south, east and north of the area that is paid for. */
const [[[west, south], , [east, north]]] = COAST_AREA.coordinates;
const EXTENT = [west, south, east, north].join(",");

let service: ServiceProcess;
let demo: RawClient;
let sceneId: string;

before(async () => {
  service = await ServiceProcess.start();
  demo = await new RawClient(service.baseUrl).login(DEMO);
  sceneId = await ingestCoast(demo);
});
after(async () => await service[Symbol.asyncDispose]());

async function release(...options: readonly string[]) {
  const outcome = await promisify(execFile)(
    process.execPath,
    [SWATH, "release", sceneId, "--extent", EXTENT, "--allocate", ...options],
    { env: { ...process.env, SWATH_URL: service.baseUrl, SWATH_TOKEN: demo.token ?? "" } },
  ).catch((error: { stdout: string; stderr: string; code: number }) => error);
  return { status: "code" in outcome ? outcome.code : 0, stdout: outcome.stdout, stderr: outcome.stderr };
}

async function remaining(): Promise<number> {
  return (await demo.post("/credits/get-remaining-credit")).body.remainingCredit;
}

test("swath release --allocate takes nothing for a misspelt map type or bands that the scene lacks", async () => {
  const credit = await remaining();
  for (const types of ["imagery,ndvy", "nbr"]) {
    const { status, stderr } = await release("--types", types);
    assert.notEqual(status, 0);
    assert.match(stderr, types === "nbr" ? /needs the bands/u : /there is no map type ndvy/u);
  }
  assert.equal(await remaining(), credit);
  assert.deepEqual((await demo.post("/credits/user/list-transactions")).body.results, []);
});

test("swath release --allocate charges for the maps that are made, and says so", async () => {
  const credit = await remaining();
  const { cost } = (await demo.post("/credits/area/check-geojson", { sceneIds: [sceneId], geojson: COAST_AREA })).body;
  assert.ok(cost > 0);
  const { status, stdout, stderr } = await release("--types", "imagery,ndvi,nbr", "--json");
  assert.equal(status, 0, stderr);
  const { counts, payment } = JSON.parse(stdout);
  assert.deepEqual(counts, { succeeded: 2, failed: 1 });
  assert.ok(Math.abs(payment.chargedCredits - cost) < 2e-6, `${payment.chargedCredits} of ${cost}`);
  assert.ok(Math.abs(credit - (await remaining()) - cost) < 2e-6);
  const kinds = (await demo.post("/credits/user/list-transactions")).body.results.map(
    ({ kind }: { kind: string }) => kind,
  );
  assert.deepEqual(kinds.toSorted(), ["credit.allocate", "credit.preallocate", "credit.return"]);
});

test("a release of area that is held says that nothing was charged", async () => {
  const { status, stderr } = await release("--types", "imagery");
  assert.equal(status, 0, stderr);
  assert.match(stderr, /charged 0 credits, gave 0 back, [\d.]+ left/u);
});
