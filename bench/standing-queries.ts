import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { printP95 } from "./statistics.ts";

/**
 * How long a new scene takes until it is matched with 100,000 areas, and registration beside a user who watches as many
 * at one place.
 */
export async function run(): Promise<void> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "children", "standing-queries.ts")], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [output] = await Promise.all([text(child.stdout), once(child, "exit")]);
  const { areas, crowded, statements, usual } = JSON.parse(output);
  process.stdout.write(
    `a new scene against ${areas} areas: elapsed p50 ${usual.matchP50Ms.toFixed(1)} ms, processors p95 ${usual.matchCpuP95Ms.toFixed(1)} ms, ${usual.matches.toFixed(1)} matches, ` +
      `${statements} statements\n` +
      `registration: p95 ${usual.registerP95Ms.toFixed(1)} ms; where another user watches 100000 areas ` +
      `${crowded.registerP95Ms.toFixed(1)} ms\n`,
  );
  printP95("standing-queries", usual.matchP95Ms);
}
