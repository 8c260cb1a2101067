import { changeSystemSetting } from "./system-setting.ts";

/** Free blocks of this many pages or more go back to the host; the base-2 logarithm. */
const REPORTING_ORDER = "/sys/module/page_reporting/parameters/page_reporting_order";
/**
 * Larger than any block of x86 and ARM with pages of 4 KiB. The Linux 6.18 of the measurements takes it. Others may allow
 * 10 at most, with which the largest blocks still go back.
 */
const NO_BLOCK = "11";

/**
 * Keeps the memory of this machine while the service is measured. A virtual machine can give memory that was free for a
 * second back to its host. The host then has to find and clear other memory at the next touch.
 *
 * The hash of a password touches 7 MiB of fresh memory. Of 660 sign-ins beside 499 positions 12 took 14 ms more for it, and
 * two did where the machine kept its memory. A laptop keeps it.
 *
 * Where the machine does not permit it, a line of the output says so. Disposing gives memory back again.
 */
export function keepMemory(): Disposable {
  const reporting = changeSystemSetting(REPORTING_ORDER, NO_BLOCK);
  if (!reporting.isAsWanted) {
    process.stdout.write(`  this machine gives free memory to its host: ${REPORTING_ORDER} takes no ${NO_BLOCK}\n`);
  }
  return reporting;
}
