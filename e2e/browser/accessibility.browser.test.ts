import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { installExtra } from "../../scripts/extras.ts";
import { ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO, ServiceProcess } from "../service-process.ts";
import { launchBrowser, searchArea, signIn } from "./open-console.ts";
import type { Page } from "./playwright.ts";

const COAST = "15.0005, 0.8823, 15.0225, 0.904";
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const AXE = readFileSync(join(installExtra("browser"), "axe-core", "axe.min.js"), "utf8");

async function violations(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ content: AXE });
  const options = JSON.stringify({ runOnly: TAGS, resultTypes: ["violations"] });
  return await page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes.map(({ html }) => html).join(" ")))`,
  );
}

for (const [name, size] of [
  ["wide", { width: 1440, height: 900 }],
  ["narrow", { width: 375, height: 812 }],
] as const) {
  for (const theme of ["light", "dark"] as const) {
    test(`no state of the ${name} ${theme} page breaks a rule of WCAG 2.2 AA`, async () => {
      await using service = await ServiceProcess.start();
      await ingestCoast(await new RawClient(service.baseUrl).login(DEMO));
      const browser = await launchBrowser();
      try {
        const page = await browser.newPage({ viewport: size, bypassCSP: true });
        await page.goto(`${service.baseUrl}/console?ui=${theme}`);
        await page.getByLabel("E-mail").waitFor();
        assert.deepEqual(await violations(page), [], "sign-in");
        await signIn({ page, service });
        await page.goto(`${service.baseUrl}/console?ui=${theme}&d=local.uploads`);
        await page.getByRole("button", { name: "Show an example" }).waitFor();
        assert.deepEqual(await violations(page), [], "nothing yet");
        await searchArea(page, COAST);
        assert.deepEqual(await violations(page), [], "found");
        await page
          .getByRole("checkbox", { name: /^Choose the scene/ })
          .first()
          .check();
        await page.getByRole("button", { name: "Review price" }).click();
        await page.locator("dialog button.primary:not([disabled])").waitFor();
        assert.deepEqual(await violations(page), [], "price");
        await page.locator("dialog button.primary").click();
        await page.waitForURL(/[?&]l=/);
        await page.getByRole("button", { name: /^Tasks/ }).click();
        await page.getByRole("button", { name: "Open" }).first().waitFor();
        assert.deepEqual(await violations(page), [], "maps and tasks");
        await searchArea(page, "-120, -50, -119.9, -49.9");
        await page.getByText("No scene meets these conditions.").waitFor();
        assert.deepEqual(await violations(page), [], "nothing found");
      } finally {
        await browser.close();
      }
    });
  }
}
