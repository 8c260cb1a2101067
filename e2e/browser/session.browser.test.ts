import assert from "node:assert/strict";
import { test } from "node:test";
import { ingestCoast } from "../main-job.ts";
import { RawClient } from "../raw-client.ts";
import { DEMO } from "../service-process.ts";
import { openConsole, searchArea, signIn } from "./open-console.ts";

const COAST = "15.0005, 0.8823, 15.0225, 0.904";

test("a session continues after a reload, and its token is in no storage", async () => {
  await using console = await openConsole();
  const { page } = console;
  await signIn(console);
  await page.reload();
  await page.locator(".balance").waitFor();
  const stored = await page.evaluate<string>("JSON.stringify([localStorage, sessionStorage, document.cookie])");
  assert.doesNotMatch(stored, /eyJ/);
});

test("a wrong password says so and keeps the form", async () => {
  await using console = await openConsole();
  const { page, service } = console;
  await page.goto(`${service.baseUrl}/console`);
  await page.locator(`input[value="${DEMO.email}"]`).waitFor();
  await page.getByLabel("Password").fill("wrong");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.locator(".problem:not(:empty)").waitFor();
  assert.equal(await page.getByLabel("E-mail").inputValue(), DEMO.email);
});

test("an area that was entered is kept when the session is over, and the search is repeated after the sign-in", async () => {
  await using console = await openConsole();
  const { page, service } = console;
  const demo = await new RawClient(service.baseUrl).login(DEMO);
  await ingestCoast(demo);
  await page.clock.install();
  await signIn(console);
  await page.locator("details.datasets summary").click();
  await page.getByLabel("Uploaded imagery").check();
  await page.getByRole("textbox", { name: "Area" }).fill(COAST);
  await page.getByRole("textbox", { name: "Area" }).press("Enter");
  // The browser has lost the cookie, and the token ends.
  await page.context().clearCookies();
  await page.clock.fastForward("20:00");
  await page.getByText("Your session is over").waitFor();
  await page.evaluate("document.querySelector('form.conditions').requestSubmit()");
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("list", { name: "Scenes" }).waitFor();
  assert.equal(await page.getByRole("textbox", { name: "Area" }).inputValue(), COAST);
});

test("a broken part of a link is named and the page works", async () => {
  await using console = await openConsole();
  const { page, service, faults } = console;
  await page.goto(`${service.baseUrl}/console?aoi=1,2,3&v=15,1,9`);
  await page.getByText("Parts of the link are unreadable and left out: aoi.").waitFor();
  await signIn(console);
  await searchArea(page, COAST);
  assert.deepEqual(faults, []);
});

test("a search that begins before the datasets are listed waits for them", async () => {
  await using console = await openConsole();
  const { page, faults } = console;
  const begun = Promise.withResolvers<void>();
  await page.route(/\/imagery\/datasets\/list$/, async (route) => {
    await begun.promise;
    await route.continue();
  });
  await signIn(console);
  const searched = searchArea(page, COAST);
  await page.getByRole("button", { name: "Searching …" }).waitFor();
  begun.resolve();
  await searched;
  assert.deepEqual(faults, []);
});
