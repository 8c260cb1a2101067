import { readFile } from "node:fs/promises";
import { UsageError } from "./exit-code.ts";
import { parseInstant } from "./instant.ts";

/** Options of ingest that say what a file does not say about itself. */
export interface MetadataOptions {
  readonly bands?: string;
  readonly sensor?: string;
  readonly metadata?: string;
  readonly datetime?: string;
}

export type SceneDocument = Readonly<Record<string, unknown>>;

function isDocument(value: unknown): value is SceneDocument {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

async function readDocument(path: string): Promise<SceneDocument> {
  const text = await readFile(path, "utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${path} is not JSON`, { cause });
  }
  if (!isDocument(value)) throw new UsageError(`${path} holds no JSON object`);
  return value;
}

/** The document beside a file (`image.tif` has `image.scene.json` or `image.tif.scene.json`), or null. */
async function readBeside(file: string): Promise<SceneDocument | null> {
  const stem = file.replace(/\.[^./\\]+$/, "");
  for (const path of [`${file}.scene.json`, `${stem}.scene.json`]) {
    try {
      return await readDocument(path);
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
  return null;
}

/**
 * The scene.json to send with a file: what is named or lies beside it, then what the options add. Null when nothing is
 * known beyond the file.
 *
 * @throws {UsageError} for options or documents that cannot be understood
 */
export async function sceneDocumentFor(file: string, options: MetadataOptions): Promise<SceneDocument | null> {
  const base = options.metadata === undefined ? await readBeside(file) : await readDocument(options.metadata);
  const added: Record<string, unknown> = {};
  // The service knows the sensors' bands: names and sensor are passed on as they were typed.
  if (options.bands !== undefined) added["bands"] = splitList(options.bands, "--bands");
  if (options.sensor !== undefined) added["sensor"] = options.sensor;
  if (options.datetime !== undefined) added["datetime"] = parseInstant(options.datetime, "--datetime");
  if (base === null && Object.keys(added).length === 0) return null;
  return { ...base, ...added };
}

/** Words between commas. @throws {UsageError} when one is empty */
export function splitList(text: string, option: string): readonly string[] {
  const words = text.split(",").map((word) => word.trim());
  if (words.includes("")) throw new UsageError(`${option} is "${text}", expected words between commas`);
  return words;
}
