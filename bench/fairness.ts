import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { COAST_AREA, ingestCoast } from "../e2e/main-job.ts";
import { coastGeotiff } from "../e2e/make-geotiff.ts";
import { RawClient } from "../e2e/raw-client.ts";
import { ADMIN, DEMO, ServiceProcess } from "../e2e/service-process.ts";
import { ABUSES, BY_NAME_ONLY, CONTROLS, type AbuseName } from "./fairness/abuses.ts";
import { clientsOnOwnCores, spawnIdle } from "./fairness/clients-own-cores.ts";
import { keepMemory } from "./fairness/kept-memory.ts";
import { addLatencies, measureQuietUser, noLatencies, PROBES, type Latencies } from "./fairness/quiet-user.ts";
import { KeptClient } from "./kept-client.ts";
import { median, quantile } from "./statistics.ts";

/**
 * A quiet window comes before each window beside an abuser, and the abusers take turns: the speed of a machine changes by
 * half within minutes. Each ratio is against the quiet windows of the whole run. Ten abusers share them: the error of a
 * ratio is smallest when all quiet windows are about three times as long as all windows beside one abuser.
 */
const ROUNDS = 10;
const QUIET_SECONDS = 3;
const BESIDE_SECONDS = 9;
/** A file of its whole area takes two tenths of a second to draw. */
const LARGE_SCENE = { widthPx: 2400, heightPx: 2400, resolutionM: 1 };
/** The most that the 99th percentile beside an abuser may be, as a multiple of the quiet one. */
const AIM = 1.5;
/** The abuse is under way before the first measured request. */
const LEAD_MS = 2_000;
const METRICS_TOKEN = "for-the-eyes-of-this-bench";
const DRAIN_POLL_MS = 500;
const LONGEST_DRAIN_MS = 120_000;

/**
 * Latencies of a quiet user beside one abuser after the other, against the same requests while nobody abuses. The first
 * rows have no abuser: their ratios are the noise of the machine, and the effect of busy processors. The last line is the
 * worst ratio of 99th percentiles beside an abuser.
 */
export async function run(): Promise<void> {
  using machine = new DisposableStack();
  machine.use(clientsOnOwnCores());
  machine.use(keepMemory());
  await using service = await ServiceProcess.start({ SWATH_RATE_LIMIT: "on", SWATH_METRICS_TOKEN: METRICS_TOKEN });
  const anonymous = new RawClient(service.baseUrl);
  const demo = await anonymous.login(DEMO);
  const admin = await anonymous.login(ADMIN);
  const abuser = await abuserOf(admin, demo, anonymous);
  const sceneId = await ingestCoast(demo);
  const abusedScene = await ingestCoast(abuser);
  await succeeds(abuser, "/credits/area/allocate-geojson", { sceneIds: [abusedScene], geojson: COAST_AREA });
  using client = new KeptClient(service.baseUrl, demo.token, 1);
  using unknown = new KeptClient(service.baseUrl, null, 1);
  const { mapId, tiles } = await releasedMap(demo, sceneId);
  const tilePaths = tiles.map((tile) => `/mapsvc/grid/${mapId}/-/${tile.join("/")}/truecolor.png`);
  const work = { client, anonymous: unknown, sceneId, tiles: tilePaths };
  await measureQuietUser(work, 5);
  const largeScene = await ingestCoast(abuser, coastGeotiff(LARGE_SCENE), "coast-2");
  const { mapId: largeMapId } = await releasedMap(abuser, largeScene);
  const abuserArguments = [service.baseUrl, abuser.token ?? "", abusedScene, largeMapId];
  const abuses = [...CONTROLS, ...chosenAbuses()] as const;
  const beside = new Map(abuses.map((name) => [name, noLatencies()]));
  const quiet = noLatencies();
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, abused] of beside) {
      addLatencies(quiet, await measureQuietUser(work, QUIET_SECONDS));
      const endAbuse = await beginAbuse([name, ...abuserArguments]);
      addLatencies(abused, await measureQuietUser(work, BESIDE_SECONDS));
      await endAbuse();
      await drained(service.baseUrl);
    }
  }
  let worst = 0;
  for (const [name, abused] of beside) {
    const ratio = printRow(name, abused, quiet);
    if (!isControl(name)) worst = Math.max(worst, ratio);
    else if (name === "nobody" && ratio > AIM) {
      process.stdout.write(`  the machine was not quiet: ratios below ${ratio.toFixed(2)} are its noise\n`);
    }
  }
  process.stdout.write(`fairness worst ${worst.toFixed(2)}\n`);
}

