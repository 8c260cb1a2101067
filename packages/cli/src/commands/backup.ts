import { backUpConfigured, restoreConfigured } from "@swath/service/main";
import type { CommandContext } from "../command-context.ts";
import { CommandError, EXIT } from "../exit-code.ts";

/** `swath backup FOLDER`: database and blobs of the configured service, which may be running. */
export async function backup({ output, signal }: CommandContext, _options: object, args: readonly string[]) {
  const report = await backUpConfigured(args[0] ?? "", signal);
  output.result(report, [`backed up ${contentsOf(report)} to ${report.folder}`]);
}

/**
 * `swath restore FOLDER`: fills an empty service from a backup.
 *
 * @throws {CommandError} with exit code 1 when the ledger of the backup is not proved
 */
export async function restore({ output, signal }: CommandContext, _options: object, args: readonly string[]) {
  const report = await restoreConfigured(args[0] ?? "", signal);
  const differences = Object.values(report.ledger.found).reduce((sum, count) => sum + count, 0);
  output.result(report, [
    `restored ${contentsOf(report)} from ${report.folder}`,
    differences === 0 ? "the ledger is proved" : `the ledger has ${differences} differences: swath ledger verify`,
  ]);
  if (differences > 0) throw new CommandError(`the ledger has ${differences} differences`, EXIT.failure);
}

function contentsOf({ blobs, rows, tables }: Awaited<ReturnType<typeof backUpConfigured>>): string {
  return `${rows} rows of ${tables} tables and ${blobs.count} blobs of ${(blobs.bytes / 1e6).toFixed(1)} MB`;
}
