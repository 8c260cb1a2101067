/**
 * Writes the skeleton of a map type, a provider or an endpoint: `npm run new -- map-type red-roof`,
 * `npm run new -- provider acme`, `npm run new -- endpoint geojson/count-geometries`.
 */
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { runCheckTool } from "./extras.ts";
import type { Change } from "./new/change.ts";
import { newEndpoint } from "./new/endpoint.ts";
import { newMapType } from "./new/map-type.ts";
import { newProvider } from "./new/provider.ts";

const KINDS: Readonly<Record<string, (name: string) => readonly Change[]>> = {
  endpoint: newEndpoint,
  "map-type": newMapType,
  provider: newProvider,
};
const NAME = /^[a-z][a-z0-9-]*(?:\/[a-z][a-z0-9-]*)?$/;

const [kind = "", name = ""] = process.argv.slice(2);
const changesOf = KINDS[kind];
if (changesOf === undefined || !NAME.test(name)) {
  process.stderr.write(`got "${kind} ${name}", expected ${Object.keys(KINDS).join(", ")} and a name in kebab-case\n`);
  process.exit(2);
}
try {
  const changes = changesOf(name);
  // All texts first: a name that is taken leaves no half of a skeleton.
  const texts = await Promise.all(
    changes.map(async ({ path, text }) => text(existsSync(path) ? await readFile(path, "utf8") : null)),
  );
  for (const [index, { path }] of changes.entries()) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, texts[index] ?? "");
  }
  runCheckTool(
    "oxfmt",
    changes.map(({ path }) => path),
  );
  process.stdout.write(`${changes.map(({ path }) => path).join("\n")}\n`);
} catch (error) {
  if (!(error instanceof RangeError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
