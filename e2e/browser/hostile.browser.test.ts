import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { coastGeotiff } from "../make-geotiff.ts";
import { ADMIN, DEMO } from "../service-process.ts";
import { hostileName, nameEverything, type HostileNames } from "./hostile-names.ts";
import { assertFits } from "./keep-picture.ts";
import { openConsole, signIn, type OpenConsole } from "./open-console.ts";
import type { Page } from "./playwright.ts";

/** Words of the page, which names surround, that a mark of a name has turned: the second letter is left of the first. */
const TURNED = `(() => {
  const turned = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const boxOf = (node, at) => {
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return range.getBoundingClientRect();
  };
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.data;
    // Letters of a name are behind its mark; the words of the page are before it, or behind the end of the name.
    const own = text.replace(/[\\u2066-\\u2068]?<img[^]*?WWW+[.a-z]*\\u2069?/g, (name) => " ".repeat(name.length));
    for (const { index } of own.matchAll(/[A-Za-z]{2}/g)) {
      const [first, second] = [boxOf(node, index), boxOf(node, index + 1)];
      const isLine = first.width > 0 && second.width > 0 && Math.abs(first.top - second.top) < 2;
      if (isLine && second.left < first.left) {
        turned.push(text.slice(Math.max(0, index - 30), index + 30));
        break;
      }
    }
  }
  return turned;
})()`;

/** Elements that reach beyond the right edge of the page, without parts that scroll in themselves. */
const TOO_WIDE = `(() => {
  const widthPx = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= widthPx) return [];
  return [...document.querySelectorAll("body *")]
    .filter((one) => one.getBoundingClientRect().right > widthPx + 1)
    .slice(-5)
    .map((one) => one.tagName + "." + one.className + " " + Math.round(one.getBoundingClientRect().right));
})()`;

/** Texts that reach beyond the box around them and lie on others, unless the box cuts them. */
const SPILLING = `(() => {
  const spilling = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  const isInline = (one) => getComputedStyle(one).display === "inline" || getComputedStyle(one).display === "contents";
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    let around = node.parentElement;
    while (isInline(around) && around.parentElement !== null) around = around.parentElement;
    if (around instanceof SVGElement || getComputedStyle(around).overflow !== "visible") continue;
    const box = around.getBoundingClientRect();
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    if (text.width === 0 || box.width <= 1) continue;
    const beyondPx = Math.max(box.left - text.left, text.right - box.right, text.bottom - box.bottom - 2);
    if (beyondPx > 2) spilling.push(around.tagName + "." + around.className + " " + node.data.slice(0, 40) + " " + beyondPx);
  }
  return spilling;
})()`;

async function assertHarmless(page: Page, screen: string): Promise<void> {
  assert.equal(await page.evaluate<boolean>("globalThis.ran === true"), false, `${screen} ran a name`);
  assert.equal(await page.locator("img[src=x]").count(), 0, `${screen} has an element of a name`);
  assert.deepEqual(await page.evaluate<readonly string[]>(TURNED), [], `${screen} has turned words`);
  assert.deepEqual(await page.evaluate<readonly string[]>(SPILLING), [], `${screen} has texts on others`);
  assert.deepEqual(await page.evaluate<readonly string[]>(TOO_WIDE), [], `${screen} is wider than the page`);
  await assertFits(page, screen);
}

/** Addresses below /console, and the last letters of the names that are read there. */
const screensOf = ({ analysisId, monitorId, orderId, mapId }: HostileNames) =>
  [
    ["areas", ["area"]],
    ["areas/layers/pins", ["pin"]],
    ["analyses", ["folder", "below", "analysis", "tag"]],
    [`analyses/${analysisId}`, ["analysis", "folder", "tag", "object"]],
    ["monitors", ["monitor"]],
    [`monitors/${monitorId}`, ["monitor"]],
    ["monitors/alerts", ["monitor"]],
    ["monitors/webhooks", ["webhook"]],
    ["tasking/orders", ["order"]],
    [`tasking/orders/${orderId}`, ["order"]],
    [`share?l=${mapId}:ndvi.png:1`, ["link"]],
    [`export?l=${mapId}:ndvi.png:1`, []],
    ["credits", []],
    ["admin/keys", ["key"]],
    ["calls", []],
  ] as const;

