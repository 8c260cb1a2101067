import assert from "node:assert/strict";
import { test } from "node:test";
import { ISSUER_ACCOUNT, issuerSettings, startIssuer } from "../issuer-service.ts";
import { openConsole } from "./open-console.ts";
import type { Page } from "./playwright.ts";

/** Fills in the pages of the issuer: user and password, then the consent. */
async function signInThere(page: Page): Promise<void> {
  await page.locator('input[name="login"]').fill(ISSUER_ACCOUNT);
  await page.locator('input[name="password"]').fill("any");
  await page.locator('button[type="submit"]').click();
  await page.locator('input[name="prompt"][value="consent"]').waitFor({ state: "attached" });
  await page.locator('button[type="submit"]').click();
}

test("a user of an external issuer signs in, keeps the view, continues after a reload and signs out", async () => {
  await using oidc = await startIssuer();
  await using console = await openConsole({ width: 1440, height: 900 }, undefined, issuerSettings(oidc));
  const { page, service, faults } = console;
  await page.goto(`${service.baseUrl}/console/credits?v=15,1,9`);
  const button = page.getByRole("button", { name: `Sign in with ${new URL(oidc.issuer).host}` });
  await button.waitFor();
  assert.equal(await page.getByLabel("Password").count(), 0);
  assert.deepEqual(faults, []);
  await button.click();
  await signInThere(page);
  await page.locator(".balance").waitFor();
  // The pages of the issuer ask for fonts that are not on this machine.
  const faultsThere = faults.length;
  assert.match(page.url(), /\/console\/credits\?v=15%2C1%2C9$/u);
  const stored = await page.evaluate<string>("JSON.stringify([localStorage, sessionStorage, document.cookie])");
  assert.doesNotMatch(stored, /eyJ|swath=/u);
  await page.reload();
  await page.locator(".balance").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await button.waitFor();
  await page.reload();
  await button.waitFor();
  assert.deepEqual(faults.slice(faultsThere), []);
});
