import { readFile } from "node:fs/promises";
import { UsageError } from "./exit-code.ts";

/** The JSON object of a file. @param what the kind of thing, such as "contract" @throws {UsageError} */
export async function readObject(file: string, what: string): Promise<Readonly<Record<string, unknown>>> {
  const text = await readFile(file, "utf8");
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new UsageError(`${file} is not JSON`, { cause });
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(`${file} holds no ${what}, expected one JSON object`);
  }
  return Object.fromEntries(Object.entries(value));
}
