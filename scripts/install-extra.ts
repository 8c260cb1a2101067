/** Installs what `npm ci` leaves out: `node scripts/install-extra.ts bundle|check|models|wasm`. */
import { argv, exit, stderr } from "node:process";
import { installExtra, type Extra } from "./extras.ts";

const EXTRAS: readonly string[] = ["bundle", "check", "models", "wasm"] satisfies readonly Extra[];

const isExtra = (name: string | undefined): name is Extra => name !== undefined && EXTRAS.includes(name);

const [name] = argv.slice(2);
if (!isExtra(name)) {
  stderr.write(`got ${JSON.stringify(name ?? null)}, expected one of ${EXTRAS.join(", ")}\n`);
  exit(2);
}
installExtra(name);
