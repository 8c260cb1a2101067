import { existsSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../packages/cli/src/program.ts";
import type { InstalledModel } from "../../packages/maps/src/models/runtime/installed-model.ts";
import { readModels } from "../../packages/maps/src/models/runtime/read-models.ts";
import { installExtra } from "../../scripts/extras.ts";

const FOLDER = join(import.meta.dirname, "..", "tmp", "models");

/** The networks of ukis-csmask, installed at the first use by `swath models add`; null where the package index is not reached. */
export async function openModels(): Promise<readonly InstalledModel[] | null> {
  installExtra("models");
  if (!existsSync(FOLDER)) {
    const said: string[] = [];
    const sink = { write: (text: string) => said.push(text) };
    const status = await run(["models", "add", "ukis-csmask", "--to", FOLDER], { out: sink, err: sink, variables: {} });
    if (status !== 0) {
      process.stderr.write(said.join(""));
      return null;
    }
  }
  const { models, faults } = readModels(FOLDER);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return models;
}
