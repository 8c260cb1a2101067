import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { test } from "node:test";
import { ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import { choose } from "./choose.ts";
import { launchBrowser, openConsole, signIn, watchFaults, type OpenConsole } from "./open-console.ts";

const NAME = "<img src=x onerror=alert(1)>";

/** Makes maps and a link to the index. Returns the address of its page and its frame. */
async function makeLink(console: OpenConsole): Promise<{ readonly address: string; readonly frame: string }> {
  const { page, service } = console;
  await ingestCoast(await new RawClient(service.baseUrl).login(DEMO));
  await signIn(console);
  await choose(page);
  await page.locator("dialog button.primary").click();
  await page.getByRole("button", { name: "Hide ndvi" }).waitFor();
  await page.getByRole("button", { name: "Share maps and this view" }).click();
  await page.getByLabel("Name, for your list").fill(NAME);
  await page.getByRole("button", { name: "Make a link" }).click();
  await page
    .getByText(/^Works until .* UTC$/)
    .first()
    .waitFor();
  return {
    address: await page.getByLabel("Page of the map").first().inputValue(),
    frame: await page.getByLabel("Frame for a web page").first().inputValue(),
  };
}

/** A page of another origin. */
async function serve(html: string): Promise<{ readonly server: Server; readonly url: string }> {
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(html);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

test("a stranger sees the map of a link, on its page and in a frame of another site, until it is revoked", async () => {
  await using console = await openConsole();
  const { page, service, faults } = console;
  const { address, frame } = await makeLink(console);
  const stranger = await launchBrowser();
  const other = await serve(`<!doctype html><title>Another site</title>${frame}`);
  try {
    const reader = await stranger.newPage();
    const faultsOfReader = watchFaults(reader);
    const asked: string[] = [];
    reader.on("request", (request) => asked.push(request.url()));
    await reader.goto(address);
    await reader.locator("#map[data-rendered=true]").waitFor();
    await reader.getByRole("heading", { name: "ndvi" }).waitFor();
    assert.match(await reader.getByLabel("Legend").innerText(), /\d{4} \d\d:\d\d UTC/);
    await reader.getByText(/Natural Earth/).waitFor();
    await reader.goto(other.url);
    const framed = reader.frameLocator("iframe");
    await framed.locator("#map[data-rendered=true]").waitFor();
    await framed.getByRole("heading", { name: "ndvi" }).waitFor();
    const hosts = new Set(asked.map((url) => new URL(url).origin));
    assert.deepEqual([...hosts], [new URL(service.baseUrl).origin, new URL(other.url).origin]);
    assert.ok(asked.some((url) => url.includes("/mapsvc/grid/")));
    assert.ok(!asked.some((url) => url.includes("/console/session")));
    assert.deepEqual(
      faultsOfReader.filter((fault) => !fault.includes("404")),
      [],
    );
    await page.getByRole("button", { name: `Revoke ${NAME}` }).click();
    await page.getByText(`${NAME} is revoked.`).waitFor();
    await reader.goto(address);
    await reader.getByRole("heading", { name: "This map is not available" }).waitFor();
    await reader.goto(`${service.baseUrl}/m/no-map`);
    await reader.getByRole("heading", { name: "This map is not available" }).waitFor();
    assert.deepEqual(faults, []);
  } finally {
    other.server.close();
    await stranger.close();
  }
});

test("the link to the view has maps by links that end, where the user chooses so", async () => {
  await using console = await openConsole();
  const { page, faults } = console;
  await makeLink(console);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.getByRole("button", { name: "Copy the link to this view" }).click();
  await page.getByText("The link is copied").waitFor();
  const link = await page.evaluate<string>("navigator.clipboard.readText()");
  await page.getByRole("button", { name: "Revoke imagery" }).waitFor();
  const stranger = await launchBrowser();
  try {
    const reader = await stranger.newPage();
    await reader.goto(link);
    await reader.locator("#map[data-rendered=true]").waitFor();
    await reader.getByRole("button", { name: "Hide ndvi" }).waitFor();
    await page.getByRole("button", { name: "Revoke imagery" }).click();
    await page.getByText("imagery is revoked.").waitFor();
    // A browser keeps answers about a link for a minute; this one has none.
    const later = await stranger.newPage();
    await later.goto(link);
    await later.getByText("This map is not available: it is revoked, or its link has ended.").waitFor();
    await later.getByRole("button", { name: "Hide ndvi" }).waitFor();
  } finally {
    await stranger.close();
  }
  assert.deepEqual(faults, []);
});
