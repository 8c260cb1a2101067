import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { installExtra } from "../../scripts/extras.ts";
import type { Page } from "./playwright.ts";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const AXE = readFileSync(join(installExtra("browser"), "axe-core", "axe.min.js"), "utf8");

/** Checks the page, which must bypass its policy, by the rules of WCAG 2.2 AA. */
export async function assertAccessible(page: Page, state: string): Promise<void> {
  assert.deepEqual(await violations(page), [], state);
}

async function violations(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ content: AXE });
  const options = JSON.stringify({ runOnly: TAGS, resultTypes: ["violations"] });
  return await page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes.map(({ html }) => html).join(" ")))`,
  );
}
