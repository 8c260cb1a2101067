import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { checkConfiguredModel } from "@swath/service/main";
import { CommandError, EXIT } from "../exit-code.ts";

export interface NewModel {
  readonly manifest: { readonly id: string };
  readonly bytes: Uint8Array;
}

export interface InstalledModel {
  readonly mapType: string;
  readonly folder: string;
}

/**
 * Places models in the folder of a service: all of them, or none. Each is read and run as the service would before it has
 * its place; a service that reads the folder meanwhile sees whole models only.
 *
 * @throws {CommandError} with the faults of a model, or when its place is taken
 */
export async function installModels(
  models: readonly NewModel[],
  folder: string,
  signal: AbortSignal,
): Promise<readonly InstalledModel[]> {
  const target = resolve(folder);
  for (const { manifest } of models) {
    if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(manifest.id)) {
      throw new CommandError(
        `got the model id ${manifest.id}, expected lower-case words joined by hyphens`,
        EXIT.usage,
      );
    }
    const place = join(target, manifest.id);
    if (existsSync(place)) {
      throw new CommandError(`${place} is there already`, EXIT.failure, "remove it first to replace the model");
    }
  }
  await mkdir(target, { recursive: true });
  // Beside the folder: on the same disk for the rename, and no model of the service.
  const staging = await mkdtemp(join(dirname(target), ".models-"));
  try {
    for (const { manifest, bytes } of models) {
      const stage = join(staging, manifest.id);
      await mkdir(stage);
      await writeFile(join(stage, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
      await writeFile(join(stage, "model.onnx"), bytes);
      const { faults } = await checkConfiguredModel(stage, {}, signal);
      if (faults.length > 0) {
        throw new CommandError(`${manifest.id}: ${faults.join("; ")}`, EXIT.failure, "nothing was added");
      }
    }
    const installed: InstalledModel[] = [];
    for (const { manifest } of models) {
      await rename(join(staging, manifest.id), join(target, manifest.id));
      installed.push({ mapType: `model-${manifest.id}`, folder: join(target, manifest.id) });
    }
    return installed;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}
