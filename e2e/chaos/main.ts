/**
 * `npm run chaos -- [--kills 50] [--seed N] [--arrangement single|several] [--minutes 20] [--output FOLDER]`: kills processes of the
 * service and of PostgreSQL under load, in both arrangements unless one is given. The last line counts kills and faults;
 * the exit code is 1 when anything was lost, charged twice, failed, or left over.
 */
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Arrangement } from "./arrangement.ts";
import type { Fault, FaultKind } from "./journal.ts";
import { runChaos, type ChaosOptions, type ChaosReport } from "./run-chaos.ts";
import { severalProcesses } from "./several-processes.ts";
import { singleProcess } from "./single-process.ts";

const ARRANGEMENTS: Readonly<Record<string, (say: (line: string) => void) => Promise<Arrangement>>> = {
  single: singleProcess,
  several: severalProcesses,
};
const CLIENTS = 6;
const SHOWN = 20;
const INTERRUPTED_EXIT = 130;

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
    arrangement: { type: "string" },
    minutes: { type: "string", default: "20" },
    output: { type: "string" },
  },
});
const startedMs = performance.now();
const say = (line: string): void => {
  process.stdout.write(`${((performance.now() - startedMs) / 1_000).toFixed(1).padStart(7)} s  ${line}\n`);
};
const options: ChaosOptions = {
  kills: wholeNumber("--kills", values.kills),
  seed: wholeNumber("--seed", values.seed),
  clients: CLIENTS,
  limitMs: wholeNumber("--minutes", values.minutes) * 60_000,
  say,
};
const names = values.arrangement === undefined ? Object.keys(ARRANGEMENTS) : [values.arrangement];
say(`seed ${options.seed}`);
let kills = 0;
let orphans = 0;
const faults: Fault[] = [];
for (const name of names) {
  const report = await runIn(name);
  kills += report.kills;
  orphans += report.orphans.length;
  faults.push(...report.faults);
}
const count = (kind: FaultKind): number => faults.filter((fault) => fault.kind === kind).length;
process.stdout.write(
  `chaos kills ${kills} lost ${count("lost")} double ${count("double")} failed ${count("failed")}\n`,
);
process.exitCode = faults.length + orphans === 0 && kills === options.kills * names.length ? 0 : 1;

async function runIn(name: string): Promise<ChaosReport> {
  const open = ARRANGEMENTS[name];
  if (open === undefined) usage(`--arrangement is "${name}", expected one of ${Object.keys(ARRANGEMENTS).join(", ")}`);
  await using arrangement = await open(say);
  // An interrupt must leave no server behind.
  const onInterrupt = (): void => {
    void Promise.resolve(arrangement[Symbol.asyncDispose]()).finally(() => process.exit(INTERRUPTED_EXIT));
  };
  process.once("SIGINT", onInterrupt);
  say(`${arrangement.name}: ${options.kills} kills`);
  const report = await runChaos(arrangement, options);
  say(`${report.accepted} pipelines and ${report.charges} charges, ${report.orphans.length} blobs without rows`);
  for (const { kind, message } of report.faults.slice(0, SHOWN)) say(`${kind}: ${message}`);
  for (const key of report.orphans.slice(0, SHOWN)) say(`blob without a row: ${key}`);
  if (values.output !== undefined || report.faults.length + report.orphans.length > 0) {
    const path = join(values.output ?? mkdtempSync(join(tmpdir(), "swath-chaos-log-")), `${name}.log`);
    writeFileSync(path, arrangement.output());
    say(`output of the processes: ${path}`);
  }
  process.off("SIGINT", onInterrupt);
  return report;
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) usage(`${name} is "${text}", expected a whole number`);
  return number;
}

function usage(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
