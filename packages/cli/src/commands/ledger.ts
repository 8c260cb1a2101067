import { verifyConfiguredLedger } from "@swath/service/main";
import type { CommandContext } from "../command-context.ts";
import { CommandError, EXIT } from "../exit-code.ts";
import { formatTable } from "../output.ts";

/** Differences that are shown to people; `--json` has up to a thousand. */
const SHOWN = 50;

/**
 * `swath ledger verify`: replays the log of credit and compares it with what the database keeps beside it.
 *
 * @throws {CommandError} with exit code 1 when something differs
 */
export async function verifyLedger({ output, signal }: CommandContext): Promise<void> {
  const report = await verifyConfiguredLedger(signal);
  const { counts, found, differences } = report;
  const total = Object.values(found).reduce((sum, count) => sum + count, 0);
  output.result({ proved: total === 0, ...report }, [
    ...formatTable([
      ["replayed", ""],
      ...Object.entries(counts).map(([what, count]) => [what, String(count)]),
      ["", ""],
      ["check", "differences"],
      ...Object.entries(found).map(([check, count]) => [check, String(count)]),
    ]),
    ...differences.slice(0, SHOWN).map(({ check, subject, message }) => `${check}: ${subject}: ${message}`),
    ...(differences.length > SHOWN ? [`and ${total - SHOWN} more, of which --json lists the first`] : []),
    ...(total === 0 ? ["the ledger is proved"] : []),
  ]);
  if (total > 0) throw new CommandError(`the ledger has ${total} differences`, EXIT.failure);
}
