import { randomUUID } from "node:crypto";
import { constants, copyFile, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { InstalledModel } from "./installed-model.ts";

/** Copies that no model needs stay so long: another process may run them. */
const UNUSED_MS = 24 * 3_600_000;

/**
 * Copies the files of models to a folder under their SHA-256, so that a version goes on after its file was replaced.
 * The process of a model checks the digest of the bytes that it loads.
 *
 * @returns the models with the paths of the copies
 */
export async function keepModels(
  models: readonly InstalledModel[],
  folder: string,
  now: Date,
): Promise<readonly InstalledModel[]> {
  await mkdir(folder, { recursive: true });
  const kept: InstalledModel[] = [];
  for (const model of models) {
    const path = join(folder, `${model.manifest.sha256}.onnx`);
    if (!(await exists(path))) {
      const partial = join(folder, `${randomUUID()}.partial`);
      await copyFile(model.path, partial, constants.COPYFILE_FICLONE);
      await rename(partial, path);
    }
    kept.push({ ...model, path });
  }
  await removeUnused(folder, new Set(kept.map(({ path }) => path)), now);
  return kept;
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}

async function removeUnused(folder: string, used: ReadonlySet<string>, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (used.has(path)) continue;
    const { mtimeMs } = await stat(path);
    if (now.getTime() - mtimeMs > UNUSED_MS) await rm(path, { force: true });
  }
}
