import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@swath/client";
import { boundsPolygon } from "@swath/kernel/geometry/bounds-polygon";
import type { CommandContext } from "../command-context.ts";
import { dataFolder } from "../demo-login.ts";
import { openOwnDemoService } from "../demo-service.ts";
import { createSteps, type Done } from "../demo-steps.ts";
import { downloadFile } from "../download-file.ts";
import { CommandError } from "../exit-code.ts";
import { formatTable } from "../output.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../webhook-receiver.ts";
import type { DemoOptions } from "./demo.ts";

/** A field of the simulated world and the months of its season. */
const FIELD = boundsPolygon([14.405, 50.105, 14.415, 50.112]);
const FIELD_ID = "north-field";
const YEAR = 2025;
const MONTHS = [5, 6, 7, 8];
const DATASET = { provider: "ee", dataset: "COPERNICUS/S2_SR_HARMONIZED" };
const MAX_CLOUD_COVER = 0.1;
const PROJECT = "demo";
/**
 * Waiting ends when no scene moved and nothing was delivered for so long. All scenes are ingested side by side: beside
 * eight other programs on two cores, the first was measured after 125 s.
 */
const PATIENCE_MS = 300_000;
const EVERY_MS = 200;

type Monitored = Awaited<ReturnType<typeof monitorOf>>["scenes"][number];

/** `swath demo monitor`: a field is watched over a simulated season, on an own service. */
export async function demoMonitor(context: CommandContext, { out }: Pick<DemoOptions, "out">): Promise<void> {
  const { output, signal } = context;
  const begunMs = performance.now();
  const { steps, step } = createSteps(output, signal);
  await using resources = new AsyncDisposableStack();
  const receiver = resources.use(await startWebhookReceiver());
  const client = await step("service", () => openService(resources, receiver.url));
  await step("webhook", () => openWebhook(client, receiver, signal));
  const monitorId = await step("monitor", () => watchField(client, signal));
  const found = await step("season", () => searchSeason(client, signal));
  const scenes = await step("measure", () => measuredScenes(client, monitorId, found.length, signal));
  const alert = await step("alert", () => deliveredAlert(receiver, signal));
  await mkdir(out, { recursive: true });
  const chart = await step("chart", () => saveChart(client, join(out, "ndvi-season.svg"), signal));
  const timelapse = await step("timelapse", () => saveTimelapse(client, scenes, join(out, "season.webp"), signal));
  const dateOf = new Map(found.map(({ datetime, sceneId }) => [sceneId, datetime]));
  const series = scenes
    .map((scene) => ({ datetime: dateOf.get(scene.sceneId) ?? "", ...scene }))
    .toSorted((a, b) => a.datetime.localeCompare(b.datetime));
  output.result({ monitorId, series, alert, files: [chart, timelapse], steps }, [
    "",
    ...formatTable(steps.map(({ name, what, seconds }) => [name, `${seconds.toFixed(2)} s`, what])),
    "",
    ...formatTable([["date, UTC", "NDVI", ""], ...series.map(rowOf)]),
    `${((performance.now() - begunMs) / 1000).toFixed(1)} s in all`,
  ]);
}

function rowOf({ alertAreas, datetime, skipReason, values }: Monitored & { readonly datetime: string }): string[] {
  const [first] = values;
  return [
    datetime.slice(0, 10),
    first?.value?.toFixed(3) ?? (skipReason ?? "").toLowerCase(),
    alertAreas.length > 0 ? "alert" : "",
  ];
}

/** A service without earlier scenes: a monitor measures those that become known. */
async function openService(resources: AsyncDisposableStack, receiverUrl: string): Promise<Done<Client>> {
  const folder = join(dataFolder(process.env), "monitor-demo");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { client, url } = await openOwnDemoService(resources, folder, { SWATH_WEBHOOK_HOSTS: receiverUrl });
  return [client, `started at ${url}, data in ${folder}`];
}

async function openWebhook(client: Client, receiver: WebhookReceiver, signal: AbortSignal): Promise<Done<string>> {
  const request = { url: `${receiver.url}/alerts`, types: ["monitor.alert" as const] };
  const { id, secret } = await client.call("/webhook/create", request, { signal });
  receiver.trust(secret);
  return [id, `alerts are delivered to ${receiver.url}`];
}

