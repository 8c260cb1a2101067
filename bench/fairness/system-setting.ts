import { readFileSync, writeFileSync } from "node:fs";

/** A changed setting; disposing restores it. */
interface ChangedSetting extends Disposable {
  /** Whether the system has no such setting or has the wanted value. */
  readonly isAsWanted: boolean;
}

/**
 * Gives a setting of the running Linux another value until it is disposed of, also where the process is ended by SIGINT or
 * SIGTERM before. Only root may.
 */
export function changeSystemSetting(path: string, wanted: string): ChangedSetting {
  const before = read(path);
  if (before === null || before === wanted) return { isAsWanted: true, [Symbol.dispose]: () => undefined };
  write(path, wanted);
  const restore = (): void => write(path, before);
  process.once("exit", restore);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
  return { isAsWanted: read(path) === wanted, [Symbol.dispose]: restore };
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}

function write(path: string, value: string): void {
  try {
    writeFileSync(path, value);
  } catch {
    // The caller is not root, or this Linux does not know the value.
  }
}
