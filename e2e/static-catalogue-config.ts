import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const PAGE = readFileSync(join(import.meta.dirname, "../docs/stac.md"), "utf8");
const [, SECTION = ""] = /^## Static catalogues\n([\s\S]*?)^## /mu.exec(PAGE) ?? [];
const [, BLOCK = ""] = /```json\n([\s\S]*?)```/u.exec(SECTION) ?? [];
/** The address in the example. */
const PAGE_URL = "https://data.acme.example";

/** The configuration that the page of STAC shows, with the address of a local server. */
export function staticCatalogueConfig(url: string): string {
  assert.ok(BLOCK.includes(PAGE_URL));
  return BLOCK.replace(PAGE_URL, url);
}