/** @returns ends the abuse */
async function beginAbuse(abuserArguments: readonly string[]): Promise<() => Promise<void>> {
  const abuser = [process.execPath, join(import.meta.dirname, "children", "abuser.ts"), ...abuserArguments];
  const child = spawnIdle(abuser);
  const ended = once(child, "exit");
  await sleep(LEAD_MS);
  return async () => {
    // Without its abuser a window is a quiet one.
    if (!child.kill("SIGTERM")) throw new Error("the abuser ended by itself");
    await ended;
  };
}

/** Abuses that the command line names, such as `npm run bench -- fairness "long polls"`; without a name the abuses of every run. */
function chosenAbuses(): readonly AbuseName[] {
  const chosen = new Set<string>(process.argv.slice(3));
  const known = (Object.keys(ABUSES) as AbuseName[]).filter((name) => !isControl(name));
  if (chosen.size === 0) return known.filter((name) => !BY_NAME_ONLY.includes(name));
  return known.filter((name) => chosen.has(name));
}

function isControl(name: AbuseName): boolean {
  return CONTROLS.some((control) => control === name);
}

/** A user of another group with the permissions of the demonstration user. */
async function abuserOf(admin: RawClient, demo: RawClient, anonymous: RawClient): Promise<RawClient> {
  const organization = await admin.post("/organization/create", { name: "Abuse" });
  const { permissions } = (await demo.post("/user/info")).body;
  const group = await admin.post("/group/create", {
    organizationId: organization.body.id,
    name: "Abusers",
    permissions,
    licenseEnd: "2099-01-01T00:00:00Z",
  });
  const login = { email: "abuser@swath.example", password: "a password of eight or more" };
  const user = { ...login, name: "Abuser", groupId: group.body.id, isManager: false, accounting: group.body.id };
  await succeeds(admin, "/user/organization/create-user", user);
  await succeeds(admin, "/credits/grant", { groupId: group.body.id, credit: 1_000, note: "for the abuse" });
  return await anonymous.login(login);
}

/** An abuse that the service refuses from the start would measure nothing. */
async function succeeds(client: RawClient, path: string, body: unknown): Promise<void> {
  const answer = await client.post(path, body);
  if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
}

interface ReleasedMap {
  readonly mapId: string;
  readonly tiles: readonly (readonly number[])[];
}

async function releasedMap(client: RawClient, sceneId: string): Promise<ReleasedMap> {
  const area = { sceneIds: [sceneId], geojson: COAST_AREA };
  await client.post("/credits/area/allocate-geojson", area);
  const { body } = await client.run("/mapsvc/release", {
    mapTypes: ["imagery"],
    sceneIds: [sceneId],
    extent: COAST_AREA,
  });
  return body.maps[0];
}

/** Waits until no pipeline of the abuser is left: the next quiet window would be slower by them. */
async function drained(baseUrl: string): Promise<void> {
  const endMs = performance.now() + LONGEST_DRAIN_MS;
  while (performance.now() < endMs) {
    const answer = await fetch(`${baseUrl}/metrics`, { headers: { authorization: `Bearer ${METRICS_TOKEN}` } });
    const metrics = await answer.text();
    const counts = [...metrics.matchAll(/^swath_pipelines_(?:queued|running)\{.*\} (\d+)$/gm)];
    if (counts.length > 0 && counts.every(([, count]) => count === "0")) return;
    await sleep(DRAIN_POLL_MS);
  }
  throw new Error(`pipelines of the abuser are left after ${LONGEST_DRAIN_MS} ms`);
}

/** @returns the worst ratio of 99th percentiles */
function printRow(name: string, latencies: Latencies, quiet: Latencies): number {
  let worst = 0;
  const cells = PROBES.map((probe) => {
    const p99 = quantile(latencies[probe], 0.99);
    const ratio = p99 / quantile(quiet[probe], 0.99);
    worst = Math.max(worst, ratio);
    const counts = `${latencies[probe].length} and ${quiet[probe].length}`;
    return `${probe} p50 ${median(latencies[probe]).toFixed(1)} p99 ${p99.toFixed(1)} ms (${ratio.toFixed(2)}x of ${counts})`;
  });
  process.stdout.write(`${name.padEnd(24)} ${cells.join("  ")}\n`);
  return worst;
}
