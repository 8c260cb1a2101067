import assert from "node:assert/strict";
import { createReadStream, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { coastGeotiff } from "../make-geotiff.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import { writeLargeGeotiff } from "./large-geotiff.ts";
import { openConsole, signIn, type OpenConsole } from "./open-console.ts";

/** Megabytes of the large file; 1074 is a GiB. */
const LARGE_MB = Number(process.env["LARGE_FILE_MB"] ?? "64");
/** Of sending and reading the large file, at 5 MB/s. */
const LARGE_MS = 30_000 + LARGE_MB * 200;
const UPLOAD = /\/imagery\/ingest-scene\/upload\/[^/]+$/;
const INPUT = ".drop-zone input[type=file]";

async function openIngest(console: OpenConsole): Promise<void> {
  await signIn(console);
  await console.page.getByRole("link", { name: "Ingest" }).click();
  await console.page.getByText("Choose files").waitFor();
}

test("a dropped file becomes a scene, which is found on the map, and an index is made of it", async () => {
  await using console = await openConsole();
  const { page, service, faults } = console;
  const path = join(service.folder, "<img src=x onerror=alert(1)>.tif");
  await writeFile(path, coastGeotiff());
  await openIngest(console);
  await page.locator(INPUT).setInputFiles(path);
  await page.getByText("Nothing in the file states when it was taken.").waitFor();
  await page.getByLabel("Time of acquisition, UTC").fill("2024-06-30T10:15:00");
  await page.getByRole("button", { name: "Use this time" }).click();
  const facts = page.locator(".understood dl");
  await facts.waitFor();
  const understood = await facts.innerText();
  for (const part of ["30 Jun 2024 10:15", "EPSG:32633", "Blue (B)", "NIR (N)", "6.6\u00a0km²"]) {
    assert.ok(understood.includes(part), `${part} is not in ${understood}`);
  }
  await facts.getByText("10\u00a0m").waitFor();
  await page.getByRole("button", { name: "Show and make maps" }).click();
  await page.getByRole("list", { name: "Scenes" }).waitFor();
  await page.getByRole("button", { name: "Review price" }).click();
  await page.locator("dialog button.primary:not([disabled])").click();
  await page.getByRole("button", { name: "Hide ndvi" }).waitFor();
  // The browser logs the refusal of the file without a time, which the page asks for.
  assert.deepEqual(
    faults.filter((fault) => !fault.includes("424")),
    [],
  );
});

test("files that are no scenes say why, and the way out", async () => {
  await using console = await openConsole();
  const { page, service } = console;
  await openIngest(console);
  for (const [name, bytes, expected] of [
    ["notes.txt", Buffer.from("no imagery"), "expected a GeoTIFF"],
    ["broken.tif", Buffer.alloc(4_000), "Open it in another program"],
    ["nowhere.tif", coastGeotiff({ withoutCrs: true }), "Write the file again as GeoTIFF with a CRS"],
  ] as const) {
    const path = join(service.folder, name);
    await writeFile(path, bytes);
    await page.locator(INPUT).setInputFiles(path);
    const row = page.locator(`li.upload:has(strong:text-is("${name}"))`);
    if (name === "nowhere.tif") {
      await row.getByLabel("Time of acquisition, UTC").fill("2024-06-30T10:15:00");
      await row.getByRole("button", { name: "Use this time" }).click();
    }
    await row.getByText(expected).waitFor();
    await row.getByRole("button", { name: `Remove ${name}` }).click();
    await row.waitFor({ state: "detached" });
  }
});

test(`a file of ${LARGE_MB} MB, cut by the network and by a reload, is the same scene`, async () => {
  await using console = await openConsole();
  const { page, service } = console;
  const path = join(service.folder, "large.tif");
  await writeLargeGeotiff(path, LARGE_MB);
  await openIngest(console);
  let puts = 0;
  let cutAt = 3;
  const cut = Promise.withResolvers<void>();
  await page.route(UPLOAD, async (route) => {
    puts += 1;
    if (puts === cutAt) {
      await page.context().setOffline(true);
      await route.abort();
      cut.resolve();
    } else if (puts < 6 || cutAt === 0) {
      await route.continue();
    }
    // The sixth request never arrives: the page is loaded again while it waits.
  });
  await page.locator(INPUT).setInputFiles(path);
  await cut.promise;
  await page.getByText("No network. It goes on by itself; nothing is lost.").waitFor();
  await page.context().setOffline(false);
  await page.getByText(/^\d+\u00a0%, 25.2\u00a0MB of .*: sending/).waitFor();
  await page.reload();
  cutAt = 0;
  const again = page.locator("li.upload input[type=file]");
  await again.waitFor({ state: "attached" });
  const other = join(service.folder, "other.tif");
  await writeFile(other, "other");
  await again.setInputFiles(other);
  await page.getByText("This is another file").waitFor();
  const before = puts;
  await again.setInputFiles(path);
  const startMs = performance.now();
  await page.getByLabel("Time of acquisition, UTC").waitFor({ timeout: LARGE_MS });
  const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
  process.stdout.write(`${LARGE_MB} MB: ${seconds} s from the second choice of the file to the question of the time\n`);
  await page.getByLabel("Time of acquisition, UTC").fill("2024-06-30T10:15:00");
  const pieces = Math.ceil(statSync(path).size / (8 * 1024 * 1024));
  assert.ok(
    puts - before < pieces,
    `${puts - before} requests for ${pieces} pieces: bytes that arrived were sent again`,
  );
  await page.getByRole("button", { name: "Use this time" }).click();
  await page.locator(".understood").waitFor({ timeout: LARGE_MS });
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  const { body } = await demo.post("/imagery/scene/list", {});
  assert.equal(body.results.length, 1);
  assert.deepEqual(await ingestDirectly(demo, path), { duplicate: true, sceneId: body.results[0].sceneId });
});

/** Sends the same bytes in one request, as another program would. */
async function ingestDirectly(
  demo: RawClient,
  path: string,
): Promise<{ readonly duplicate: boolean; readonly sceneId: string }> {
  const { size } = statSync(path);
  const { body: place } = await demo.post("/imagery/ingest-scene/upload", {
    uploadSuffix: ".geotiff",
    size,
    filename: "direct",
  });
  const body = Readable.toWeb(createReadStream(path)) as ReadableStream;
  const headers = { "content-type": "application/octet-stream", "content-length": String(size) };
  const sent = await fetch(place.url, { method: "PUT", body, headers, duplex: "half" });
  assert.equal(sent.status, 200, await sent.text());
  const { body: answer } = await demo.run("/imagery/ingest-scene", { provider: "local", filepath: place.filepath });
  const [{ duplicate, sceneId }] = answer.ingestedScenes;
  return { duplicate, sceneId };
}