async function watchField(client: Client, signal: AbortSignal): Promise<Done<string>> {
  await client.call("/datacube/project/create-or-update", { project: PROJECT, name: "Demonstration" }, { signal });
  const aois = [{ aoiId: FIELD_ID, name: "North field", geometry: FIELD }];
  await client.call("/datacube/aois/create-or-update", { project: PROJECT, aois }, { signal });
  const { id } = await client.call(
    "/monitor/create",
    {
      name: "North field",
      areas: {
        type: "FeatureCollection",
        features: [{ type: "Feature", id: FIELD_ID, properties: {}, geometry: FIELD }],
      },
      startDatetime: `${YEAR}-01-01`,
      // Scenes of today are none of the season.
      endDatetime: `${YEAR}-12-31`,
      datasets: [DATASET],
      filter: { cloudCover: { $lte: MAX_CLOUD_COVER } },
      mapTypes: ["ndvi"],
      creditsPerMonth: 50,
      rule: { kind: "change", measure: { mapType: "ndvi", statistic: "mean" }, last: 3, by: 0.1 },
      project: PROJECT,
    },
    { signal },
  );
  return [id, "mean NDVI of a field, an alert at 0.1 from the median of the last 3, 50 credits a month"];
}

/** The scenes of the season become known month by month, as searches of a catalogue find them. */
async function searchSeason(client: Client, signal: AbortSignal) {
  const found: { readonly sceneId: string; readonly datetime: string }[] = [];
  for (const month of MONTHS) {
    const { results } = await client.run(
      "/imagery/search",
      {
        datasets: [DATASET],
        extent: FIELD,
        startDatetime: `${YEAR}-${String(month).padStart(2, "0")}-01`,
        endDatetime: `${YEAR}-${String(month + 1).padStart(2, "0")}-01`,
        limit: 1000,
      },
      { signal },
    );
    found.push(...results.filter(({ cloudCover }) => (cloudCover ?? 1) <= MAX_CLOUD_COVER));
  }
  if (found.length === 0) throw new CommandError("the season has no clear scene");
  return [found, `${found.length} scenes with at most ${MAX_CLOUD_COVER * 100}% of clouds`] as const;
}

async function monitorOf(client: Client, monitorId: string, signal: AbortSignal) {
  return await client.call("/monitor/get", { monitorId }, { signal });
}

async function measuredScenes(client: Client, monitorId: string, expected: number, signal: AbortSignal) {
  const scenes = await until(signal, async (progress) => {
    const monitor = await monitorOf(client, monitorId, signal);
    if (monitor.stopReason !== null) throw new CommandError(`the monitor has stopped: ${monitor.stopReason}`);
    const ended = monitor.scenes.filter(({ status }) => status === "DONE" || status === "SKIPPED");
    progress(`${ended.length} of ${expected} scenes were measured`);
    return ended.length >= expected ? ended : null;
  });
  const done = scenes.filter(({ status }) => status === "DONE").length;
  return [scenes, `${done} measured, ${scenes.length - done} skipped`] as const;
}

async function deliveredAlert(receiver: WebhookReceiver, signal: AbortSignal) {
  const alert = await until(signal, async (progress) => {
    progress("no alert was delivered");
    return receiver.events.find(({ type }) => type === "monitor.alert") ?? null;
  });
  return [alert, `${receiver.events.length} delivered with valid signatures`] as const;
}

/** Asks again and again until there is something. @throws {CommandError} when nothing moves for too long */
async function until<Found>(
  signal: AbortSignal,
  find: (progress: (state: string) => void) => Promise<Found | null>,
): Promise<Found> {
  let movedMs = performance.now();
  let last = "";
  const progress = (state: string): void => {
    if (state !== last) [last, movedMs] = [state, performance.now()];
  };
  while (performance.now() - movedMs < PATIENCE_MS) {
    const found = await find(progress);
    if (found !== null) return found;
    await sleep(EVERY_MS, undefined, { signal });
  }
  throw new CommandError(`${last}, and nothing new came within ${PATIENCE_MS / 1000} s`);
}

async function saveChart(client: Client, path: string, signal: AbortSignal): Promise<Done<string>> {
  const request = { project: PROJECT, algorithms: ["ndvi_mean"], format: "svg" as const };
  const { svg } = await client.call("/datacube/datapoints/get", request, { signal });
  if (svg === undefined || svg === null) throw new CommandError("the datacube has no datapoint of the field");
  await writeFile(path, svg);
  return [path, path];
}

async function saveTimelapse(
  client: Client,
  scenes: readonly Monitored[],
  path: string,
  signal: AbortSignal,
): Promise<Done<string>> {
  const sceneIds = scenes.filter(({ status }) => status === "DONE").map(({ sceneId }) => sceneId);
  const request = { mapType: "ndvi", sceneIds, extent: FIELD, longestSidePx: 512 };
  const { frames, url } = await client.run("/mapsvc/timelapse", request, { signal });
  await downloadFile(url, path, signal);
  return [path, `${path}, ${frames.length} frames`];
}
