import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Path of a real imagery sample for tests, or null when the sample folder is not there.
 * It is looked for beside the repository (`../shared/data`) or where SWATH_SAMPLE_DATA says.
 */
export function sampleData(...segments: readonly string[]): string | null {
  const root = process.env["SWATH_SAMPLE_DATA"] ?? join(import.meta.dirname, "..", "..", "..", "..", "shared", "data");
  const path = join(root, ...segments);
  return existsSync(path) ? path : null;
}
