import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";

const ENTRY = join(import.meta.dirname, "..", "..", "packages", "cli", "src", "main.ts");

/** Proves the ledger by `swath ledger verify`; the output of the command when it finds a difference, else null. */
export async function verifyLedger(settings: Readonly<Record<string, string>>): Promise<string | null> {
  const child = spawn(process.execPath, [ENTRY, "ledger", "verify", "--json"], {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return code === 0 ? null : `${output}${errors}`;
}
