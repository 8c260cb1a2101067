import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Client } from "@swath/client";
import type { CommandContext } from "../command-context.ts";
import { dataFolder } from "../demo-login.ts";
import { openOwnDemoService } from "../demo-service.ts";
import { createSteps, formatCredit, payForArea, releaseMaps, savePictures, type Done } from "../demo-steps.ts";
import { CommandError, EXIT } from "../exit-code.ts";
import { formatTable } from "../output.ts";
import { drawWindows } from "../task/draw-windows.ts";
import { runStudy, type Study } from "../task/run-study.ts";
import { watchOrder } from "../task/watch.ts";
import type { DemoOptions } from "./demo.ts";

/** A day of an order passes in three seconds. */
const SPEED = 28_800;
const EVERY_MS = 300;
/** Simulated imagery is free; here money is to be seen. */
const CATALOGUE = {
  providers: { "radar-multi": { datasets: { spotlight: { creditsPerKm2: 0.1 } } } },
};
const PLACE = [14.42, 50.09] as const;

/** `swath demo tasking`: an order from its study to the maps of its scene, on a service of its own whose time is fast. */
export async function demoTasking(context: CommandContext, { out }: Pick<DemoOptions, "out">): Promise<void> {
  const { output, signal } = context;
  const begunMs = performance.now();
  const { steps, step } = createSteps(output, signal);
  await using resources = new AsyncDisposableStack();
  const client = await step("service", () => openFastService(resources));
  const before = (await client.call("/credits/get-remaining-credit", {}, { signal })).remainingCredit;
  const since = (await newestTransaction(client, signal))?.id ?? null;

  const request = {
    dataset: "spotlight",
    name: `demonstration of ${new Date().toISOString()}`,
    geometry: { type: "Point", coordinates: PLACE },
  } as const;
  const study = await step("feasibility", async () => {
    const found = await runStudy(client, request, signal);
    return [found, `${found.windows.length} windows over ${found.areaKm2} km2`] as const;
  });
  const window = firstWhole(study);
  const body = { ...request, windowId: window.windowId };
  const picture = await step("windows", async () => {
    const path = await drawWindows(study, { path: join(out, "windows.png"), title: "demonstration", most: 8 });
    return [path, path] as const;
  });
  const quote = await step("credit check", async () => {
    const checked = await client.call("/scene-tasking/check-credit", body, { signal });
    const left = formatCredit(checked.remainingCredit);
    return [checked, `${formatCredit(checked.cost)} credits, ${left} there`] as const;
  });
  const order = await step("order", async () => {
    const placed = await client.call("/scene-tasking/order/create", body, { signal });
    if (placed.price !== quote.cost) {
      throw new CommandError(`checked ${quote.cost} credits, ordered for ${placed.price}`, EXIT.credit);
    }
    return [placed, `${placed.id}, ${placed.status}, pass of ${window.satellite} at ${window.startTime}`] as const;
  });
  const watched = await step("capture", async () => {
    const news = { note: (line: string) => output.note(`  ${line}`), progress: () => undefined };
    const done = await watchOrder(client, order.id, { everyMs: EVERY_MS, news, signal });
    return [done, `${done.order.status}, ${done.captures.length} capture`] as const;
  });
  const [sceneId = ""] = watched.sceneIds;
  const extent = await step("search", () => findCapture(client, sceneId, study, signal));
  await step("credits", () => payForArea(client, sceneId, extent, signal));
  const released = await step("release", () =>
    releaseMaps(client, { mapTypes: ["imagery"], sceneId, extent }, output, signal),
  );
  const pictures = await savePictures(
    client,
    released.maps,
    extent,
    { folder: out, fileOf: () => "capture.png", percentileStretch: false },
    step,
    output,
    signal,
  );
  const log = await readLog(client, since, signal);
  const after = (await client.call("/credits/get-remaining-credit", {}, { signal })).remainingCredit;
  requireSum(log, before - after);
  await mkdir(out, { recursive: true });
  await writeFile(join(out, "credit-log.json"), `${JSON.stringify(log, null, 2)}\n`);
  output.result(
    { order: watched.order, sceneId, pictures: [picture, ...pictures.map(({ path }) => path)], log, steps },
    [
      "",
      ...formatTable(steps.map(({ name, what, seconds }) => [name, `${seconds.toFixed(2)} s`, what])),
      "",
      ...formatTable(log.map(({ time, kind, credit }) => [time, kind, formatCredit(credit)])),
      `${formatCredit(before)} - ${formatCredit(before - after)} = ${formatCredit(after)} credits; ` +
        `${((performance.now() - begunMs) / 1000).toFixed(1)} s in all`,
    ],
  );
}

async function openFastService(resources: AsyncDisposableStack): Promise<Done<Client>> {
  const folder = join(dataFolder(process.env), "tasking-demo");
  await mkdir(folder, { recursive: true });
  const catalogue = join(folder, "catalogue.json");
  await writeFile(catalogue, JSON.stringify(CATALOGUE));
  const settings = { SWATH_TASKING_SPEED: String(SPEED), SWATH_CATALOG: catalogue };
  const { client, url } = await openOwnDemoService(resources, folder, settings);
  return [client, `started at ${url}, a day of an order in ${86_400 / SPEED} s, data in ${folder}`];
}

/** The first window that covers the whole area. */
function firstWhole({ windows }: Study): Study["windows"][number] {
  const window = windows.find(({ coverageRatio }) => coverageRatio > 0.999);
  if (window === undefined) throw new CommandError(`none of ${windows.length} windows covers the area`);
  return window;
}

/** Searches for the scene over the ordered area. @throws {CommandError} when it is not among the results */
async function findCapture(
  client: Client,
  sceneId: string,
  { provider, dataset, geometry }: Study,
  signal: AbortSignal,
) {
  const { results } = await client.run(
    "/imagery/search",
    { datasets: [{ provider, dataset }], extent: geometry, onlyIngested: true, minIntersection: 0.5, limit: 1000 },
    { signal },
  );
  const hit = results.find((one) => one.sceneId === sceneId);
  if (hit === undefined) throw new CommandError(`the search found ${results.length} scenes, but not ${sceneId}`);
  return [hit.footprint, `${sceneId}, ${hit.datetime} UTC, ${hit.areaKm2.toFixed(2)} km2`] as const;
}

async function newestTransaction(client: Client, signal: AbortSignal) {
  const { results } = await client.call("/credits/user/list-transactions", { limit: 1 }, { signal });
  return results[0] ?? null;
}

/** Entries of the credit log after a known one, oldest first. */
async function readLog(client: Client, since: string | null, signal: AbortSignal) {
  const { results } = await client.call("/credits/user/list-transactions", { limit: 100 }, { signal });
  const known = results.findIndex(({ id }) => id === since);
  return (known < 0 ? results : results.slice(0, known)).toReversed();
}

/** @throws {CommandError} when the log does not explain what was spent */
function requireSum(log: readonly { readonly credit: number }[], spent: number): void {
  const sum = log.reduce((total, { credit }) => total + credit, 0);
  if (Math.abs(sum - spent) > 1e-6)
    throw new CommandError(`the log sums to ${sum} credits, ${spent} are missing`, EXIT.credit);
}
