import assert from "node:assert/strict";
import { test } from "node:test";
import { ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import { choose } from "./choose.ts";
import { openConsole, signIn } from "./open-console.ts";
import { assertAccessible } from "./violations.ts";

test("what a layer shows is an address that anyone can fetch, and stands in the link", async () => {
  await using console = await openConsole({ width: 1440, height: 900 }, { bypassCSP: true });
  const { service, page, faults } = console;
  await ingestCoast(await new RawClient(service.baseUrl).login(DEMO));
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await signIn(console);
  await choose(page);
  await page.locator("dialog button.primary").click();
  const colours = page.getByLabel("Colours of ndvi");
  await colours.waitFor();
  await page.locator("#map[data-rendered=true]").waitFor();
  const made = asked.findLast((url) => url.endsWith("/ndvi.png")) ?? "";

  await colours.selectOption("limits");
  await page.getByLabel("Lower limit of ndvi").press("End");
  await page.waitForURL(/stretch/);
  await assertAccessible(page, "limits");
  // The lower limit stops one step below the upper one.
  const limited = await lastWith(asked, "stretch=");
  const [low = 0, high = 0] = (new URL(limited).searchParams.get("stretch") ?? "").split(",").map(Number);
  assert.ok(low > 0 && low < high, `${low} to ${high}`);
  assert.notEqual(await picture(limited), await picture(made));

  await colours.selectOption("percentiles");
  await picture(await lastWith(asked, "percentile_stretch=true"));
  await colours.selectOption("threshold");
  await picture(await lastWith(asked, "user_threshold="));
  await colours.selectOption("classes");
  const classes = page.getByLabel("Classes of ndvi");
  await classes.fill("bare:0:x:#b0903c");
  await page.getByRole("button", { name: "Apply classes" }).click();
  await page.getByText('got the limit "x"').waitFor();
  await classes.fill("bare::0.2:#b0903c\ngreen:0.2::#1a9641");
  await page.getByRole("button", { name: "Apply classes" }).click();
  const classified = await lastWith(asked, "classification=bare");
  await picture(classified);

  // Another reader of the link asks for the same tiles.
  await page.waitForURL(/classification/);
  const link = page.url();
  asked.length = 0;
  await page.goto(link);
  assert.equal(new URL(await lastWith(asked, "classification=bare")).search, new URL(classified).search);
  await colours.selectOption("made");
  await page.waitForURL((url) => !url.href.includes("classification"));
  assert.deepEqual(
    faults.filter((text) => !/40[4]|422/.test(text)),
    [],
  );
});

/** The last picture with a parameter, as soon as the page asks for one. */
async function lastWith(asked: readonly string[], parameter: string): Promise<string> {
  for (;;) {
    const found = asked.findLast((url) => url.includes(`.png?${parameter}`));
    if (found !== undefined) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function picture(url: string): Promise<string> {
  const answer = await fetch(url);
  assert.equal(answer.status, 200, url);
  return Buffer.from(await answer.arrayBuffer()).toString("base64");
}
