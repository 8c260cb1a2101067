import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { installExtra } from "../../scripts/extras.ts";
import { DEMO, ServiceProcess } from "../service-process.ts";
import type { Browser, Page, Playwright } from "./playwright.ts";

/** Debian's and Ubuntu's packages, and Chrome. */
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export interface OpenConsole extends AsyncDisposable {
  readonly service: ServiceProcess;
  readonly browser: Browser;
  readonly page: Page;
  /** What the page logged as a fault, and errors of its scripts. */
  readonly faults: readonly string[];
}

/** The console of a real service in a real browser, of a size; scripts of a test need `bypassCSP`. @throws {Error} without a browser, and how to get one */
export async function openConsole(
  size: { readonly width: number; readonly height: number } = { width: 1440, height: 900 },
  options: { readonly bypassCSP: boolean } = { bypassCSP: false },
  settings: Readonly<Record<string, string>> = {},
): Promise<OpenConsole> {
  const service = await ServiceProcess.start({ SWATH_HOST: "127.0.0.1", ...settings });
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: size, ...options });
  const faults = watchFaults(page);
  return {
    service,
    browser,
    page,
    faults,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** The program of the browser. @throws {Error} without one, and how to get one */
export function browserPath(): string {
  const path = process.env["CHROMIUM"] ?? BROWSERS.find((one) => existsSync(one));
  assert.ok(path !== undefined, "no browser: apt-get install chromium, or name one in CHROMIUM");
  return path;
}

export async function launchBrowser(): Promise<Browser> {
  const executablePath = browserPath();
  const { chromium } = createRequire(join(installExtra("browser"), "package.json"))("playwright-core") as Playwright;
  // Chromium refuses its sandbox to the superuser, as whom containers of CI run.
  return await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
}

/** Errors that the browser would show a developer. */
export function watchFaults(page: Page): readonly string[] {
  const faults: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => faults.push(error.message));
  return faults;
}

/** Signs in with the login that the page filled in. */
export async function signIn({ page, service }: Pick<OpenConsole, "page" | "service">): Promise<void> {
  await page.goto(`${service.baseUrl}/console`);
  const email = page.getByLabel("E-mail");
  await email.waitFor();
  await page.locator(`input[value="${DEMO.email}"]`).waitFor();
  await page.getByRole("button", { name: "Sign in" }).click();
  await email.waitFor({ state: "detached" });
}

/** Writes the corners of an area and searches it. */
export async function searchArea(page: Page, corners: string): Promise<void> {
  await page.getByRole("textbox", { name: "Area" }).fill(corners);
  await page.getByRole("textbox", { name: "Area" }).press("Enter");
  await page.getByRole("button", { name: "Search" }).click();
  await page.locator("ul.scenes:not(.dimmed)").waitFor({ state: "attached" });
}
