import { test } from "node:test";
import { ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO, ServiceProcess } from "../service-process.ts";
import { launchBrowser, searchArea, signIn } from "./open-console.ts";
import { assertAccessible } from "./violations.ts";

const COAST = "15.0005, 0.8823, 15.0225, 0.904";
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
        await assertAccessible(page, "sign-in");
        await signIn({ page, service });
        await page.goto(`${service.baseUrl}/console?ui=${theme}&d=local.uploads`);
        await page.getByRole("button", { name: "Show an example" }).waitFor();
        await assertAccessible(page, "nothing yet");
        await searchArea(page, COAST);
        await assertAccessible(page, "found");
        await page
          .getByRole("checkbox", { name: /^Choose the scene/ })
          .first()
          .check();
        await page.getByRole("button", { name: "Review price" }).click();
        await page.locator("dialog button.primary:not([disabled])").waitFor();
        await assertAccessible(page, "price");
        await page.locator("dialog button.primary").click();
        await page.waitForURL(/[?&]l=/);
        await page.getByRole("button", { name: /^Tasks/ }).click();
        await page.getByRole("button", { name: "Open" }).first().waitFor();
        await assertAccessible(page, "maps and tasks");
        await searchArea(page, "-120, -50, -119.9, -49.9");
        await page.getByText("No scene meets these conditions.").waitFor();
        await assertAccessible(page, "nothing found");
      } finally {
        await browser.close();
      }
    });
  }
}