const ADMIN_SCREENS = [
  ["admin/users", ["user"]],
  ["admin/groups", ["group", "organisation"]],
  ["admin/prices", ["group"]],
  ["admin/audit", []],
  ["credits", []],
] as const;

/** Dialogs that name what is deleted. */
async function askToDelete({ page, service }: OpenConsole, { analysisId, monitorId, mapId }: HostileNames) {
  for (const path of [`analyses/${analysisId}`, `monitors/${monitorId}`, "monitors/webhooks", "areas"]) {
    await page.goto(`${service.baseUrl}/console/${path}`);
    if (path === "areas")
      await page
        .locator(".virtual-table")
        .getByText(/Warea$/)
        .click();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.locator("dialog[open]").getByText(/WWW/).first().waitFor();
    await assertHarmless(page, `the dialog of ${path}`);
  }
  await page.goto(`${service.baseUrl}/console/share?l=${mapId}:ndvi.png:1`);
  await page.getByRole("button", { name: /^Revoke/ }).click();
  await page.getByText(/is revoked\.$/).waitFor();
  await assertHarmless(page, "a revoked link");
}

/** A file system allows names of 255 bytes. */
async function ingestFile({ page, service }: OpenConsole) {
  const path = join(service.folder, `${hostileName("file", 200)}.tif`);
  await writeFile(path, coastGeotiff());
  await page.goto(`${service.baseUrl}/console/ingest`);
  await page.locator(".drop-zone input[type=file]").setInputFiles(path);
  // The scene exists already with the same bytes, so that nothing is asked.
  await page.getByRole("button", { name: "Show and make maps" }).waitFor();
  await page
    .getByText(/Wfile\.tif/)
    .first()
    .waitFor();
  await assertHarmless(page, "an ingested file");
}

for (const [kind, size] of [
  ["wide", { width: 1440, height: 900 }],
  ["narrow", { width: 375, height: 812 }],
] as const) {
  test(`a hostile name runs nothing, turns no word and widens no screen of the ${kind} page`, async () => {
    await using console = await openConsole(size);
    const { page, service, faults } = console;
    const names = await nameEverything(service);
    await signIn(console);
    const walk = async (screens: readonly (readonly [path: string, whats: readonly string[]])[]) => {
      for (const [path, whats] of screens) {
        await page.goto(`${service.baseUrl}/console/${path}`);
        for (const what of whats) {
          await page
            .getByText(new RegExp(`W${what}`))
            .first()
            .waitFor({ state: "attached" });
        }
        await page.locator(".skeleton").first().waitFor({ state: "detached" });
        await assertHarmless(page, path);
      }
    };
    await walk(screensOf(names));
    await page.goto(`${service.baseUrl}/m/${names.linkedMapId}`);
    await page.locator("#map[data-rendered=true]").waitFor();
    await assertHarmless(page, "the page of a map");
    await askToDelete(console, names);
    await ingestFile(console);
    await page.getByRole("button", { name: /^Tasks/ }).click();
    await page.getByRole("button", { name: "Open" }).first().waitFor();
    await assertHarmless(page, "tasks");
    await page.goto(`${service.baseUrl}/console`);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.goto(`${service.baseUrl}/console/admin/users`);
    await page.locator(`dialog input[value="${DEMO.email}"]`).waitFor();
    await page.locator("dialog input[type=email]").fill(ADMIN.email);
    await page.locator("dialog input[type=password]").fill(ADMIN.password);
    await page.locator("dialog button[type=submit]").click();
    await page.locator("dialog input[type=email]").waitFor({ state: "detached" });
    await walk(ADMIN_SCREENS);
    // Violations of the policy of the page are faults.
    assert.deepEqual(faults, []);
  });
}
